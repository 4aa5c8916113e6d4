"""How the scheduling policy does on machines that are not here: simulated, with service times measured on one that is.

    python benchmarks/simulate.py --measure                       # once: times of workload_short, written to --times
    python benchmarks/simulate.py --predict mixed [--stop]        # JSON: how long a server here will take
    python benchmarks/simulate.py --sizes 2 16 128 1024 10000     # schemes, one node
    python benchmarks/simulate.py --nodes 1 10 100 1000           # the same slots in so many cells
    python benchmarks/simulate.py --lengths                       # a backlog whose lengths are guessed well, badly, or not at all
    python benchmarks/simulate.py --classes                       # urgent work among a backlog, and the policy's two numbers

The schemes are told in `simulation.py`. Utilisation is slot time in use over slot time there was; useful leaves out what
turned out not to be needed. A burst comes all at once, as a step of training sends it; steady traffic comes at random,
80 % of what the slots could do.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from common import CPUS, read_rows
from service_times import as_task, makespan, measure
from simulation import SCHEMES, Balancer, Costs, Figures, Scheme, Task, Work, simulate

from scalebox.core.submission import Priority
from scalebox.judge import policy, share

Json = dict[str, Any]
LOAD: Final = 0.8
MOST_SUBMISSIONS: Final = 20_000
FEWEST_SUBMISSIONS: Final = 1_000
EARLY_SECONDS: Final = 20.0
"""Training submissions that are done by then are counted."""
KINDS: Final[Mapping[str, Callable[[Work], bool]]] = {
    "urgent": lambda work: work.task.name == "small",
    "light": lambda work: work.task.name not in {"small", "heavy"},
    "heavy": lambda work: work.task.name == "heavy",
}
"""Of submissions, in the table of classes."""
CLIENTS_OF_A_SLOT: Final = 2
"""That wait for an answer before they send the next, in the table of lengths."""


def read_costs(times: Json, calibration: str) -> Costs:
    """The costs of a measurement."""
    return Costs(**times["costs"][calibration])


def predicted_rows(times: Json, tasks: Sequence[Json]) -> list[Json]:
    """Rows for a workload of which only a part was measured.

    A task that was not measured takes the mean of those that were for a case that is right, and its time limit for one that
    is to fail: what its kind (``tle``) says.
    """
    known = {row["name"]: row for row in times["tasks"]}
    mean = times["program_seconds"] / sum(len(row["cases"]) for row in times["tasks"])
    first = sum(row["first_seconds"] for row in times["tasks"]) / len(times["tasks"])
    rows = []
    for task in tasks:
        if task["name"] in known:
            rows.append(known[task["name"]])
            continue
        passes = task["expected"]["tests"]
        limit = task["config"]["run_timeout"]
        cases = [mean if passed else limit for passed in passes]
        fails = [not passed for passed in passes]
        rows.append(dict(name=task["name"], first_seconds=first, cases=cases, fails=fails))
    return rows


def predict(times: Json, costs: Costs, shared: Path, workload: str, *, stop: bool, learned: bool) -> Json:
    """How long a server here will take for a workload."""
    tasks: Sequence[Any] = read_rows(shared / "bench" / f"workload_{workload}.jsonl.gz")
    rows = [as_task(row, learned=learned) for row in predicted_rows(times, tasks)]
    seconds = makespan(rows, costs, stop=stop, slots=times["slots"], clients=times["clients"])
    return dict(
        workload=workload,
        calibrated_on=times["workload"],
        slots=times["slots"],
        clients=times["clients"],
        stop_on_failure=stop,
        learned_order=learned,
        predicted_seconds=round(seconds, 3),
        predicted_tasks_per_second=round(len(rows) / seconds, 3),
    )


def drawn(tasks: Sequence[Task], count: int, rate: float | None, *, stop: bool) -> list[Work]:
    """Submissions drawn from the tasks, at once or at random times."""
    chance = random.Random(7)  # noqa: S311 - to be the same twice
    works = []
    came = 0.0
    for _ in range(count):
        came += 0.0 if rate is None else chance.expovariate(rate)
        works.append(Work(chance.choice(tasks), came, stop))
    return works


def mean_seconds(tasks: Sequence[Task], costs: Costs, *, stop: bool) -> float:
    """Slot seconds that a submission needs, its cases one after the other."""
    total = 0.0
    for task in tasks:
        count = len(task.cases)
        if stop and any(task.fails):
            count = list(task.fails).index(True) + 1
        total += task.first_seconds + sum(task.cases[:count])
        total += count * (costs.slot_seconds + costs.loop_seconds)
    return total / len(tasks)


def row_of(figures: Figures, slots: int, took: float, **more: object) -> Json:
    """The figures of one simulation."""
    there = slots * figures.span
    return dict(
        **more,
        slots=slots,
        submissions=len(figures.latencies),
        utilisation=figures.busy / there,
        useful=(figures.busy - figures.waste) / there,
        waste=figures.waste / figures.busy,
        seconds=figures.span,
        p50=figures.percentile(0.5),
        p99=figures.percentile(0.99),
        simulated_in=took,
    )


def count_of(slots: int) -> int:
    """Submissions to simulate for so many slots."""
    return max(FEWEST_SUBMISSIONS, min(4 * slots, MOST_SUBMISSIONS))


def one(
    scheme: Scheme,
    traffic: str,
    tasks: Sequence[Task],
    costs: Costs,
    *,
    slots: int,
    stop: bool,
    nodes: int = 1,
    balancer: Balancer = "least",
) -> Json:
    """One scheme under one kind of traffic."""
    total = slots * nodes
    rate = None if traffic == "burst" else LOAD * total / mean_seconds(tasks, costs, stop=stop)
    works = drawn(tasks, count_of(total), rate, stop=stop)
    began = time.perf_counter()
    figures = simulate(scheme, works, slots=slots, costs=costs, nodes=nodes, balancer=balancer)
    took = time.perf_counter() - began
    return row_of(figures, total, took, scheme=scheme, traffic=traffic, nodes=nodes, balancer=balancer)


def show(rows: Iterable[Json], names: Sequence[str]) -> list[Json]:
    """Print a table, each row as it is found."""
    print("  ".join(f"{name:>12}" for name in names), flush=True)
    found = []
    for row in rows:
        found.append(row)
        cells = [row[name] for name in names]
        print(
            "  ".join(f"{cell:12.4g}" if isinstance(cell, float) else f"{cell or '-':>12}" for cell in cells),
            flush=True,
        )
    return found


def sizes(tasks: Sequence[Task], costs: Costs, slots: Sequence[int], *, stop: bool) -> list[Json]:
    """Every scheme on one node of each size. Its loop is taken to be as fast as it must be: cells divide it."""
    free = Costs(slot_seconds=costs.slot_seconds + costs.loop_seconds, loop_seconds=0.0)
    rows = [
        one(scheme, traffic, tasks, free, slots=count, stop=stop)
        for count in slots
        for traffic in ("burst", "steady")
        for scheme in SCHEMES
    ]
    show(
        rows, ("traffic", "slots", "scheme", "utilisation", "useful", "waste", "seconds", "p50", "p99", "simulated_in")
    )
    return rows


def clusters(tasks: Sequence[Task], costs: Costs, nodes: Sequence[int], total: int, *, stop: bool) -> list[Json]:
    """The same slots in ever more cells, whose event loops are counted."""
    balancers: Sequence[Balancer] = ("least", "random")
    rows = (
        one("hybrid", traffic, tasks, costs, slots=total // count, nodes=count, balancer=balancer, stop=stop)
        for count in nodes
        for balancer in balancers
        for traffic in ("burst", "steady")
    )
    names = ("traffic", "nodes", "balancer", "slots", "utilisation", "useful", "waste", "seconds", "p50", "p99")
    return show(rows, names)


@contextmanager
def tuned(weights: dict[Priority, float], slice_seconds: float, later: float) -> Generator[None, None, None]:
    """The policy with other numbers."""
    homes = (
        (policy, "CLASS_WEIGHTS", weights),
        (policy, "SLICE_SECONDS", slice_seconds),
        (share, "SLICE_SECONDS", slice_seconds),
        (policy, "LATER_PER_SECOND", later),
    )
    before = [(module, name, getattr(module, name)) for module, name, _ in homes]
    try:
        for module, name, value in homes:
            setattr(module, name, value)
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


def mingled(tasks: Sequence[Task], costs: Costs, slots: int, urgent: float) -> list[Work]:
    """A backlog of training, one in ten of it heavy, and urgent submissions of a few cases that come at random.

    Args:
        tasks: of the training.
        costs: of a case.
        slots: of the node.
        urgent: share of the slots that they want.
    """
    chance = random.Random(11)  # noqa: S311 - to be the same twice
    heavy = Task(name="heavy", first_seconds=0.01, cases=[0.5] * 40, fails=[False] * 40)
    small = Task(name="small", first_seconds=0.002, cases=[0.01] * 5, fails=[False] * 5)
    works = [Work(chance.choice(tasks) if chance.random() < 0.9 else heavy, 0.0, stop=False) for _ in range(20 * slots)]
    span = len(works) / slots * (0.1 * 20.0)
    rate = urgent * slots / mean_seconds([small], costs, stop=False)
    came = 0.0
    while (came := came + chance.expovariate(rate)) < span:
        works.append(Work(small, came, stop=False, priority=Priority.INTERACTIVE))
    return sorted(works, key=lambda work: work.came)


def classes(tasks: Sequence[Task], costs: Costs, slots: int) -> list[Json]:
    """What class weights, the slice and the ageing of used time do to whom."""
    flat = dict.fromkeys(Priority, 1.0)
    ours = dict(policy.CLASS_WEIGHTS)
    near = {priority: 4.0 / 2**rank for rank, priority in enumerate(Priority)}
    first = {priority: 10.0 ** (6 - 6 * rank) for rank, priority in enumerate(Priority)}
    piece, later = share.SLICE_SECONDS, policy.LATER_PER_SECOND
    settings = {
        "no classes": (flat, piece, later),
        "urgent first": (first, piece, later),
        "4:2:1": (near, piece, later),
        "as set": (ours, piece, later),
        "slice 0": (ours, 0.0, later),
        "slice 1 s": (ours, 1.0, later),
        "to its end": (ours, 1e6, later),
        "by arrival": (ours, piece, 0.0),
        "1 s for 1 s": (ours, piece, 1.0),
        "10 s for 1 s": (ours, piece, 10.0),
    }

    def row(name: str, urgent: float) -> Json:
        with tuned(*settings[name]):
            figures = simulate("hybrid", mingled(tasks, costs, slots, urgent), slots=slots, costs=costs)
        done = [work for work, seconds in figures.latencies if work.came + seconds < EARLY_SECONDS]
        training = sum(work.priority is Priority.TRAINING for work in done)
        found: Json = dict(policy=name, urgent_load=urgent, slots=slots, seconds=figures.span, early_training=training)
        for kind, is_it in KINDS.items():
            found[f"{kind}_p50"] = figures.percentile(0.5, is_it)
            found[f"{kind}_p99"] = figures.percentile(0.99, is_it)
        return found

    names = ("policy", "urgent_load", *(f"{kind}_{part}" for kind in KINDS for part in ("p50", "p99")))
    return show(
        (row(name, urgent) for urgent in (0.3, 1.1) for name in settings), (*names, "early_training", "seconds")
    )


def lengths(tasks: Sequence[Task], costs: Costs, sizes: Sequence[int]) -> list[Json]:
    """What expecting lengths does to a backlog, and to few clients that send the next when they have an answer.

    Lengths are guessed by the number of cases alone, roughly, or truly. Heavy ones are of many cases in a backlog; of clients', one that takes 2 s.
    """
    late = Task(name="late", first_seconds=0.01, cases=[2.0], fails=[True])
    heavy = Task(name="heavy", first_seconds=0.01, cases=[0.5] * 40, fails=[False] * 40)
    usual = mean_seconds(tasks, costs, stop=False) * len(tasks) / sum(len(task.cases) for task in tasks)
    guesses: Mapping[str, Callable[[Task, random.Random], float]] = {
        "none": lambda _, __: 0.0,
        "cases": lambda task, _: usual * len(task.cases),
        "roughly": lambda task, chance: mean_seconds([task], costs, stop=False) * chance.lognormvariate(0, 1),
        "truly": lambda task, _: mean_seconds([task], costs, stop=False),
    }

    def row(traffic: str, name: str, slots: int, share_of_heavy: float) -> Json:
        chance, noise = random.Random(11), random.Random(5)  # noqa: S311 - to be the same twice
        long = heavy if traffic == "backlog" else late
        works = [
            Work(long if chance.random() < share_of_heavy else chance.choice(tasks), 0.0, stop=False)
            for _ in range(40 * slots)
        ]
        for work in works:
            work.expected = guesses[name](work.task, noise)
        clients = None if traffic == "backlog" else CLIENTS_OF_A_SLOT * slots
        figures = simulate("hybrid", works, slots=slots, costs=costs, clients=clients)
        mean = sum(seconds for _, seconds in figures.latencies) / len(works)
        parts = {f"p{round(100 * part)}": figures.percentile(part) for part in (0.5, 0.99)}
        return dict(
            traffic=traffic,
            guess=name,
            slots=slots,
            heavy=share_of_heavy,
            mean=mean,
            **parts,
            seconds=figures.span,
            utilisation=figures.busy / (slots * figures.span),
        )

    names = ("traffic", "guess", "slots", "heavy", "mean", "p50", "p99", "seconds", "utilisation")
    traffics = ("backlog", "clients")
    return show(
        (row(way, name, slots, some) for slots in sizes for way in traffics for some in (0.0, 0.1) for name in guesses),
        names,
    )


def main() -> None:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).parents[2] / "shared")
    parser.add_argument("--times", type=Path, default=Path(__file__).with_name("service_times.json"))
    parser.add_argument("--measure", action="store_true", help="time workload_short here and write --times")
    parser.add_argument("--rounds", type=int, default=3, help="of the calibration")
    parser.add_argument("--port", type=int, default=18098, help="of the server that is measured")
    parser.add_argument("--calibration", choices=["wall", "cpu"], default="wall", help="see service_times.py")
    parser.add_argument("--predict", metavar="WORKLOAD", choices=["short", "mixed"])
    parser.add_argument("--stop", action="store_true", help="stop at the first failure")
    parser.add_argument("--learned", action="store_true", help="the cases that fail come first: a second pass")
    parser.add_argument("--sizes", type=int, nargs="+")
    parser.add_argument("--nodes", type=int, nargs="+")
    parser.add_argument("--total", type=int, default=10_000, help="slots that the nodes have together")
    parser.add_argument("--classes", action="store_true")
    parser.add_argument("--lengths", action="store_true")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    if arguments.measure:
        times = measure(arguments.shared, "short", arguments.rounds, arguments.port)
        arguments.times.write_text(json.dumps(times) + "\n", encoding="utf-8")
        print(json.dumps({name: value for name, value in times.items() if name != "tasks"}))
    times = json.loads(arguments.times.read_text(encoding="utf-8"))
    costs = read_costs(times, arguments.calibration)
    if arguments.predict:
        told = predict(
            times, costs, arguments.shared, arguments.predict, stop=arguments.stop, learned=arguments.learned
        )
        print(json.dumps(dict(told, calibration=arguments.calibration)))
        return
    tasks = [as_task(row, learned=arguments.learned) for row in times["tasks"]]
    found: Json = {}
    if arguments.sizes:
        found["sizes"] = sizes(tasks, costs, arguments.sizes, stop=arguments.stop)
    if arguments.nodes:
        found["nodes"] = clusters(tasks, costs, arguments.nodes, arguments.total, stop=arguments.stop)
    if arguments.classes:
        found["classes"] = classes(tasks, costs, CPUS)
    if arguments.lengths:
        found["lengths"] = lengths(tasks, costs, [CPUS, 16, 64])
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
