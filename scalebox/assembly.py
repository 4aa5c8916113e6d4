"""Build real objects from Settings: the only place that does. Used by the commands, the public library and tests."""

from __future__ import annotations

import asyncio
import contextlib
import glob
import importlib.metadata
import os
import resource
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scalebox.api.problem_files import ProblemFiles, open_problem_files
from scalebox.config import TESTLIB, Settings, program_python
from scalebox.core.limits import MIB
from scalebox.core.result import Isolation
from scalebox.judge.history import TimeLimitRule
from scalebox.judge.local import LocalJudge, Place
from scalebox.judge.recall import Recall, RecallSettings
from scalebox.judge.scheduler import Scheduler
from scalebox.judge.special import GIVEN_NAMES
from scalebox.languages.catalogue import Catalogue, load_languages
from scalebox.runner.cache import ProgramCache
from scalebox.runner.compiler import Toolchain
from scalebox.runner.native_library import NativeLibrary
from scalebox.runner.pool import Pool
from scalebox.runner.runner import Runner
from scalebox.runner.slot import SlotSettings
from scalebox.runner.toolchains import look
from scalebox.sandbox import landlock, probe, references, scratch
from scalebox.sandbox.level import Level, Walls
from scalebox.telemetry.logs import get_logger

if TYPE_CHECKING:
    from scalebox.registry.store import Registry

VERSION: Final = importlib.metadata.version("scalebox")
_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
_MANY_FILES: Final = 1 << 20
_STRICT_WORK: Final = "/box/work"
_CGROUP_V2_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """What compiles and runs programs on this machine, started."""

    catalogue: Catalogue
    toolchains: dict[str, Toolchain]
    walls: Walls
    slots: SlotSettings
    pool: Pool
    runner: Runner
    work_folder: str


@contextlib.asynccontextmanager
async def open_engine(settings: Settings) -> AsyncGenerator[Engine, None]:
    """Slots and a runner over them; they end with the block.

    Raises:
        IsolationUnavailable: the level demanded cannot be had here.
        SandboxError: a slot cannot be started.
        DefinitionError: a language's definition is malformed.
    """
    catalogue = load_languages()
    wanted = None if settings.isolation == "auto" else Level(settings.isolation)
    walls = await asyncio.to_thread(probe.survey, wanted=wanted, use_cgroup=settings.cgroup == "auto")
    python = str(await asyncio.to_thread(program_python, settings))
    work = _STRICT_WORK if walls.level is Level.STRICT else ""
    size = settings.slots or usable_cpus()
    place = (
        None if walls.level is Level.STRICT else await asyncio.to_thread(scratch.choose, size * (settings.cells or 1))
    )
    walls = _without_disk_cache(walls, place)
    with contextlib.nullcontext("") if place is None else scratch.work_folder(place) as folder:
        slots = await asyncio.to_thread(_slot_settings, walls, catalogue.shown(), python, folder)
        pool = Pool(slots, size)
        try:
            making = [asyncio.to_thread(slots.native.make)] if slots.native else []
            await asyncio.gather(pool.open(), *making)
            if slots.native and slots.native.reason:
                get_logger("slots").warning("cases cost more without the native library", reason=slots.native.reason)
            toolchains = await asyncio.to_thread(look, catalogue, _PATH)
            yield Engine(
                catalogue=catalogue,
                toolchains=toolchains,
                walls=walls,
                slots=slots,
                pool=pool,
                runner=Runner(ProgramCache(settings.compile_cache_mb * MIB, _cached_files()), work, toolchains),
                work_folder=work,
            )
        finally:
            await pool.close()


@contextlib.asynccontextmanager
async def open_judge(settings: Settings) -> AsyncGenerator[LocalJudge, None]:
    """A judge on this machine, its slots started; they end with the block.

    Raises:
        IsolationUnavailable, SandboxError, DefinitionError: as `open_engine`.
    """
    async with open_engine(settings) as engine:
        slots = engine.slots
        yield LocalJudge(
            catalogue=engine.catalogue,
            toolchains=engine.toolchains,
            pool=engine.pool,
            runner=engine.runner,
            scheduler=Scheduler(engine.pool, settings.queue_limit, [tenant.tenant() for tenant in settings.tenants]),
            place=Place(
                isolation=Isolation(level=engine.walls.level.value, walls=engine.walls.names()),
                missing_walls=engine.walls.missing,
                version=VERSION,
                node=settings.node,
                world={**slots.environment, "cwd": slots.environment["HOME"], "python": slots.python},
                work_folder=engine.work_folder,
            ),
            support=await asyncio.to_thread(_support, settings),
            recall=Recall(_recall_settings(settings)),
        )


