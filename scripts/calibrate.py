"""Writes the table of docs/calibration.md: how often a finding of each confidence, and of each rule, is right.

    python scripts/calibrate.py EXAM_JSON --date YYYY-MM-DD [--document PAGE]

``EXAM_JSON`` is what ``scripts/run_exam.py --json`` wrote. The date is an argument, so that the same measurement
always gives the same page.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from synclint.config.options import Options
from synclint.findings import Confidence
from synclint.rules.loading import all_rules

DOCUMENT = Path(__file__).parent.parent / "docs" / "calibration.md"
BEGIN = "<!-- generated: calibration -->\n"
END = "<!-- end of calibration -->"
COUNTED = ("right", "false", "unknown")

Counts = Mapping[str, int]


class CalibrationError(Exception):
    """A measurement or a page that cannot be used; one sentence for the user."""


def total(parts: Iterable[Counts]) -> dict[str, int]:
    """The sum of what was right, false and unknown."""
    rows = list(parts)
    return {name: sum(row[name] for row in rows) for name in COUNTED}


def percentage(some: int, of: int) -> str:
    """A share for readers, with a dash where there is nothing to take a share of."""
    return f"{100 * some / of:.1f} %" if of else "–"


def calibration(exam: Mapping[str, Any], measured_on: date) -> str:
    """The generated part of the page: what was measured, and its tables."""
    packages: Sequence[Mapping[str, Any]] = exam["packages"]
    held = ", ".join(f"{package['name']} {package['version']}" for package in packages)
    levels = {level: total(package["levels"][level.value] for package in packages) for level in Confidence}
    codes = sorted({code for package in packages for code in package["rules"]})
    names = {rule.code: rule.name for rule in all_rules()}
    threshold = Options().min_confidence

    sections = [
        f"Measured on {measured_on.isoformat()} with synclint {exam['synclint']}, cold code included, over {held}.",
        "### By confidence",
        _table(
            ("Confidence", "Waited", "Did not wait", "Never ran", "Precision", "Reported by default"),
            [
                (level.value, *_judged(levels[level]), "yes" if level.at_least(threshold) else "no")
                for level in reversed(Confidence)
            ],
        ),
        "A statement that is flagged at two levels counts in both rows.",
        "### By package, as reported by default",
        _table(
            ("Package", "Recall", "Waited", "Did not wait", "Never ran", "Precision"),
            [
                *(_package(f"{package['name']} {package['version']}", [package]) for package in packages),
                _package("all", packages),
            ],
        ),
        "### By kind of wait, as reported by default",
        _table(("Kind", "Statements that waited", "Found", "Recall"), _kinds(packages)),
        "### By rule, as reported by default",
        _table(
            ("Rule", "Waited", "Did not wait", "Never ran", "Precision"),
            [
                (
                    f"{code} {names[code]}" if code in names else code,
                    *_judged(total(package["rules"].get(code, dict.fromkeys(COUNTED, 0)) for package in packages)),
                )
                for code in codes
            ],
        ),
    ]
    return "\n\n".join(sections)


def _judged(counts: Counts) -> tuple[str, ...]:
    precision = percentage(counts["right"], counts["right"] + counts["false"])
    return (*(str(counts[name]) for name in COUNTED), precision)


def _package(title: str, packages: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    waited = sum(package["waits"]["waited"] for package in packages)
    found = sum(package["waits"]["found"] for package in packages)
    flagged = total(package["flagged"] for package in packages)
    return (title, f"{percentage(found, waited)} ({found} of {waited})", *_judged(flagged))


def _kinds(packages: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for kind in sorted({kind for package in packages for kind in package["kinds"]}):
        parts = [package["kinds"][kind] for package in packages if kind in package["kinds"]]
        waited, found = sum(part["waited"] for part in parts), sum(part["found"] for part in parts)
        rows.append((kind, str(waited), str(found), percentage(found, waited)))
    return rows


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def replaced(page: str, text: str) -> str:
    """The page with ``text`` between its markers; raises CalibrationError where it has none."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise CalibrationError(f"the page lacks the markers {BEGIN.strip()} and {END}")
    return f"{before}{BEGIN}\n{text}\n\n{END}{after}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Rewrite the generated part of the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exam", type=Path, metavar="EXAM_JSON", help="what scripts/run_exam.py --json wrote")
    parser.add_argument("--date", type=date.fromisoformat, required=True, help="the day of the measurement")
    parser.add_argument("--document", type=Path, default=DOCUMENT, metavar="PAGE", help="default: %(default)s")
    given = parser.parse_args(arguments)
    try:
        exam = json.loads(given.exam.read_text(encoding="utf-8"))
        page = replaced(given.document.read_text(encoding="utf-8"), calibration(exam, given.date))
    except (OSError, ValueError, KeyError, CalibrationError) as error:
        reason = f"lacks {error}" if isinstance(error, KeyError) else error
        print(f"error: {given.exam}: {reason}", file=sys.stderr)
        return 2
    given.document.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
