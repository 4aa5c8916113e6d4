"""Prometheus metrics of one process, in a registry of their own. Labels come from closed sets, never from requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counters and gauges of a server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._judgements = Counter("scalebox_judgements", "Judgements made", ["verdict"], registry=self._registry)
        self._cases = Counter("scalebox_cases_run", "Cases run", registry=self._registry)
        self._runs = Counter("scalebox_runs", "Runs without an opinion", registry=self._registry)
        self._requests = Counter(
            "scalebox_http_requests", "Replies by route and status", ["route", "status"], registry=self._registry
        )
        self._request_seconds = Histogram(
            "scalebox_http_request_seconds", "Time to reply", ["route"], buckets=SECONDS, registry=self._registry
        )
        self._judge_seconds = Histogram(
            "scalebox_judge_seconds", "Time of a judgement, waiting included", buckets=SECONDS, registry=self._registry
        )
        self._queue_seconds = Histogram(
            "scalebox_queue_seconds", "Time a judgement waited", buckets=SECONDS, registry=self._registry
        )
        self._tenant_queue_seconds = Histogram(
            "scalebox_tenant_queue_seconds",
            "Time a judgement waited, by whose it is and its class",
            ["tenant", "priority"],
            buckets=SECONDS,
            registry=self._registry,
        )
        self._tenant_cpu_seconds = Counter(
            "scalebox_tenant_cpu_seconds", "CPU time of the programs judged", ["tenant"], registry=self._registry
        )
        self._tenant_refusals = Counter(
            "scalebox_tenant_refusals", "Requests that found no room", ["tenant"], registry=self._registry
        )
        self._queued = Gauge("scalebox_queued", "Submissions that wait", registry=self._registry)
        self._busy = Gauge("scalebox_slots_busy", "Slots that run a program", registry=self._registry)
        self._slots = Gauge("scalebox_slots", "Slots", registry=self._registry)
        self._ready = Gauge("scalebox_ready", "1 when new work is welcome", registry=self._registry)

    def judged(self, verdict: str, *, ran: int, seconds: float, queue_seconds: float) -> None:
        """Count a judgement."""
        self._judgements.labels(verdict).inc()
        self._cases.inc(ran)
        self._judge_seconds.observe(seconds)
        self._queue_seconds.observe(queue_seconds)

    def of_tenant(self, tenant: str, priority: str, *, queue_seconds: float, cpu_seconds: float) -> None:
        """Count a judgement for whose it is. ``tenant`` is a configured name, never a client's word."""
        self._tenant_queue_seconds.labels(tenant, priority).observe(queue_seconds)
        self._tenant_cpu_seconds.labels(tenant).inc(cpu_seconds)

    def refused(self, tenant: str) -> None:
        """Count a request that found no room."""
        self._tenant_refusals.labels(tenant).inc()

    def ran(self) -> None:
        """Count a run."""
        self._runs.inc()

    def replied(self, route: str, status: int, seconds: float) -> None:
        """Count a reply. ``route`` is the route's pattern, not the path."""
        self._requests.labels(route, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    def render(self, *, queued: int, busy: int, slots: int, ready: bool) -> bytes:
        """The text that Prometheus scrapes, with gauges as they are now."""
        self._queued.set(queued)
        self._busy.set(busy)
        self._slots.set(slots)
        self._ready.set(ready)
        return generate_latest(self._registry)


def join(texts: Mapping[int, bytes]) -> bytes:
    """One text of the texts of several cells: each sample gets the label ``cell``.

    They are not summed, because a counter that falls when one cell of many is started again would look like a new start
    of them all.

    Args:
        texts: by the cell's number, each as ``render`` makes it.
    """
    heads: dict[bytes, list[bytes]] = {}
    samples: dict[bytes, list[bytes]] = {}
    for cell, text in sorted(texts.items()):
        family = b""
        for line in text.splitlines():
            if line.startswith(b"# HELP "):
                family = line.split(b" ", 3)[2]
                heads.setdefault(family, [])
            if line.startswith(b"#"):
                if line not in heads[family]:
                    heads[family].append(line)
            else:
                samples.setdefault(family, []).append(_labelled(line, cell))
    lines = [line for family, head in heads.items() for line in (*head, *samples.get(family, ()))]
    return b"\n".join((*lines, b""))


def _labelled(sample: bytes, cell: int) -> bytes:
    name, brace, labels = sample.partition(b"{")
    if brace:
        return b'%b{cell="%d",%b' % (name, cell, labels)
    name, _, value = sample.partition(b" ")
    return b'%b{cell="%d"} %b' % (name, cell, value)
