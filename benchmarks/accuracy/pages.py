"""The parts of the README and of the pages that print what was measured, made from the last record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from benchmarks.accuracy.data import FOLDER
from benchmarks.accuracy.packages import Judged, PackageResult, total_judged, total_recalled
from benchmarks.accuracy.record import Record
from benchmarks.accuracy.repositories import Share, pooled
from synclint.config.options import Options
from synclint.findings import Confidence
from synclint.rules.loading import all_rules

REPOSITORY = FOLDER.parent.parent
# Which part of which page is made here.
PARTS: Mapping[str, Path] = {
    "accuracy": REPOSITORY / "README.md",
    "calibration": REPOSITORY / "docs" / "calibration.md",
    "field book": REPOSITORY / "docs" / "calibration.md",
}
_PHRASES = {
    "true": "of the labelled statements that are reported: the host waits there",
    "useful": "of the same: a maintainer would want to be told",
    "worth_found": "of the statements that a maintainer would want to be told of: reported",
    "first_ten": "of the first ten labelled statements in a report: a maintainer would want to be told",
    "top_found": "of the few places that should come first: among the first ten reported",
    "phases": "of the labelled statements that are reported: run as often as is said",
}


class PageError(Exception):
    """A page without the markers of a part that is made here; one sentence for the user."""


def parts(record: Record) -> dict[str, str]:
    """The text of every part."""
    return {"accuracy": _readme(record), "calibration": calibration(record), "field book": _field_book(record)}


def updated(page: str, name: str, text: str) -> str:
    """The page with ``text`` between the markers of a part. Raises PageError."""
    begin, end = f"<!-- generated: {name} -->\n", f"<!-- end of {name} -->"
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise PageError(f"the page lacks the markers {begin.strip()} and {end}")
    return f"{before}{begin}\n{text}\n\n{end}{after}"


def percentage(some: int, of: int) -> str:
    """A share for readers, with a dash where there is nothing to take a share of."""
    return f"{100 * some / of:.1f} %" if of else "–"


def _readme(record: Record) -> str:
    held = json.loads((FOLDER / "held_back.json").read_text(encoding="utf-8"))
    flagged = total_judged(package.flagged for package in record.packages)
    waits = total_recalled(package.waits for package in record.packages)
    book = pooled(record.repositories)

    def open_(share: Share) -> str:
        return percentage(share.some, share.of)

    def held_back(subject: str, name: str) -> str:
        return f"{100 * held[subject][name]:.1f} %"

    rows = [
        ("packages: of the statements that waited, found", percentage(waits.found, waits.waited), "packages", "found"),
        (
            "packages: of the statements reported that ran on the device, waited",
            percentage(flagged.right, flagged.right + flagged.false),
            "packages",
            "right",
        ),
        ("repositories: of what is reported, waits", open_(book["true"]), "repositories", "true"),
        ("repositories: of what is reported, worth reporting", open_(book["useful"]), "repositories", "useful"),
        ("repositories: of the first ten, worth reporting", open_(book["first_ten"]), "repositories", "first_ten"),
    ]
    return table(
        ("Figure", f"Open set, at {record.commit[:7]}", f"Held back, at {held['commit']}"),
        [(said, figure, held_back(subject, name)) for said, figure, subject, name in rows],
    )


def calibration(record: Record) -> str:
    """The tables of what the linter says about the packages that were run."""
    packages = record.packages
    held = ", ".join(f"{package.name} {package.version}" for package in packages)
    threshold = Options().min_confidence
    names = {rule.code: rule.name for rule in all_rules()}
    by_level = {
        level: total_judged(package.levels.get(level.value, Judged()) for package in packages) for level in Confidence
    }
    codes = sorted({code for package in packages for code in package.rules})
    kinds = sorted({kind for package in packages for kind in package.kinds})
    return "\n\n".join(
        [
            f"Measured on {record.date} at commit {record.commit[:7]}, synclint {record.synclint}, cold code included, "
            f"over {held}.",
            "### By confidence",
            table(
                ("Confidence", "Waited", "Did not wait", "Never ran", "Precision", "Reported by default"),
                [
                    (level.value, *_judged(by_level[level]), "yes" if level.at_least(threshold) else "no")
                    for level in reversed(Confidence)
                ],
            ),
            "A statement that is flagged at two levels counts in both rows.",
            "### By package, as reported by default",
            table(
                ("Package", "Recall", "Waited", "Did not wait", "Never ran", "Precision"),
                [
                    *(_package(f"{package.name} {package.version}", [package]) for package in packages),
                    _package("all", packages),
                ],
            ),
            "### By kind of wait, as reported by default",
            table(("Kind", "Statements that waited", "Found", "Recall"), [_kind(kind, packages) for kind in kinds]),
            "### By rule, as reported by default",
            table(
                ("Rule", "Waited", "Did not wait", "Never ran", "Precision"),
                [
                    (
                        f"{code} {names[code]}" if code in names else code,
                        *_judged(total_judged(package.rules.get(code, Judged()) for package in packages)),
                    )
                    for code in codes
                ],
            ),
        ]
    )


def _field_book(record: Record) -> str:
    rows = [
        (_PHRASES[name], f"{share.some} of {share.of}", percentage(share.some, share.of))
        for name, share in pooled(record.repositories).items()
    ]
    return table(("What", "Count", "Share"), rows)


def _judged(counts: Judged) -> tuple[str, ...]:
    precision = percentage(counts.right, counts.right + counts.false)
    return str(counts.right), str(counts.false), str(counts.unknown), precision


def _package(title: str, packages: Sequence[PackageResult]) -> tuple[str, ...]:
    waits = total_recalled(package.waits for package in packages)
    recall = f"{percentage(waits.found, waits.waited)} ({waits.found} of {waits.waited})"
    return title, recall, *_judged(total_judged(package.flagged for package in packages))


def _kind(kind: str, packages: Iterable[PackageResult]) -> tuple[str, ...]:
    waits = total_recalled(package.kinds[kind] for package in packages if kind in package.kinds)
    return kind, str(waits.waited), str(waits.found), percentage(waits.found, waits.waited)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, numbers to the right."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
