"""Names that programs and test code use without importing them: those of the usual starter code; imports only what is referred to.

The table holds what the common preambles of function-style benchmarks hold, less the star imports' rarities. A builtin's
name is never in it (``pow``), nor one that is more often somebody's own variable (``e``, ``count``, ``index``).
"""

from __future__ import annotations

import builtins

from scalebox.runner.zygote.harness.names import referred, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

MODULES = words(
    "array bisect cmath collections copy datetime decimal fractions functools heapq io itertools json math operator os random re "
    "statistics string sys time typing"
)

_MEMBERS = {
    "typing": "Any Callable Deque DefaultDict Dict FrozenSet Generator Generic Iterable Iterator List Literal Mapping NamedTuple "
    "Optional Sequence Set Tuple Type TypeVar Union",
    "collections": "Counter OrderedDict defaultdict deque namedtuple",
    "heapq": "heapify heappop heappush heappushpop heapreplace nlargest nsmallest",
    "bisect": "bisect_left bisect_right insort insort_left insort_right",
    "itertools": "accumulate chain combinations combinations_with_replacement cycle groupby islice pairwise permutations product "
    "starmap takewhile zip_longest",
    "functools": "cache cmp_to_key lru_cache partial reduce",
    "math": "ceil comb factorial floor gcd hypot inf isqrt lcm log10 log2 nan perm pi sqrt",
    "copy": "deepcopy",
    "datetime": "date timedelta",
    "decimal": "Decimal",
    "fractions": "Fraction",
    "operator": "itemgetter xor",
    "string": "ascii_letters ascii_lowercase ascii_uppercase digits",
    "random": "randint",
    "statistics": "mean median",
    "dataclasses": "dataclass",
    "enum": "Enum",
    "abc": "ABC abstractmethod",
}

ORIGIN: dict[str, str] = {name: module for module, names in _MEMBERS.items() for name in names.split()}
"""Name -> the module it comes from."""

ALIASES = {"np": "numpy", "pd": "pandas"}
"""What everybody calls a package -> the package."""


def lookup(name: str) -> object:
    """What the prelude has under a name.

    Raises:
        KeyError: nothing.
    """
    if name in MODULES:
        return __import__(name)
    try:
        if name in ALIASES:
            return __import__(ALIASES[name])
        return getattr(__import__(ORIGIN[name]), name)
    except (ImportError, AttributeError) as error:  # absent in this interpreter
        raise KeyError(name) from error


def install(code: CodeType, namespace: dict[str, object]) -> None:
    """Put the prelude's names that the code refers to into its namespace; its own definitions follow and win."""
    for name in referred(code):
        if (name in MODULES or name in ORIGIN) and not hasattr(builtins, name):
            try:
                namespace.setdefault(name, lookup(name))
            except KeyError:
                continue
