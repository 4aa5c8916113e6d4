"""Public clients of older services work against a running server as they are."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import json
import sys

import pytest

from acceptance import shared
from acceptance.serving import Server

pytestmark = [pytest.mark.data, pytest.mark.asyncio(loop_scope="session")]

LOAD_LIMIT = 60 if shared.FULL else 12
"""Tasks of each workload that the load generator sends."""


def sandbox_fusion() -> object:
    """The public client, or a skip: it is no dependency of ours."""
    if importlib.util.find_spec("sandbox_fusion") is None:
        pytest.skip("the package sandbox-fusion is not installed")
    return importlib.import_module("sandbox_fusion")


PROGRAM = """
import json, sys
import sandbox_fusion as client

client.set_endpoint(sys.argv[1])
one = client.run_code(client.RunCodeRequest(code="print(int(input()) + 1)", language="python", stdin="41"))
many = client.run_concurrent(
    client.run_code,
    args=[[client.RunCodeRequest(code=f"print({number} ** 2)", language="python")] for number in range(10)],
    concurrency=5,
)
broken = client.run_code(client.RunCodeRequest(code="raise SystemExit(3)", language="python"))
failed = client.run_code(client.RunCodeRequest(code="int main() { return x; }", language="cpp"))
print(json.dumps({
    "one": [one.status.value, one.run_result.status.value, one.run_result.return_code, one.run_result.stdout],
    "many": [reply.run_result.stdout for reply in many],
    "broken": [broken.status.value, broken.run_result.return_code],
    "failed": [failed.status.value, failed.compile_result.return_code != 0],
}))
"""
"""Run in a process of its own: the client blocks, and warns about what it is built on."""


async def test_the_sandbox_fusion_client_is_served(server: Server) -> None:
    sandbox_fusion()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, server.url, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    stdout, stderr = await process.communicate()
    assert process.returncode == 0, stderr.decode()
    assert json.loads(stdout.splitlines()[-1]) == {
        "one": ["Success", "Finished", 0, "42\n"],
        "many": [f"{number**2}\n" for number in range(10)],
        "broken": ["Failed", 3],
        "failed": ["Failed", True],
    }


@pytest.mark.parametrize("run_all", ["1", "0"])
@pytest.mark.parametrize("api", ["scalebox", "sandboxfusion", "sandboxfusion-run"])
async def test_the_load_generator_finds_no_mismatch(server: Server, api: str, run_all: str) -> None:
    pytest.importorskip("aiohttp")
    script, workload = shared.find("bench/load.py"), shared.find("bench/workload_mixed.jsonl.gz")
    command = [sys.executable, str(script), "--url", server.url, "--api", api, "--workload", str(workload)]
    options = ["--run-all", run_all, "--limit", str(LOAD_LIMIT), "--show-mismatch"]
    process = await asyncio.create_subprocess_exec(
        *command, *options, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    stdout, stderr = await process.communicate()
    assert process.returncode == 0, stderr.decode()
    report = json.loads(stdout.splitlines()[0])
    assert report["mismatches"] == 0, stdout.decode()
    assert report["test_count_mismatch"] == 0, stdout.decode()
