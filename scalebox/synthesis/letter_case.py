"""What a statement says of letter case in outputs. Pure; linear in what it reads.

Only plain words count. A statement that contradicts itself decides nothing, nor does one that speaks of the input or of how data compare, or
merely names a case ("a string of uppercase letters"): official checkers seldom hold outputs to that (docs/judges.md). Where a statement does not
mention letter case, the convention of contests decides: fixed words may be printed in lower case. Letters that might be data are left alone.
A statement may lie, but about its own problem only, and no sentence of it leaves this module.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from scalebox.synthesis.domain import Due

HEADER_WORD: Final = "Case"
"""Of ``Case #1:``, which is no data in examples either."""
_MOST_STATEMENT: Final = 100_000
_MOST_SENTENCE: Final = 600
"""Characters from which on a sentence is not plain."""
_NEAR: Final = 40
"""Characters before a phrase in which a negation turns it round."""

_MARKUP: Final = re.compile(
    r"<[^<>\n]{1,80}>|\\[A-Za-z]+\*?|[\\{}*_`\"~\u201c\u201d\u00ab\u00bb\u2018]|''|(?<![A-Za-z])'|'(?![A-Za-z])"
)
_MARK: Final = "\x01"
_MARKED: Final = re.compile(r"\x01[\x01 ]*([A-Za-z][A-Za-z ,.!-]{0,60})\x01")
_HEADING: Final = re.compile(
    r"(?:the )?(input|output|samples?|examples?|notes?|explanations?|limits?|constraints?|scoring|problem|task|statement|interaction)"
    r"(?: (?:output|format|specifications?|description|data|files?|inputs?|outputs?|statement|section|explanation))?",
    re.IGNORECASE,
)  # fmt: skip
_NOT_OF_OUTPUTS: Final = ("input", "sample", "example")
_OF_THE_INPUT: Final = ("input", "limit", "constraint")
"""Beginnings of headings."""
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[)\]\x01 ]* ")
_ABBREVIATION: Final = re.compile(r"\b([ei])\.([ge])\.", re.IGNORECASE)
_WORD: Final = re.compile(r"(?<![^\W_])[A-Za-z]+(?![^\W_])")

_PRINTING: Final = re.compile(r"\b(?:print|output|display|writ(?:e|ten)\b|say\b|report|respon[ds])", re.IGNORECASE)
_OF_OUTPUTS: Final = re.compile(
    r"\b(?:answer|verdict|checker|grader|judge|jury|your (?:program|submission|solution))", re.IGNORECASE
)
_ADDRESSED: Final = re.compile(
    rf"\byour?\b|\bbe\b|^(?:print|output|write|display)\b|{_OF_OUTPUTS.pattern}|\boutput", re.IGNORECASE
)
"""What is allowed to somebody of the story is allowed to nobody else."""
_OF_DATA: Final = re.compile(
    r"\b(?:input|(?<!be )given\b|reads?\b|sort|order|alphabet|lexicograph|count|number of|how many|distinct|different|differ\b|equal|same\b|identical|occur|appear|palindrom"
    r"|anagram|search|consist|contain|made (?:up )?of|substring|sequence|dictionar|file ?name|match(?:es)?\b|names? (?:is|are)\b)"
    r"|(?<!answers are )(?<!outputs are )(?<!answer is )(?<!output is )(?<!will be )\bcompar",
    re.IGNORECASE,
)  # fmt: skip
_AS_ONE: Final = re.compile(
    r"\b(?:treated|considered|regarded|recogni[sz]ed) (?:as )?(?:the )?(?:same|identical|equal)\b", re.IGNORECASE
)
_DENIED: Final = re.compile(r"\b(?:not|cannot|never|no longer|nor|neither)\b|n't\b", re.IGNORECASE)
_CONDITION: Final = re.compile(r"\b(?:if|whether|when)\b", re.IGNORECASE)
"""With it, what is compared may be what is asked about."""
_RESTRICTED: Final = re.compile(r"\b(?:except|unless|other than|however|but)\b", re.IGNORECASE)

