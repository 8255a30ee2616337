"""What the page that introduces a project tells its readers to import: ``from pack.predictor import Predictor``."""

from __future__ import annotations

import re
from collections.abc import Iterator

PAGES = ("README.md", "README.rst")
_ONE = r"\w{1,100}(?: as \w{1,100})?"
# A line of code, after a prompt or not, but no sentence that begins so.
_IMPORT = re.compile(
    rf"^[ \t]*(?:>>> ?)?from ([\w.]{{1,200}}) import "
    rf"(?:\(([^()]{{1,2000}})\)|({_ONE}(?:, ?{_ONE}){{0,50}}))[ \t]*(?:#.*)?$",
    re.MULTILINE,
)
_COMMENT = re.compile(r"#.*")
_NAME = re.compile(r"(?:^|,)\s*(\w+)")


def shown_imports(page: str) -> Iterator[str]:
    """The dotted names of what a page imports."""
    for found in _IMPORT.finditer(page):
        module, listed, plain = found.groups()
        for name in _NAME.findall(_COMMENT.sub("", listed or plain)):
            yield f"{module}.{name}"
