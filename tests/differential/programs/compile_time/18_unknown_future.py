# tag: compile
# A future feature that does not exist.
from __future__ import braces_of_steel
