"""The shapes of ScaleBox's and SandboxFusion's published judge routes. Shapes only; unknown fields are ignored.

Field names and enumerations are those of the originals, so that their clients work unchanged.
"""

from __future__ import annotations

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from scalebox.wire.v1 import JudgeNameV1

COMMON_OJ: Final = "CommonOJDataset"


class Lenient(BaseModel):
    """Base of the compatibility shapes."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


class ExtraIn(Lenient):
    """Options of an evaluation."""

    run_all_cases: bool = False
    total_timeout: float = Field(default=300.0, gt=0, le=86_400)
    special_judge_program: str | None = None
    """Reads stdin.txt, stdout.txt (the answer) and answer.txt (the program's output); exit code 0 accepts, 1 rejects."""
    special_judge_language: str | None = None
    """Default: python."""
    force_special_judge: bool = False
    """Ask it also where the output is byte-equal to the answer."""
    in_order: bool = False
    """Without run_all_cases: run every case before the first failure, and list them all. This field and the next two are ours."""
    learned_limits: bool = False
    """Hold the program to a time limit that accepted ones of the same cases have shown to be enough, where that is less."""
    fresh: bool = False
    """Run it, also where an identical submission is being judged or its judgement is remembered."""


class BatchCases(Lenient):
    """Test cases of one kind, in columns."""

    type: Literal["stdin_stdout", "function_call", "assert"] | None = None
    fn_name: str | None = None
    input: list[object] | None = None
    output: list[object] | None = None
    json_input: bool = False
    test: str | None = None
    tests: str | None = None
    entry_point: str | None = None
    stop_tokens: list[str] | None = None


class SingleCase(Lenient):
    """One test case."""

    type: Literal["stdin_stdout", "function_call", "assert"] | None = None
    fn_name: str | None = None
    input: object = None
    output: object = None
    json_input: bool = False
    test: str | None = None
    tests: str | None = None
    entry_point: str | None = None
    stop_tokens: list[str] | None = None


class BatchData(Lenient):
    """The data of ``/common_evaluate_batch``."""

    test_cases: BatchCases


class SingleData(Lenient):
    """The data of ``/common_evaluate``."""

    test_cases: list[SingleCase]


class OjInput(Lenient):
    """Standard input of a ``/submit`` case."""

    stdin: str = ""


class OjOutput(Lenient):
    """The answer of a ``/submit`` case."""

    stdout: str = ""


class OjCase(Lenient):
    """A ``/submit`` case."""

    input: OjInput = OjInput()
    output: OjOutput


class OjData(Lenient):
    """The data of ``/submit``."""

    test: list[OjCase]


class EvaluateConfig(Lenient):
    """What the evaluation routes share; times in seconds, memory in KB."""

    language: str
    compile_timeout: float = Field(default=10.0, gt=0, le=600)
    run_timeout: float = Field(default=10.0, gt=0, le=3600)
    mem_limit: int | None = Field(default=None, le=1 << 30)
    """KB; null or not positive means the default."""
    custom_extract_logic: str | None = None
    extra: ExtraIn | None = None


class BatchConfig(EvaluateConfig):
    """Configuration of ``/common_evaluate_batch``."""

    provided_data: BatchData


class SingleConfig(EvaluateConfig):
    """Configuration of ``/common_evaluate``."""

    provided_data: SingleData


class SubmitConfig(EvaluateConfig):
    """Configuration of ``/submit``."""

    dataset_type: str = COMMON_OJ
    provided_data: OjData


class HeadIn(Lenient):
    """What differs between the rollouts of a problem."""

    completion: str
    id: int | str = 0


class EvaluateIn(HeadIn):
    """What the evaluation routes share."""

    dataset: str | None = None
    extra: ExtraIn | None = None


class BatchIn(EvaluateIn):
    """``POST /common_evaluate_batch``."""

    config: BatchConfig


class SingleIn(EvaluateIn):
    """``POST /common_evaluate``."""

    config: SingleConfig


class SubmitIn(EvaluateIn):
    """``POST /submit`` with its data provided."""

    config: SubmitConfig


class RunCodeIn(Lenient):
    """``POST /run_code``; times in seconds."""

    code: str
    language: str
    stdin: str | None = None
    compile_timeout: float = Field(default=10.0, gt=0, le=600)
    run_timeout: float = Field(default=10.0, gt=0, le=3600)
    memory_limit_MB: int = Field(default=-1, le=1 << 20)
    files: dict[str, str | None] = {}
    fetch_files: list[str] = []


class CommandRunResult(Lenient):
    """What a command did. Never ``Error`` for a fault of the program: clients take it for ours and retry."""

    status: Literal["Finished", "Error", "TimeLimitExceeded"]
    execution_time: float
    cpu_time: float
    return_code: int
    stdout: str
    stderr: str


class RunCodeOut(Lenient):
    """Reply of ``/run_code``, and ``exec_info`` of a test. The fields from ``verdict`` on are ours."""

    status: Literal["Success", "Failed", "SandboxError"]
    message: str
    compile_result: CommandRunResult | None
    run_result: CommandRunResult | None
    executor_pod_name: str
    files: dict[str, str]
    verdict: str | None = None
    reason: str | None = None


class TestOut(Lenient):
    """Outcome of one case. The field ``index`` is ours."""

    passed: bool
    exec_info: RunCodeOut
    test_info: dict[str, object] | None
    index: int
    """Which of the cases it is, from 0. Stopping at a failure, cases that were not run are left out."""


class EvaluateOut(Lenient):
    """Reply of the evaluation routes. The fields from ``verdict`` on are ours."""

    id: int | str
    accepted: bool
    extracted_code: str
    full_code: str | None
    test_code: str | None
    tests: list[TestOut]
    extracted_type: Literal["fenced", "incomplete_fenced", "heuristic", "empty"] | None
    extra: dict[str, object] | None
    verdict: str
    reason: str | None
    reward: float | None
    score: float | None
    hardened: bool
    origin: Literal["run", "shared", "cached"] = "run"
    """As in v1, and so is the next."""
    learned_cpu_s: float | None = None
    judge: JudgeNameV1 | None = None
