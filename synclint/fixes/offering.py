"""Gives findings the fixes that their rules know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace

from synclint.findings import Finding, Fix
from synclint.fixes.folders import fix_function
from synclint.fixes.imports import Imports
from synclint.fixes.place import NoFixError, Place
from synclint.fixes.scripted import Definition, compiled_in, is_scripted
from synclint.fixes.source_files import SourceFile, UnreadableTreeError


def with_fixes(
    findings: Sequence[Finding],
    rules: Set[str],
    file: SourceFile,
    files: Callable[[str], SourceFile | None],
    torch: str | None,
    libraries: Mapping[str, str],
) -> list[Finding]:
    """The findings of one file, in the same order, with the fixes that there are for those of some ``rules``.

    ``files`` gives other files of the run by their resolved paths, ``torch`` is the release that the project runs,
    ``libraries`` those of other libraries.
    """
    imports = Imports(file)
    try:
        compiled = compiled_in(imports)
    except UnreadableTreeError:
        return list(findings)
    return [
        replace(finding, fix=_fix(finding, compiled, file, imports, files, torch, libraries))
        if finding.code in rules
        else finding
        for finding in findings
    ]


def _fix(
    finding: Finding,
    compiled: frozenset[Definition],
    file: SourceFile,
    imports: Imports,
    files: Callable[[str], SourceFile | None],
    torch: str | None,
    libraries: Mapping[str, str],
) -> Fix | None:
    try:
        node = file.expression_at(finding.span)
        if node is None:
            return None
        place = Place(finding, file, node, imports, files, torch, libraries)
        return None if is_scripted(place, compiled) else fix_function(finding.code)(place)
    except (NoFixError, UnreadableTreeError):
        return None
