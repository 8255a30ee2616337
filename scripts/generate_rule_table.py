"""Writes what GPUs have said of the rules into the documentation, from the evidence that is kept in evidence/.

Without arguments it rewrites the table of docs/rules.md, and the sentences of the README, docs/index.md and
docs/verification.md that say what has been confirmed where; with ``--check`` its status is 1 when one is not current.
A verdict counts for the programs that were measured: a rule whose programs have changed since is not confirmed.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from synclint.rules.loading import load_rules
from synclint.rules.records import Rule
from synclint.verify.cases import Case, load_rule_case
from synclint.verify.evidence import KeptEvidence, kept_evidence
from synclint.verify.journal import digest_of_programs
from synclint.verify.verdict import Outcome

REPOSITORY = Path(__file__).parent.parent
EVIDENCE = Path("evidence")
TABLE = Path("docs", "rules.md")
SENTENCES = (Path("README.md"), Path("docs", "index.md"), Path("docs", "verification.md"))
BEGIN, END = "<!-- generated: rules -->\n", "<!-- end of rules -->"
BEGIN_SENTENCE, END_SENTENCE = "<!-- evidence -->", "<!-- end of evidence -->"
UNVERIFIED = "not yet verified on CUDA"
CHANGED = "not yet verified on CUDA since its programs were changed"
# Of what several runs on one machine say of a rule: a contradiction outweighs all, and a lack of proof nothing.
_WEIGHT = (Outcome.CONTRADICTED, Outcome.CONFIRMED, Outcome.STATIC, Outcome.INCONCLUSIVE)

Programs = Mapping[str, str]


def current_programs(rules: Sequence[Rule]) -> dict[str, str]:
    """The hashes of the rules' programs as they are now, by code."""
    cases = {rule.code: load_rule_case(rule.folder) for rule in rules if rule.folder is not None}
    return {code: digest_of_programs(case) for code, case in cases.items() if isinstance(case, Case)}


def verdicts(records: Sequence[KeptEvidence], programs: Programs) -> dict[str, dict[str, Outcome]]:
    """For each machine and release of PyTorch what it said of the rules as they are now, by their codes."""
    found: dict[str, dict[str, Outcome]] = {}
    for record in records:
        own = found.setdefault(f"{record.device}, torch {record.torch.partition('+')[0]}", {})
        for code, outcome in record.outcomes.items():
            if record.programs.get(code) == programs.get(code):
                own[code] = min(own.get(code, outcome), outcome, key=_WEIGHT.index)
    return found


def evidence(records: Sequence[KeptEvidence], programs: Programs) -> dict[str, str]:
    """For each rule what each of the GPUs said of it, by its code."""
    said: dict[str, dict[str, None]] = {code: {} for record in records for code in record.outcomes}
    for machine, own in verdicts(records, programs).items():
        for code, outcome in own.items():
            where = f"{outcome.value} on {machine}"
            static = "a property of the source, which no trace can show"
            said[code][static if outcome is Outcome.STATIC else where] = None
    return {code: "; ".join(own) or CHANGED for code, own in said.items()}


def sentence(rules: Sequence[Rule], records: Sequence[KeptEvidence], programs: Programs) -> str:
    """How many rules have been confirmed where, and which were not."""
    told = []
    for machine, own in verdicts(records, programs).items():
        known = {rule.code: own.get(rule.code) for rule in rules}
        of = {outcome: [code for code, said in known.items() if said is outcome] for outcome in Outcome}
        parts = [f"{len(of[Outcome.CONFIRMED])} of {len(known) - len(of[Outcome.STATIC])} rules confirmed on {machine}"]
        parts += [
            f"{outcome.value}: {', '.join(of[outcome])}"
            for outcome in (Outcome.CONTRADICTED, Outcome.INCONCLUSIVE)
            if of[outcome]
        ]
        told.append("; ".join(parts))
    return (". ".join(told) or "not yet") + "."


def table(rules: Sequence[Rule], said: Mapping[str, str]) -> str:
    """The rules as a Markdown table."""
    lines = ["| Rule | Finds | Evidence |", "| --- | --- | --- |"]
    for rule in rules:
        assert rule.folder is not None
        link = f"[{rule.code} {rule.name}](../rules/{rule.folder.name}/README.md)"
        summary = rule.summary.replace("|", r"\|")
        lines.append(f"| {link} | {summary} | {said.get(rule.code, UNVERIFIED)} |")
    return "\n".join(lines)


def between(text: str, begin: str, content: str, end: str) -> str:
    """A text with ``content`` between two marks; as it is where they are not there."""
    before, mark, rest = text.partition(begin)
    _, found, after = rest.partition(end)
    return f"{before}{begin}{content}{end}{after}" if mark and found else text


def pages(root: Path) -> dict[Path, str]:
    """The pages of a checkout as they should be. Raises ValueError for evidence that does not come from a GPU."""
    rules = load_rules()
    records = kept_evidence(root / EVIDENCE)
    programs = current_programs(rules)
    rows = table(rules, evidence(records, programs))
    said = sentence(rules, records, programs)
    found = {TABLE: between((root / TABLE).read_text(encoding="utf-8"), BEGIN, f"\n{rows}\n\n", END)}
    for path in SENTENCES:
        found[path] = between((root / path).read_text(encoding="utf-8"), BEGIN_SENTENCE, said, END_SENTENCE)
    return found


def main(arguments: Sequence[str], root: Path = REPOSITORY) -> int:
    """Write the pages, or with ``--check`` only compare them."""
    current = pages(root)
    if "--check" in arguments:
        return int(any((root / path).read_text(encoding="utf-8") != text for path, text in current.items()))
    for path, text in current.items():
        (root / path).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
