# tag: compile
# A future import that comes too late.
import sys
from __future__ import annotations
