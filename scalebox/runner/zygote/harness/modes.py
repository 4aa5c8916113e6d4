"""All harnesses. Loaded in a slot's parent when the first box needs one, for they add pages to every fork."""

from __future__ import annotations

from scalebox.runner.zygote.harness import call, driver, onebox, program_side, unit, unit_onebox

__all__ = ["call", "driver", "onebox", "program_side", "unit", "unit_onebox"]
