"""A rule's page as a terminal shows it: headings, lists, code and paragraphs, without the signs of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from synclint.report.terminal import Palette, escape
from synclint.report.wrapping import broken

_WIDEST = 100
_MARGIN = "  "
_ITEM = re.compile(r"(?:[-*]|\d+\.) +")
_LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s]+)\)")
_INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")


def rendered_page(markdown: str, columns: int, colors: Palette) -> Iterator[str]:
    """The lines of a page on a terminal of so many ``columns``; what the page holds is escaped.

    The pages of rules are written in a part of Markdown: headings, paragraphs, flat lists, tables and fenced code.
    """
    columns = min(columns, _WIDEST)
    for kind, lines in _blocks(markdown):
        if kind == "code":
            yield from (f"{_MARGIN * 2}{colors.quoted(escape(line))}" for line in lines)
        elif kind == "table":
            yield from (f"{_MARGIN}{escape(line)}" for line in lines)
        elif kind == "heading":
            yield colors.strong(escape(lines[0].lstrip("# ")))
        else:
            item = _ITEM.match(lines[0])
            text = _styled(escape(" ".join(line.strip() for line in lines)), colors)
            if item:
                bullet = "•" if lines[0][0] in "-*" else item[0].strip()
                yield from broken(
                    f"{_MARGIN}{bullet} {text[item.end() :]}", columns, f"{_MARGIN}{' ' * (len(bullet) + 1)}"
                )
            else:
                yield from broken(f"{_MARGIN}{text}", columns, _MARGIN)
        if kind != "item":
            yield ""


def _blocks(markdown: str) -> Iterator[tuple[str, list[str]]]:
    """Each block of a page with its kind; the last item of a list counts as a paragraph, which ends with a gap."""
    held: list[str] = []
    fence = False
    for line in [*markdown.splitlines(), ""]:
        if line.startswith("```"):
            if held:
                yield ("code" if fence else _kind(held)), held
            held, fence = [], not fence
        elif fence:
            held.append(line)
        elif not line.strip() or line.startswith("#"):
            if held:
                yield _kind(held), held
            held = []
            if line.startswith("#"):
                yield "heading", [line]
        elif _ITEM.match(line) and held and _ITEM.match(held[0]):
            yield "item", held
            held = [line]
        else:
            held.append(line)


def _kind(lines: list[str]) -> str:
    return "table" if lines[0].startswith("|") else "paragraph"


def _styled(text: str, colors: Palette) -> str:
    text = _LINK.sub(lambda link: f"{link[1]} ({link[2]})" if link[1] != link[2] else link[2], text)

    def style(found: re.Match[str]) -> str:
        # Without colours the backquotes say what is code.
        code = " ".join(colors.quoted(word) for word in found[1].split(" ")) if found[1] else ""
        return (code if colors.enabled else found[0]) if found[1] else colors.strong(found[2])

    return _INLINE.sub(style, text)
