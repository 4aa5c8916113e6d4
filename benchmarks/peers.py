"""The shared workloads through other judges beside ScaleBox, in turns. Fetches and starts nothing: README.md says how to.

The peers run programs without isolation, as whoever started them: give them these workloads and nothing else. Each serves the same
workload file, from the same load generator at the same concurrency, on the same CPUs; let their programs run under the
interpreter that is printed. What a peer spends is read from the processes that listen on its port, so it must run on this machine.

    python benchmarks/peers.py [--scalebox-url URL] [--sandboxfusion-url URL] [--verl FOLDER --verl-python FILE]
                               [--rounds 3] [--workload short] [--json FILE]
"""

from __future__ import annotations

import sys
from pathlib import Path

from common import parser
from systems import Ours, Served, System, Verl
from workloads import add_options, measure_all


def main() -> None:
    """Measure and print."""
    options = parser(__doc__, rounds=3)
    add_options(options)
    options.add_argument("--scalebox-url", metavar="URL", help="ScaleBox as published by its authors")
    options.add_argument("--sandboxfusion-url", metavar="URL")
    options.add_argument("--verl", type=Path, metavar="FOLDER", help="the folder prime_code of verl's reward_score")
    options.add_argument("--verl-python", default=sys.executable, metavar="FILE", help="an interpreter that has numpy")
    arguments = options.parse_args()
    load = arguments.shared / "bench" / "load.py"
    systems: list[System] = [Ours(load=load, port=arguments.port)]
    if arguments.scalebox_url:
        systems.append(Served(name="ScaleBox as published", load=load, url=arguments.scalebox_url, api="scalebox"))
    if arguments.sandboxfusion_url:
        systems.append(Served(name="SandboxFusion", load=load, url=arguments.sandboxfusion_url, api="sandboxfusion"))
    if arguments.verl:
        systems.append(Verl(name="verl prime_code", python=arguments.verl_python, prime_code=arguments.verl.resolve()))
    if len(systems) == 1:
        options.error("name at least one peer: --scalebox-url, --sandboxfusion-url or --verl")
    measure_all(arguments, systems)


if __name__ == "__main__":
    main()
