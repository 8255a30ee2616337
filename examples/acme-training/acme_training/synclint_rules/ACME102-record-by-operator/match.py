"""An operator has no name that an entry of the catalogue could give: this finds ``recorder << tensor``."""

import libcst.matchers as m

from synclint.codemod import TensorFactProvider

_IS_RECORDER = m.MatchMetadataIfTrue(TensorFactProvider, lambda fact: fact.instance_of == "acme_training.Recorder")
_MAY_BE_ON_DEVICE = m.MatchMetadataIfTrue(TensorFactProvider, lambda fact: fact.may_be_on_device)

MATCHER = m.BinaryOperation(
    left=_IS_RECORDER,
    operator=m.LeftShift(),
    right=m.SaveMatchedNode(_MAY_BE_ON_DEVICE, "subject"),
)
