"""Lets recorders keep values on the device where ``recorder << value`` would read them in each step."""

import libcst as cst
import libcst.matchers as m
from libcst.codemod import VisitorBasedCodemodCommand

from synclint.codemod import TensorFactProvider

RECORDER = m.MatchMetadataIfTrue(TensorFactProvider, lambda fact: fact.instance_of == "acme_training.Recorder")
ON_DEVICE = m.MatchMetadataIfTrue(TensorFactProvider, lambda fact: fact.may_be_on_device and fact.context.hot)


class KeepValues(VisitorBasedCodemodCommand):
    DESCRIPTION = "Replace `recorder << value` by `recorder.keep(value)` where it waits in each step."
    METADATA_DEPENDENCIES = (TensorFactProvider,)

    @m.leave(m.BinaryOperation(left=RECORDER, operator=m.LeftShift(), right=ON_DEVICE))
    def keep(self, original: cst.BinaryOperation, updated: cst.BinaryOperation) -> cst.Call:
        fact = self.get_metadata(TensorFactProvider, original.right)
        self.warn(f"kept: {fact.description}. Does something `flush` the recorder after the loop?")
        value = updated.right.with_changes(lpar=(), rpar=())
        return cst.Call(cst.Attribute(updated.left, cst.Name("keep")), [cst.Arg(value)])
