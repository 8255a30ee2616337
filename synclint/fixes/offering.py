"""Gives findings the fixes that their rules know."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import nullcontext
from dataclasses import dataclass, replace

from synclint.findings import Finding, Fix
from synclint.fixes.folders import FIX_FILE, fix_function, fixable_rules
from synclint.fixes.imports import Imports
from synclint.fixes.place import NoFixError, Place
from synclint.fixes.scripted import Definition, compiled_in, is_scripted, writes_into_scripted
from synclint.fixes.source_files import SourceFile, UnreadableTreeError
from synclint.plugins.discovery import PluginError, rules_of
from synclint.plugins.imports import offer_of, only_installed


@dataclass(frozen=True)
class Offered:
    """The findings of a file, in the same order, with the fixes that there are.

    ``errors`` are what the code of rules raised, by rule, each with the first finding for which it did.
    """

    findings: Sequence[Finding]
    errors: Mapping[str, tuple[Finding, Exception]]


def with_fixes(
    findings: Sequence[Finding],
    rules: Set[str],
    file: SourceFile,
    files: Callable[[str], SourceFile | None],
    torch: str | None,
    libraries: Mapping[str, str],
    compiled_names: frozenset[str],
) -> Offered:
    """Ask some ``rules`` for fixes for their findings in one file; a rule that fails costs the others nothing.

    ``files`` gives other files of the run by their resolved paths, ``torch`` is the release that the project runs,
    ``libraries`` those of other libraries; ``compiled_names`` are those of what its files hand to a compiler. Raises
    PluginError where the rule that fails is another package's.
    """
    imports = Imports(file)
    try:
        compiled = compiled_in(imports, compiled_names)
    except UnreadableTreeError:
        return Offered(findings, {})

    def is_left_alone(fix: Fix) -> bool:
        written: dict[str, list[int]] = defaultdict(list)
        for edit in fix.edits:
            written[edit.path or file.path].append(edit.span.start.line)
        others = {path: files(path) for path in written if path != file.path}
        return any(
            writes_into_scripted(other, written[path], compiled_in(Imports(other), compiled_names))
            for path, other in others.items()
            if other is not None
        ) or writes_into_scripted(file, written[file.path], compiled)

    found: list[Finding] = []
    errors: dict[str, tuple[Finding, Exception]] = {}
    for finding in findings:
        fix = None
        if finding.code in rules:
            rule = fixable_rules()[finding.code]
            try:
                with only_installed(offer_of(rule.folder)) if rule.package else nullcontext():
                    fix = _fix(finding, compiled, file, imports, files, torch, libraries)
                fix = None if fix is None or is_left_alone(fix) else fix
            except Exception as error:
                if rule.package:
                    where = f"{rules_of(rule.package)}: {rule.code}-{rule.name}/{FIX_FILE}"
                    raise PluginError(f"{where} failed: {type(error).__name__}: {error}") from None
                errors.setdefault(finding.code, (finding, error))
        found.append(finding if fix is None else replace(finding, fix=fix))
    return Offered(found, errors)


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
