"""A rule for Fixit 2 that reports what ``synclint check`` does, and fixes the copies that only lack an argument.

Enable it with ``enable = ["synclint.codemod.fixit_rules"]`` in Fixit's configuration. It needs ``synclint[fixit]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import libcst as cst
import libcst.matchers as m
from fixit import Invalid, LintRule, Valid

from synclint.codemod.provider import TensorFactProvider
from synclint.findings import Finding
from synclint.results.fact_nodes import EXPRESSIONS

# A copy from pinned memory to the device: that it need not wait is all that it does not say.
_PINNED_COPY = "SYN701"
_COPY = m.Call(func=m.Attribute(attr=m.Name("to") | m.Name("cuda")))
_SAYS_HOW = m.Call(
    args=[m.ZeroOrMore(), m.Arg(keyword=m.Name("non_blocking")) | m.Arg(star=m.OneOf("*", "**")), m.ZeroOrMore()]
)
_NON_BLOCKING = cst.Arg(
    keyword=cst.Name("non_blocking"),
    value=cst.Name("True"),
    equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
)

_WAITING = """
import torch
from torch.utils.data import DataLoader, TensorDataset

def epoch(model, dataset: TensorDataset, optimizer):
    loader = DataLoader(dataset, batch_size=4, num_workers=2, pin_memory=True)
    for images, labels in loader:
        images = images.cuda()
        loss = model(images, labels.to("cuda", torch.long, non_blocking=True)).sum()
        loss.backward()
        optimizer.step()
"""


class HostWait(LintRule):
    """Reports what makes the host wait for the device, with synclint's settings and comments.

    A blocking copy from pinned memory gets ``non_blocking=True``, which changes no result: what is queued after it on
    the device comes after it.
    """

    METADATA_DEPENDENCIES = (TensorFactProvider,)
    VALID = [Valid(_WAITING.replace(".cuda()", ".cuda(non_blocking=True)"))]  # noqa: RUF012
    INVALID = [Invalid(_WAITING, expected_replacement=_WAITING.replace(".cuda()", ".cuda(non_blocking=True)"))]  # noqa: RUF012

    def get_visitors(self) -> Mapping[str, Callable[[cst.CSTNode], None]]:
        """Every kind of expression is visited in the same way."""
        return {f"visit_{kind.__name__}": self._visit for kind in EXPRESSIONS}

    def _visit(self, node: cst.CSTNode) -> None:
        fact = self.get_metadata(TensorFactProvider, node, None)
        if fact is not None:
            for finding in fact.reported:
                self.report(node, _message(finding), replacement=_mended(node, finding))


def _message(finding: Finding) -> str:
    return f"{finding.code} {finding.message}. {finding.instead}".strip()


def _mended(node: cst.CSTNode, finding: Finding) -> cst.Call | None:
    if finding.code != _PINNED_COPY or not isinstance(node, cst.Call):
        return None
    if not m.matches(node, _COPY) or m.matches(node, _SAYS_HOW):
        return None
    return node.with_changes(args=[*node.args, _NON_BLOCKING])
