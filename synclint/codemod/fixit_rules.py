"""A rule for Fixit 2 that reports what ``synclint check`` does, each safe fix with the node that it writes.

Enable it with ``enable = ["synclint.codemod.fixit_rules"]`` in Fixit's configuration. It needs ``synclint[fixit]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import libcst as cst
from fixit import Invalid, LintRule, Valid
from libcst.metadata import PositionProvider

from synclint.codemod.provider import TensorFactProvider
from synclint.codemod.replacements import replacement_of
from synclint.findings import Finding
from synclint.results.fact_nodes import EXPRESSIONS

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

    What has a safe fix comes with its replacement: ``fixit fix`` makes it. Of fixes that change the same node one is
    made at a time.
    """

    METADATA_DEPENDENCIES = (PositionProvider, TensorFactProvider)
    VALID = [Valid(_WAITING.replace(".cuda()", ".cuda(non_blocking=True)"))]  # noqa: RUF012
    INVALID = [Invalid(_WAITING, expected_replacement=_WAITING.replace(".cuda()", ".cuda(non_blocking=True)"))]  # noqa: RUF012

    def get_visitors(self) -> Mapping[str, Callable[[cst.CSTNode], None]]:
        """Every kind of expression is visited in the same way."""
        return {"visit_Module": self._begin, **{f"visit_{kind.__name__}": self._visit for kind in EXPRESSIONS}}

    def _begin(self, node: cst.CSTNode) -> None:
        assert isinstance(node, cst.Module)
        self._module = node

    def _visit(self, node: cst.CSTNode) -> None:
        fact = self.get_metadata(TensorFactProvider, node, None)
        for finding in fact.reported if fact is not None else ():
            found = None
            if finding.fix is not None and finding.fix.is_safe and not self.ignore_lint(node):
                found = replacement_of(self._module, finding.fix)
            if found is None:
                self.report(node, _message(finding))
            else:
                place = self.get_metadata(PositionProvider, node)
                self.report(found[0], _message(finding), position=place, replacement=found[1])


def _message(finding: Finding) -> str:
    return f"{finding.code} {finding.message}. {finding.instead}".strip()