_BE: Final = r"(?:is|are|will be)"
_LETTER_CASE: Final = r"(?:\b(?:letter[- ]?|character |upper(?:/| and | or )lower[- ]?)case|\bcase of (?:(?:the|each|every|all|your) )*(?:letter|character|output|answer)s?(?: (?:in|of) (?:the |your )?(?:output|answer)s?)?|\b(?:capitali[sz]ation|casing)|(?:^|\()(?:the )?case|[,;:] ?case)"
_UPPER_LOWER: Final = (
    r"(?:upper|lower)[- ]?(?:case)?(?: letters)?(?:,? (?:or|and) | ?/ ?|, )(?:in )?(?:upper|lower)[- ]?case\b"
)
_MAY: Final = r"\b(?:can|may|could|allowed to|free to)\b"
_COMPARED: Final = re.compile(
    r"\bcase[- ]?insensitive|(?:\bnot |n't |\bnon-?)case[- ]?sensitive"
    rf"|{_LETTER_CASE} (?:(?:does|do|will)(?: not|n't) matter|won't matter|{_BE} (?:ignored|irrelevant|unimportant|disregarded|not (?:important|relevant|significant|considered|checked)))"
    r"|\b(?:ignor(?:es?|ed|ing)|disregard(?:s|ing)?|(?:regardless|irrespective) of|without regard (?:to|for)|(?:does not|doesn't) (?:check|consider)) (?:the )?(?:letter[- ]?)?(?:case|capitali[sz]ation)\b",
    re.IGNORECASE,
)  # fmt: skip
_ALLOWED: Final = re.compile(
    rf"{_MAY}.{{0,160}}?\b(?:in|using|with) (?:(?:either|both) )?{_UPPER_LOWER}(?! (?:latin|english))"
    rf"|{_MAY}.{{0,160}}?\b(?:any|arbitrary) (?:capitali[sz]ation|mix(?:ture)? of {_UPPER_LOWER})"
    rf"|\b(?:either|both) {_UPPER_LOWER}(?: letters)? {_BE} (?:fine|ok|okay|accepted|allowed|acceptable)",
    re.IGNORECASE,
)  # fmt: skip
_ANY_CASE: Final = re.compile(
    r"\b(?:any|either|arbitrary) (?:letter[- ]?|\((?:upper|lower)[- a-z]{0,30}\) )?(?:case|register)\b(?! (?:where|when|that|which|if|for|in|of|with)\b)",
    re.IGNORECASE,
)  # fmt: skip
_IDIOM: Final = re.compile(r"(?:^|[,;:] ?|\b(?:and|so) )in (?:any|either) case\b", re.IGNORECASE)
_OF_LETTERS: Final = re.compile(r"\b(?:[Ll]etters?|[Cc]haracters?|register|(?:upper|lower)(?:[- ]?case| or |/))")
_OF_WORDS: Final = re.compile(r"\b(?:can|may)\b.{0,80}\b(?:[A-Z]{2,}|Yes|No)\b")
_ACCEPTED: Final = re.compile(
    r"\b(?:recogni[sz]ed|accepted|(?:considered|treated|regarded|interpreted) as)\b", re.IGNORECASE
)
_FIXED: Final = re.compile(
    rf"\bcase[- ]?sensitive|{_LETTER_CASE} (?:(?:does )?matters?\b|{_BE} (?:important|significant|relevant|checked))"
    r"|\b(?:pay attention to|mind|respect|careful (?:with|about)) (?:the )?(?:letter[- ]?case|case of (?:the )?(?:letter|character|output|answer)s?|capitali[sz]ation|case(?: ?[.,;!)]|$))",
    re.IGNORECASE,
)  # fmt: skip
_SENSITIVE: Final = re.compile(r"sensitive", re.IGNORECASE)
"""Anything may be that; what is, has to be said."""
_AS_SHOWN: Final = re.compile(
    r"\bexactly (?:as|like) (?:it is |they are |is |are )?(?:shown|written|spelled|in the (?:sample|example|statement))",
    re.IGNORECASE,
)
_MENTIONED: Final = re.compile(
    r"\b(?:upper|lower)(?:[- ]?case\b| (?:or|and|letters?)\b)|\bcase[- ]?(?:in)?sensitiv|\bsensitive to\b|\b(?:letter[- ]?|character )case|\bcapital|\bcasing\b|\bcaps\b|\b(?:small|big|large) letters"
    r"|\b(?:any|either|arbitrary|same|correct|wrong|proper) (?:\([^()]{0,40}\) )?(?:case|register)\b|\bcase of (?:the |each |every |all |your )*(?:letter|character|output|answer|word)"
    r"|\bcase (?:does|do|will|is|are|doesn't|won't|isn't)(?: be)?(?: not)? (?:matter|ignored|irrelevant|(?:un)?important|significant|relevant|checked|considered|disregarded)|\bcase matters"
    r"|\b(?:ignor\w*|disregard\w*|respect\w*|mind|regardless of|irrespective of|regard (?:to|for)) (?:the )?case\b"
    r"|\b(?:exactly|precisely) (?:as|like) (?:it is |they are |is |are )?(?:shown|written|spelled|given|specified|quoted|in the|above|below)\b"
    r"|\b(?:upper|lower)[- ]?cased\b|\b(?:camel|title|snake|block)[- ]?(?:case|letters)\b|\bma[jy][uú]scul|\bmin[uú]scul|\bverbatim\b|\b(?:byte|char(?:acter)?|letter)[- ](?:by|for)[- ](?:byte|char|letter)"
    r"|\bidentical to (?:the|that|those|what)\b(?! other)|\b(?:exactly|precisely) (?:match|these\b|the (?:following|strings?|words?|texts?|messages?|phrases?)\b)|\bexact (?:match|spelling|strings?|words?|text)|\bmatch\w*\b[^.]{0,60}\b(?:exactly|precisely)\b"
    r"|\b(?:follow|adhere|stick)\w*\b[^.]{0,60}\bformat (?:exactly|strictly|precisely)\b|\bstrictly (?:follow|adhere|match|as)|\bare (?:considered |treated as )?(?:different|distinct) (?:letters|characters|symbols)"
    r"|大小写|大小寫|大写|大寫|小写|小寫|大文字|小文字|대소문자|대문자|소문자|регистр|заглавн|прописн|строчн|großbuchst|groß-|großschreib|kleinbuchst|kleinschreib",
    re.IGNORECASE,
)  # fmt: skip
"""A statement with it is not silent, whatever it says."""
_EXAMPLE: Final = re.compile(r"\b(?:examples?|eg|instance|such as|samples?)\b", re.IGNORECASE)
"""A word there may be data."""
_KINDS_OF_TEXT: Final = (
    r"(?:texts?|messages?|words?|(?:sub)?strings?|characters?|letters?|symbols?|numerals?|hex(?:adecimal)?|base[- ]?\d+|dna|rna|strands?|sequences?|formulas?|notations?|paths?"
    r"|moves?|routes?|walks?|directions?|instructions?|commands?|(?:de|en)cod(?:ed?|ing)|\w{0,20}cipher(?:ed|s)?|(?:de|en)crypted|\w{1,20}text|column name|identifiers?|patterns?|labels?|titles?|chords?|passwords?)"
)
_TEXT: Final = re.compile(rf"\b{_KINDS_OF_TEXT}\b", re.IGNORECASE)
_NOT_ASKED_FOR: Final = re.compile(
    r"\b(?i:if|whether|when|unless)\b[^,;.]*|\b(?i:number|length|index|count|size|cost|sum|position)s? of (?:[\w']+ ){0,3}"
    rf"(?i:{_KINDS_OF_TEXT})\b|\b(?i:{_KINDS_OF_TEXT})[ ,:]*(?:\x01[\x01 ]*[A-Za-z]{{2}}|[A-Z][A-Za-z])"
)
"""What is not printed, or of which the statement says what it is: "the string YES"."""
_OF_LAYOUT: Final = re.compile(r"\b(?:spac|blank|line|digit|decimal|format|precision|number)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a statement says of letter case in outputs."""

    due: Due
    """For an answer in other letter case; ``any`` where nothing is plain, or one thing is said and another."""
    by_convention: bool = False
    """Letter case is not mentioned."""
    deciding: tuple[frozenset[str], ...] = ()
    """The words of each sentence that says so."""
    of_printing: bool = False
    """One of these sentences speaks of printing itself, and not merely of the letters that there may be."""
    of_alphabet: bool = False
    """All of these sentences may speak of the letters that there may be ("in upper or lower case"), which may be different ones."""
    of_text: bool = False
    """Sentences on what to print ask for text that is not fixed."""
    named: frozenset[str] = frozenset()
    """Words that sentences on what to print quote, or write other than in lower case; those of examples alone only where any case will do."""
    printing: frozenset[str] = frozenset()
    """All words of these sentences."""


def said_of_letter_case(statement: str) -> Said:
    """Read a statement, which is data: what it says goes for its own problem."""
    if len(statement) > _MOST_STATEMENT:
        return Said(due=Due.ANY)
    sections = list(_sections(statement))
    found: dict[Due, list[str]] = defaultdict(list)
    doubted: set[Due] = set()
    named: set[str] = set()
    shown: set[str] = set()
    printing: set[str] = set()
    of_text = False
    for heading, marked in _sentences(sections):
        sentence = " ".join(marked.replace(_MARK, " ").split())
        says = _said_in(sentence)
        plain = len(says) == 1 and _is_of_outputs(sentence, under_output=heading == "output")
        if plain:
            found[says[0]].append(sentence)
        else:
            doubted.update(says)
        if plain or _PRINTING.search(sentence):
            words = shown if _EXAMPLE.search(sentence) else named
            words |= _named_in(sentence, marked)
            named |= words & {HEADER_WORD}
            printing.update(_WORD.findall(sentence))
        if heading == "output" or _PRINTING.search(sentence):
            of_text = of_text or _asks_for_text(marked)
    if not found and not doubted and not _mentioned(sections):
        return Said(due=Due.ACCEPT, by_convention=True, of_text=of_text, named=frozenset(named))
    if len(found) != 1 or doubted - found.keys():
        return Said(due=Due.ANY)
    due, deciding = next(iter(found.items()))
    return Said(
        due=due,
        deciding=tuple(frozenset(_WORD.findall(sentence)) for sentence in deciding),
        of_printing=any(_PRINTING.search(sentence) and not _is_of_alphabet(sentence) for sentence in deciding),
        of_alphabet=due is Due.ACCEPT and all(_is_of_alphabet(sentence) for sentence in deciding),
        of_text=of_text,
        named=frozenset(named | shown if due is Due.ACCEPT else named),
        printing=frozenset(printing),
    )


def _sections(statement: str) -> Iterator[tuple[str, str]]:
    """What stands under each heading, with marks in place of markup."""
    heading, lines = "", list[str]()
    for raw in [*statement.replace("\u2019", "'").replace("$", " ").splitlines(), ""]:
        line = " ".join(_MARKUP.sub(f" {_MARK} ", raw).split())
        match = _HEADING.fullmatch(line.strip(f"{_MARK}#-=:.[]()0123456789 "))
        if line and match is None:
            lines.append(line)
            continue
        yield heading, _ABBREVIATION.sub(r"\1\2", " ".join(lines))
        lines.clear()
        if match is not None:
            heading = match[1].lower()


def _sentences(sections: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Sentences, each with the heading it stands under; none from where inputs and samples are shown."""
    for heading, text in sections:
        if not heading.startswith(_NOT_OF_OUTPUTS):
            yield from ((heading, one) for one in _SENTENCE_END.split(text) if len(one) <= _MOST_SENTENCE)


def _mentioned(sections: Iterable[tuple[str, str]]) -> bool:
    """Whether letter case is mentioned, other than in what is said of the input."""
    return any(
        _MENTIONED.search(" ".join(text.replace(_MARK, " ").split()))
        for heading, text in sections
        if not heading.startswith(_OF_THE_INPUT)
    )


def _named_in(sentence: str, marked: str) -> set[str]:
    quoted = {word for phrase in _MARKED.findall(marked) for word in _WORD.findall(phrase) if len(word) > 1}
    return quoted | {word for word in _WORD.findall(sentence)[1:] if not word.islower()}


def _asks_for_text(marked: str) -> bool:
    """Whether text is to be printed that the statement does not give."""
    return _TEXT.search(_NOT_ASKED_FOR.sub(" ", marked)) is not None


def _is_of_alphabet(sentence: str) -> bool:
    return (
        _COMPARED.search(sentence) is None
        and _ANY_CASE.search(sentence) is None
        and _ALLOWED.search(sentence) is not None
    )


def _said_in(sentence: str) -> list[Due]:
    """What a sentence says of letter case, of whatever it may say so."""
    return [due for due, said in ((Due.ACCEPT, _free(sentence)), (Due.REFUSE, _fixed(sentence))) if said]


def _is_of_outputs(sentence: str, *, under_output: bool) -> bool:
    """Whether what a sentence says goes for outputs, and for nothing else, without exception."""
    if _OF_DATA.search(_AS_ONE.sub("", sentence)) or _RESTRICTED.search(sentence):
        return False
    if _CONDITION.search(sentence) and (_COMPARED.search(sentence) or _FIXED.search(sentence)):
        return False
    if not _ADDRESSED.search(sentence) and (_ALLOWED.search(sentence) or _ANY_CASE.search(sentence)):
        return False
    if _PRINTING.search(sentence) or _OF_OUTPUTS.search(sentence):
        return True
    return under_output and not _SENSITIVE.search(sentence)


def _free(sentence: str) -> bool:
    if any(not _denied(sentence, match) for way in (_COMPARED, _ALLOWED) for match in way.finditer(sentence)):
        return True
    any_case = _ANY_CASE.search(sentence)
    if any_case is not None and _is_of_letters(sentence, any_case) and not _IDIOM.search(sentence):
        return not _denied(sentence, any_case)
    accepted = _ACCEPTED.search(sentence)
    return accepted is not None and _in_two_forms(sentence) and not _denied(sentence, accepted)


def _is_of_letters(sentence: str, any_case: re.Match[str]) -> bool:
    """Whether what may be any is the case of letters, and not that of what happens ("if there is none, you may print NO in either case")."""
    if _OF_LETTERS.search(sentence):
        return True
    if any_case[0].lower().startswith("either") or _CONDITION.search(sentence):
        return False
    return _OF_WORDS.search(sentence) is not None


def _fixed(sentence: str) -> bool:
    if any(not _denied(sentence, match) for match in _FIXED.finditer(sentence)):
        return True
    shown = _AS_SHOWN.search(sentence)
    return (
        shown is not None
        and _PRINTING.search(sentence) is not None
        and not _OF_LAYOUT.search(sentence)
        and not _denied(sentence, shown)
    )


def _denied(sentence: str, match: re.Match[str]) -> bool:
    return _DENIED.search(sentence, max(0, match.start() - _NEAR), match.start()) is not None


def _in_two_forms(sentence: str) -> bool:
    """Whether a word stands there in more than one letter case, other than as the first of the sentence."""
    words = {word for word in _WORD.findall(sentence)[1:] if len(word) > 1}
    return len({word.lower() for word in words}) < len(words)
