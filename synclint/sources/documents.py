"""Markdown and reStructuredText: their Python code blocks as one module, each line where it stands.

The parsers are markdown-it-py and docutils, which come with the extra ``synclint[docs]``. Nothing that a
document refers to is read: inclusion of files and raw content are switched off.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from synclint.sources.embedded import Block, Embedded, EmbeddedSourceError
from synclint.sources.magics import python_of_cell

if TYPE_CHECKING:
    from docutils.statemachine import StringList

_PYTHON = frozenset({"python", "py", "python3", "py3", "ipython", "ipython3", "pycon", "pycon3", "doctest"})
# Directives that MyST writes before the language of a fence.
_FENCE_DIRECTIVES = frozenset({"code-cell", "code-block", "code", "sourcecode", "testcode"})
_CODE_DIRECTIVES = ("code", "code-block", "sourcecode")
_PYTHON_DIRECTIVES = ("testcode", "testsetup", "doctest", "ipython", "jupyter-execute")
# Sphinx's and sphinx-design's containers, whose content is text like any other.
_CONTAINERS = (
    "versionadded", "versionchanged", "deprecated", "seealso", "only",
    "tabs", "tab", "group-tab", "tab-set", "tab-item", "dropdown", "card", "grid",
    "grid-item", "grid-item-card",
)  # fmt: skip
# Documents are read, not built: no other file is touched, and complaints are Sphinx's to make.
_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 6,
    "warning_stream": False,
}
_LINE_END = re.compile(r"\r\n|\r|\n")
_OTHER_LINE_END = re.compile(r"[\v\f\x1c-\x1e\x85\u2028\u2029]")
_PROMPT = re.compile(r"\s*(>>>|\.\.\.)( |$)")


@dataclass(frozen=True)
class _CodeBlock:
    """The lines of a code block and the index, from 0, of the first of them in the file."""

    first: int
    lines: tuple[str, ...]


def document_module(suffix: str, text: str) -> Embedded:
    """The Python code blocks of a document as one module with as many lines as the document.

    ``suffix`` tells reStructuredText (``.rst``) from Markdown. A block that does not parse is left out:
    documentation abbreviates. Raises EmbeddedSourceError when the parser is not installed.
    """
    lines = _LINE_END.split(text)
    try:
        blocks = _restructured_text(lines) if suffix == ".rst" else _markdown(lines)
    except EmbeddedSourceError:
        raise
    except Exception as error:  # whatever a parser of others stumbles over costs this document alone
        raise EmbeddedSourceError(f"its parser fails on it ({type(error).__name__}: {error})") from None
    module = [""] * len(lines)
    places: list[Block] = []
    for block in blocks:
        code, cut = _code(block.lines)
        if not _parses(code):
            continue
        rows = range(block.first, min(block.first + len(code), len(lines)))
        indents = [_indent(lines[row], block.lines[row - block.first]) + cut[row - block.first] for row in rows]
        module[rows.start : rows.stop] = code[: len(rows)]
        places.append(Block(block.first + 1, tuple(row + 1 for row in rows), tuple(indents)))
    return Embedded("\n".join(module), text, tuple(places))


def _indent(file_line: str, block_line: str) -> int:
    """How many characters of the file's line stand before the block's."""
    bare = file_line.rstrip("\r")
    return len(bare) - len(block_line) if bare.endswith(block_line) else 0


def _code(lines: Sequence[str]) -> tuple[list[str], list[int]]:
    """The code of a block without prompts and printed results, and how much was cut off each line."""
    if not any(line.lstrip().startswith(">>>") for line in lines):
        return python_of_cell(lines), [0] * len(lines)
    prompts = [_PROMPT.match(line) for line in lines]
    cut = [prompt.end() if prompt else 0 for prompt in prompts]
    code = [line[prompt.end() :] if prompt else "" for line, prompt in zip(lines, prompts, strict=True)]
    return code, cut


def _parses(lines: Sequence[str]) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _missing(package: str) -> EmbeddedSourceError:
    return EmbeddedSourceError(f"reading it needs {package}; install it with `pip install 'synclint[docs]'`")


def _markdown(lines: Sequence[str]) -> list[_CodeBlock]:
    try:
        from markdown_it import MarkdownIt
    except ImportError:
        raise _missing("markdown-it-py") from None
    return [
        _CodeBlock(token.map[0] + 1, tuple(token.content.removesuffix("\n").split("\n")))
        for token in MarkdownIt("commonmark").parse("\n".join(lines))
        if token.type == "fence" and token.map and _is_python(token.info)
    ]


def _is_python(info: str) -> bool:
    """Whether a fence's info string, such as ``python title="a"`` or ``{code-cell} python``, says Python."""
    words = info.replace("{", " ").replace("}", " ").replace(",", " ").lower().split()
    if words and words[0].lstrip(".") in _FENCE_DIRECTIVES:
        words = words[1:]
    return bool(words) and words[0].lstrip(".") in _PYTHON


