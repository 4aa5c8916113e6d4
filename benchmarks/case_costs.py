"""Where the CPU time of a case goes: service, slots' parents, boxes, and the client that asks.

One shared workload is sent to a real server; what each kind of process used meanwhile is read from /proc and divided by
the cases that ran. Kernel work that nobody is charged with (of kernel threads) is the rest of what the machine was busy.

    python benchmarks/case_costs.py [--shared ../shared] [--workload short] [--run-all 1]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path

from common import CPUS, PORT, SHARED, WORKLOADS, read_tasks, server, workload_file
from meter import Used, children_of, machine, used_by
from systems import CONCURRENCY


def by_kind(service: int) -> dict[str, Used]:
    """What the service, the slots' parents and their boxes used so far."""
    kinds = {"service": used_by(service)[0], "parents": Used(), "boxes": Used()}
    for launcher in children_of(service):
        for parent in children_of(launcher):
            own, boxes = used_by(parent)
            kinds["parents"] += own
            kinds["boxes"] += boxes
    return kinds


def main() -> None:
    """Measure and print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--shared", type=Path, default=SHARED)
    options.add_argument("--port", type=int, default=PORT)
    options.add_argument("--workload", default="short", choices=WORKLOADS)
    options.add_argument("--run-all", type=int, default=1, choices=[0, 1])
    arguments = options.parse_args()
    path = workload_file(arguments.shared, arguments.workload)
    with server(arguments.port) as ours:
        command = [sys.executable, str(arguments.shared / "bench" / "load.py"), "--url", ours.url]
        command += ["--workload", str(path), "--concurrency", str(CONCURRENCY), "--run-all", str(arguments.run_all)]
        before, busy = by_kind(ours.pid), machine()
        client = resource.getrusage(resource.RUSAGE_CHILDREN)
        reply = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)  # noqa: S603
        busy = machine() - busy
        after = by_kind(ours.pid)
        asked = resource.getrusage(resource.RUSAGE_CHILDREN)
    kinds = {kind: after[kind] - before[kind] for kind in after}
    kinds["client"] = Used(user=asked.ru_utime - client.ru_utime, system=asked.ru_stime - client.ru_stime)
    rest = busy - sum(used.both for used in kinds.values())
    cases = reply["tests"]
    print(f"{len(read_tasks(path))} tasks, {cases} cases, {reply['tasks_s']} tasks/s, {reply['wall']} s, {CPUS} CPUs")
    print(f"{'':8}  {'user':>8}  {'kernel':>8}  {'both':>8}   microseconds a case")
    for kind, used in kinds.items():
        user, system, both = (f"{1e6 * seconds / cases:8.0f}" for seconds in (used.user, used.system, used.both))
        print(f"{kind:8}  {user}  {system}  {both}")
    print(f"{'others':8}  {'':8}  {'':8}  {1e6 * rest / cases:8.0f}")


if __name__ == "__main__":
    main()
