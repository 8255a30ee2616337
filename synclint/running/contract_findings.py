"""What is found in a file where contracts are broken, and where regions accept waits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from synclint.findings import CallPlace, Confidence, Context, Finding, Phase, Severity
from synclint.rules.own import BROKEN_CONTRACT, USELESS_REGION

if TYPE_CHECKING:
    from synclint.running.contracts import BrokenContract, FileContracts
    from synclint.running.survey import CodeFile

_ACCEPT = 'or accept the wait: `with synclint.sync_allowed("why"):`'
_REMOVE = "Remove the `with` statement, and keep its block."


def about_contracts(contracts: FileContracts, said: Sequence[Finding], file: CodeFile) -> Iterator[Finding]:
    """The waits that break contracts, one finding for each wait, and the regions that accept nothing."""
    by_place = {(finding.span, finding.construct): finding for finding in said}
    by_span = {finding.span: finding for finding in reversed(said)}
    for one in contracts.broken:
        wait = by_place.get((one.broken_by.span, one.broken_by.construct)) or by_span.get(one.broken_by.span)
        if wait is not None:
            yield _broken(one, wait)
    for region in contracts.useless:
        context = Context(Phase.STEP, reason="")
        message = "nothing in this region waits, or calls anything that waits"
        yield Finding(
            code=USELESS_REGION.code,
            name=USELESS_REGION.name,
            message=message,
            filename=str(file.path),
            span=region.span,
            severity=USELESS_REGION.severity,
            confidence=Confidence.HIGH,
            mechanism=USELESS_REGION.mechanism,
            context=context,
            instead=_REMOVE,
        )


def divided(said: Sequence[Finding], contracts: FileContracts, *, shown: bool) -> tuple[list[Finding], list[Finding]]:
    """The findings of waits outside of regions, and those of waits that regions accept.

    Where accepted ones are ``shown`` they stay among the others, and begin with the region that accepts them.
    """
    if not contracts.accepted:
        return [*said], []
    left: list[Finding] = []
    accepted: list[Finding] = []
    for finding in said:
        words = contracts.accepted.get((finding.span, finding.construct))
        if words is None:
            left.append(finding)
        elif shown:
            left.append(replace(finding, message=f"{words}: {finding.message}", severity=Severity.INFO))
        else:
            accepted.append(finding)
    return left, accepted


def _broken(one: BrokenContract, wait: Finding) -> Finding:
    contract, chain = one.contract, one.broken_by.chain
    declared = CallPlace("", str(contract.path), contract.line)
    others = f" and of {one.others} other{'s' if one.others > 1 else ''}" if one.others else ""
    # The message names the calls, since not every format shows more of a finding than that.
    way = f" by way of {' → '.join(map(str, chain))}" if chain else ""
    return replace(
        wait,
        code=BROKEN_CONTRACT.code,
        name=BROKEN_CONTRACT.name,
        message=f"breaks the contract of `{contract.function}` ({declared}){others}{way}: {wait.code} {wait.message}",
        severity=BROKEN_CONTRACT.severity,
        mechanism=BROKEN_CONTRACT.mechanism,
        context=Context(
            wait.context.runs,
            f"called from {chain[-1]}" if chain else f"stands in `{contract.function}`, which is sync-free",
            path=chain,
            captured=wait.context.captured,
        ),
        instead=f"`synclint explain {wait.code}` says what to write instead; {_ACCEPT}",
        url="",
        fix=None,
    )
