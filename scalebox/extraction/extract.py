"""``extract``: the program in a completion. Takes the final answer, not a draft, reports the rule that chose it; never runs anything.

The text is read in steps: HTML escapes are undone where the whole completion is evidently escaped; thoughts are dropped
(``thinking``); fenced blocks are found, by CommonMark (``fences``) or, where the text is not well-formed Markdown, by a reading that
repairs it (``loose``). A block is wanted when its tag names the wanted language: the client's hint, else the one language the tags
name, else that of the last block, small additions aside, else Python. The rules, by the name reported:

==================  ================================================================================================
``last-fenced``     the last complete block of the wanted language
``entry-fenced``    an earlier one, because it defines the entry point and the last does not
``before-usage``    an earlier one, because those after it define nothing but tests, and use what it defines or binds
``before-excerpt``  an earlier one, because those after it are excerpts: none begins a program, or they repeat lines of it
``joined``          earlier ones and the last, which uses what they define or bind, and alone reads or writes; or the program and
                    the imports in a block before it; or all, by policy
``last-untagged``   no block of the wanted language: the last complete block without a tag, code before sample output
``glued-closer``    as ``last-fenced`` or ``last-untagged``, but the closing fence stood at the end of a line of code
``unclosed-fence``  likewise, but no closing fence; an earlier complete block goes first if this one seems cut off
``stray-closer``    likewise, but the opening fence is missing
``other-language``  no block of the wanted language and none without a tag: the last block of another language
``other-tag``       only blocks whose tag names no language
``whole-text``      no fence, and no line of prose: all of the text, less the tags around it (``wrappers``)
``code-region``     no fence: the longest stretch of code between lines of prose
``unclosed-think``  nothing but a thought that never ends: its last complete block
==================  ================================================================================================

A thought that ends is never looked into: without code after it there is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from scalebox.core.result import ExtractionResult
from scalebox.core.submission import ExtractionPolicy
from scalebox.extraction.blocks import Block, Ending, fence_line, language_of
from scalebox.extraction.choice import answering
from scalebox.extraction.code_like import is_all_code, looks_finished, looks_like_code, regions
from scalebox.extraction.fences import read_fences
from scalebox.extraction.loose import read_loosely
from scalebox.extraction.names import defined_names
from scalebox.extraction.thinking import ANY_MARK, split_thinking
from scalebox.extraction.wrappers import before_closer, enclosed

DEFAULT_LANGUAGE: Final = "python"
LARGEST_TEXT: Final = 500_000
"""Characters. Of a longer completion only the end is read: that is where the final answer is."""

_ESCAPED_OPERATOR: Final = re.compile(r"[\w\s)\]]&(?:lt|gt);")
_PROGRAM_TEXT: Final = re.compile(
    r"\"{3}(?:[^\"]|\"(?!\"\"))*\"{3}|'{3}(?:[^']|'(?!''))*'{3}|\"(?:[^\"\\\n]|\\.)*\"|(?<!\w)'(?:[^'\\\n]|\\.)*'|(?:^|(?<=[ \t]))#[ \t].*",
    re.MULTILINE,
)
"""A string or a comment."""
_ESCAPES: Final = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&#x27;", "'"), ("&amp;", "&"))
_FENCE_OR_THOUGHT: Final = re.compile(rf"```|~~~|{ANY_MARK.pattern}", re.IGNORECASE)
_SMALL_LINES: Final = 5
_DEFAULT_POLICY: Final = ExtractionPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """What is looked for."""

    language: str | None
    aliases: Mapping[str, str]
    entry: str | None
    started: bool
    policy: ExtractionPolicy


def extract(
    text: str,
    *,
    language: str | None,
    aliases: Mapping[str, str],
    entry: str | None = None,
    started: bool = True,
    policy: ExtractionPolicy = _DEFAULT_POLICY,
) -> ExtractionResult | None:
    """Find the program in a completion.

    Args:
        text: the completion.
        language: the client's hint, an id or an alias.
        aliases: fence tag in lower case -> language id.
        entry: the function or class that the problem calls (``f`` or ``Solution().f``).
        started: whether the problem starts the program itself, which then needs a ``main`` where its language asks for one.
        policy: what may be taken.

    Returns:
        The source as it stands in the text, its language, and the rule; None where there is no code.
    """
    hint = aliases.get(language.lower(), language) if language else None
    name = re.match(r"\w+", entry) if entry else None
    wish = _Wish(language=hint, aliases=aliases, entry=name[0] if name else None, started=started, policy=policy)
    text = _unescaped(text[-LARGEST_TEXT:])
    if policy.unfenced and _is_bare_program(text):
        return _unfenced(text, wish)
    spoken = split_thinking(text)
    answer = _unescaped(spoken.answer)
    blocks = _blocks(answer, aliases)
    found = _from_blocks(blocks, wish) or (_from_text(answer, wish, blocks) if policy.unfenced else None)
    if found or spoken.unclosed_thought is None or not policy.unclosed_thought:
        return found
    drafts = [block for block in _blocks(spoken.unclosed_thought, aliases) if block.ending is not Ending.UNCLOSED]
    draft = _from_blocks(drafts, wish)
    return draft and ExtractionResult(language=draft.language, rule="unclosed-think", source=draft.source)


def _unescaped(text: str) -> str:
    """The text with HTML escapes undone, if ``<`` and ``>`` occur as escapes only and one of them is an operator outside any string."""
    if "<" in text or ">" in text or not _ESCAPED_OPERATOR.search(text):
        return text
    if not _ESCAPED_OPERATOR.search(_PROGRAM_TEXT.sub("", text)):
        return text
    for escape, character in _ESCAPES:
        text = text.replace(escape, character)
    return text


def _is_bare_program(text: str) -> bool:
    """Whether all of it is code, and what looks like a fence or the mark of a thought stands in strings and comments alone."""
    if not _FENCE_OR_THOUGHT.search(text) or _FENCE_OR_THOUGHT.search(_PROGRAM_TEXT.sub("", text)):
        return False
    return is_all_code(text)


def _blocks(text: str, aliases: Mapping[str, str]) -> Sequence[Block]:
    blocks = read_fences(text)
    if blocks is None:
        blocks = read_loosely(text, aliases)
    return [block for block in map(_without_closer, blocks) if not block.blank]


def _without_closer(block: Block) -> Block:
    """The block, cut off at a closing tag around it where the fence that should close it is missing."""
    return replace(block, source=before_closer(block.source)) if block.ending is Ending.UNCLOSED else block


def _from_blocks(blocks: Sequence[Block], wish: _Wish) -> ExtractionResult | None:
    wanted = wish.language or _main_language(blocks, wish.aliases)

    def tagged(block: Block) -> bool:
        return language_of(block.tag, wish.aliases) == wanted

    def untagged(block: Block) -> bool:
        return not block.tag and looks_like_code(block.source)

    for belongs, rule in ((tagged, "last-fenced"), (untagged, "last-untagged")):
        chosen = _pick(blocks, belongs, rule, wish)
        if chosen:
            return ExtractionResult(language=wanted, rule=chosen[1], source=chosen[0].source)
    foreign = [block for block in blocks if language_of(block.tag, wish.aliases)]
    if foreign and not wish.policy.other_language:
        return None
    if foreign:
        other = language_of(foreign[-1].tag, wish.aliases) or wanted
        return ExtractionResult(language=other, rule="other-language", source=foreign[-1].source)
    rest = [block for block in blocks if looks_like_code(block.source)]
    if rest:
        return ExtractionResult(language=wanted, rule="other-tag", source=rest[-1].source)
    plain = [block for block in blocks if not block.tag]
    if plain:
        return ExtractionResult(language=wanted, rule="last-untagged", source=plain[-1].source)
    if blocks and wish.language:  # who names the language knows better than the look
        return ExtractionResult(language=wanted, rule="other-tag", source=blocks[-1].source)
    return None


def _main_language(blocks: Sequence[Block], aliases: Mapping[str, str]) -> str:
    """The language of the last tagged block that is no small addition to a larger block."""
    sized = [
        (language_of(block.tag, aliases), block.source.count("\n")) for block in blocks if _is_candidate(block, aliases)
    ]
    longest = max((lines for _, lines in sized), default=0)
    main = [language for language, lines in sized if lines > _SMALL_LINES or lines == longest]
    return next((language for language in reversed(main) if language), DEFAULT_LANGUAGE)


def _is_candidate(block: Block, aliases: Mapping[str, str]) -> bool:
    if block.tag:
        return language_of(block.tag, aliases) is not None
    return looks_like_code(block.source)


def _pick(
    blocks: Sequence[Block], belongs: Callable[[Block], bool], rule: str, wish: _Wish
) -> tuple[Block, str] | None:
    """The block that answers, among those that belong, and the rule."""
    pool = [block for block in blocks if belongs(block)]
    whole = [block for block in pool if block.ending is not Ending.UNCLOSED or looks_finished(block.source)]
    pool = whole or pool
    if not pool:
        return None
    chosen, reason = answering(pool, wish.policy.parts, wish.entry, started=wish.started)
    if reason:
        return chosen, reason
    return chosen, rule if chosen.ending is Ending.CLOSED else chosen.ending.value


def _from_text(text: str, wish: _Wish, blocks: Sequence[Block]) -> ExtractionResult | None:
    """Code without a fence; a fence line that encloses nothing is left out."""
    if blocks:
        return None
    if "```" in text or "~~~" in text:
        text = "\n".join(line for line in text.split("\n") if not fence_line(line))
    return _unfenced(text, wish)


def _unfenced(text: str, wish: _Wish) -> ExtractionResult | None:
    """The longest stretch of code, inside the tags where there are some."""
    inner = enclosed(text, lambda source: bool(regions(source)))
    found = regions(_unescaped(inner.source) if inner else text)
    if not found:
        return None
    best = max(reversed(found), key=lambda region: (_defines(region.source, wish.entry), region.code_lines))
    rule = "whole-text" if best.whole and (inner is None or inner.alone) else "code-region"
    return ExtractionResult(language=wish.language or DEFAULT_LANGUAGE, rule=rule, source=best.source)


def _defines(source: str, entry: str | None) -> bool:
    return entry is not None and entry in defined_names(source)