@dataclass
class _Collected:
    """The code blocks that the directives of one document have met."""

    blocks: list[_CodeBlock] = field(default_factory=list)

    def add(self, content: StringList) -> None:
        if content:
            self.blocks.append(_CodeBlock(content.offset(0), tuple(content)))


def _restructured_text(lines: Sequence[str]) -> list[_CodeBlock]:
    try:
        from docutils import frontend, nodes, utils
        from docutils.parsers import rst
    except ImportError:
        raise _missing("docutils") from None
    collected = _Collected()
    _register_directives(collected)
    settings = frontend.get_default_settings(rst.Parser)
    for name, value in _SETTINGS.items():
        setattr(settings, name, value)
    document = utils.new_document("document", settings)
    # docutils ends lines at these characters, too; as spaces they keep its count of lines ours.
    rst.Parser().parse("\n".join(_OTHER_LINE_END.sub(" ", line) for line in lines), document)
    doctests = [node.astext().split("\n") for node in document.findall(nodes.doctest_block)]
    return sorted([*collected.blocks, *_doctests(doctests, lines)], key=lambda block: block.first)


def _doctests(doctests: Sequence[Sequence[str]], lines: Sequence[str]) -> Iterator[_CodeBlock]:
    """Doctest blocks found again in the file, which docutils does not tell the lines of."""
    position = 0
    for doctest in doctests:
        wanted = [line.strip() for line in doctest]
        for first in range(position, len(lines) - len(wanted) + 1):
            if [line.strip() for line in lines[first : first + len(wanted)]] == wanted:
                yield _CodeBlock(first, tuple(doctest))
                position = first + len(wanted)
                break


def _register_directives(collected: _Collected) -> None:
    """Tell docutils what the directives mean that hold code, for the document to come."""
    from docutils.parsers.rst import Directive, directives

    class Code(Directive):
        """A block in a language that its argument names."""

        optional_arguments = 1
        final_argument_whitespace = True
        has_content = True
        option_spec = _AnyOption()

        def run(self) -> list[Any]:
            if self.name in _PYTHON_DIRECTIVES or _is_python(" ".join(self.arguments)):
                collected.add(self.content)
            return []

    class Container(Directive):
        """Text like any other, which may hold code."""

        optional_arguments = 1
        final_argument_whitespace = True
        has_content = True
        option_spec = _AnyOption()

        def run(self) -> list[Any]:
            from docutils import nodes

            node = nodes.container()
            self.state.nested_parse(self.content, self.content_offset, node)
            return [node]

    for name in (*_CODE_DIRECTIVES, *_PYTHON_DIRECTIVES):
        directives.register_directive(name, Code)
    for name in _CONTAINERS:
        directives.register_directive(name, Container)


class _AnyOption(dict[str, Any]):
    """An option table that knows every option, since extensions add their own."""

    def __missing__(self, key: str) -> type[str]:
        return str

    def __bool__(self) -> bool:
        return True
