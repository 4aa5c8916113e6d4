"""The tags of a page that a command wrote. Reads; decides nothing."""

from __future__ import annotations

from html.parser import HTMLParser


class Tags(HTMLParser):
    """The tags of a page, which must be closed, and its addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.addresses += [value or "" for name, value in attrs if name in {"src", "href", "action"}]
        if tag not in {"meta", "br", "wbr"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
