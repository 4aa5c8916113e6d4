"""The commands of `scalebox judges`. Registers them; does nothing itself. Imported when one of them is asked for."""

from __future__ import annotations

import typer

from scalebox.cli import (
    judges_attach,
    judges_demo,
    judges_evaluate,
    judges_registry,
    judges_replay,
    judges_synthesize,
)

app = typer.Typer()
app.command("synthesize")(judges_synthesize.command)
app.command("demo")(judges_demo.command)
app.command("replay")(judges_replay.command)
app.command("list")(judges_registry.list_judges)
app.command("show")(judges_registry.show)
app.command("activate")(judges_registry.activate)
app.command("retire")(judges_registry.retire)
app.command("rollback")(judges_registry.rollback)
app.command("dispute")(judges_registry.dispute)
app.command("settle")(judges_registry.settle)
app.command("import")(judges_registry.import_judges)
app.command("export")(judges_registry.export)
app.command("evaluate")(judges_evaluate.command)
app.command("attach")(judges_attach.command)