def open_problems(settings: Settings, level: str) -> tuple[ProblemFiles | None, str]:
    """Where registered problems are kept on disk, if anywhere, and why not where the settings say.

    Their files hold answers, so there are none where programs may read what the service may.
    """
    if settings.problems_mb == 0:
        return None, "SCALEBOX_PROBLEMS_MB is 0"
    if level == Level.NONE.value:
        return None, "without isolation programs could read the answers on disk"
    folders = [settings.state_dir / "problems", Path(tempfile.gettempdir()) / f"scalebox-problems-{os.geteuid()}"]
    return open_problem_files(folders, max_bytes=settings.problems_mb * MIB, max_count=settings.problems_count)


def registry_url(settings: Settings) -> str:
    """Where judges are kept."""
    if settings.judges_url is not None:
        return settings.judges_url.get_secret_value()
    return f"sqlite:///{settings.state_dir / 'judges.db'}"


def open_registry(settings: Settings) -> Registry:
    """The registry of judges, made where there is none. Blocks.

    Raises:
        RegistryError: it cannot be opened.
    """
    from scalebox.registry.store import Registry

    return Registry(registry_url(settings))


def registry_opener(settings: Settings, level: str) -> Callable[[], Registry | None] | None:
    """What opens the registry for a service once there is one; None where programs could write to it."""
    if settings.judges_url is not None:
        return lambda: open_registry(settings)
    if level == Level.NONE.value:
        return None
    path = settings.state_dir / "judges.db"
    return lambda: open_registry(settings) if path.is_file() else None


def _recall_settings(settings: Settings) -> RecallSettings:
    """What one judgement may take from others."""
    return RecallSettings(
        share=settings.share,
        learn_order=settings.learn_order,
        verdict_bytes=settings.verdict_cache_mb * MIB,
        time_limits=TimeLimitRule(
            factor=settings.learned_limit_factor,
            floor_seconds=settings.learned_limit_floor_s,
            programs=settings.learned_limit_programs,
        ),
    )


def _support(settings: Settings) -> Mapping[str, bytes]:
    """What judges may include without bringing it."""
    return {} if settings.testlib is None else {TESTLIB: settings.testlib.read_bytes()}


def _cached_files() -> int:
    """Descriptors that cached programs may hold: half of those this process may have."""
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return (_MANY_FILES if allowed == resource.RLIM_INFINITY else allowed) // 2


def usable_cpus() -> int:
    """CPUs this process may use: its affinity, and its cgroup's quota where that is less."""
    affinity = len(os.sched_getaffinity(0))
    quota = affinity
    with contextlib.suppress(OSError, ValueError, ZeroDivisionError):
        used, period = _CGROUP_V2_QUOTA.read_text(encoding="ascii").split()
        quota = int(used) // int(period)
    return max(1, min(affinity, quota))


def _world(work: str) -> Mapping[str, str]:
    """The environment of every program, whatever its language."""
    return {
        "PATH": _PATH,
        "HOME": work,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "TMPDIR": "/tmp",  # ruff: ignore[hardcoded-temp-file] - the box's own
        "PYTHONHASHSEED": "0",
        "PYTHONINTMAXSTRDIGITS": "0",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


def _slot_settings(walls: Walls, shown: Sequence[str], python: str, folder: str) -> SlotSettings:
    strict = walls.level is Level.STRICT
    show = (*_python_folders(python), *(path for pattern in shown for path in sorted(glob.glob(pattern))))
    rules = [*(probe.strict_rules() if strict else probe.standard_rules())]
    if not strict:
        rules += [(path, landlock.READ_ONLY) for path in show]
    return SlotSettings(
        python=python,
        environment=_world(_STRICT_WORK),
        level=walls.level.value,
        user_namespace=walls.user_namespace,
        landlock_abi=walls.landlock_abi,
        landlock_rules=rules,
        seccomp=walls.seccomp,
        use_cgroup=walls.cgroup,
        uid_base=probe.uid_base() if walls.change_uid else None,
        show=show,
        scratch=folder,
        given=GIVEN_NAMES,
        native=NativeLibrary() if walls.level is Level.STRICT else None,
        descriptors=references.for_programs(),
    )


def _python_folders(python: str) -> Sequence[str]:
    """Folders the programs' interpreter needs that are not part of the system's."""
    asked = "import sys; print('\\n'.join({sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}))"
    reply = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=True)  # ruff: ignore[subprocess-without-shell-equals-true]
    system = ("/usr",)
    return tuple(
        sorted(path for path in reply.stdout.split() if path not in system and not path.startswith("/usr/lib"))
    )


def _without_disk_cache(walls: Walls, place: scratch.Place | None) -> Walls:
    """No cgroup where programs write to a disk: it charges them for what the kernel keeps of their files, removed ones too."""
    if place is None or place.in_memory or not walls.cgroup:
        return walls
    why = f"work folders lie on a disk ({place.path}), whose cache would count as memory; a watchdog sums the tree instead"
    return replace(walls, cgroup=False, missing={**walls.missing, "cgroup": why})
