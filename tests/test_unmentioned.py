"""Which functions and classes a project mentions nowhere, and which edits could change that."""

from __future__ import annotations

import pytest

from synclint.analysis.results.unmentioned import Words, unmentioned

HELPER = "import torch.distributed as dist\n\n\ndef barrier():\n    dist.barrier()\n"


@pytest.mark.parametrize(
    "other",
    [
        "import torch\n\ntorch.distributed.barrier()\n",
        "from torch import distributed\n\ndistributed.barrier()\n",
        "import torch.distributed as d\n\nd.barrier()\n",
        "from torch import distributed as d\n\nd.barrier()\n",
    ],
)
def test_functions_of_torch_with_the_same_name_are_no_mention(other: str) -> None:
    assert unmentioned(["barrier"], [HELPER, other]) == {"barrier"}


@pytest.mark.parametrize(
    "other",
    [
        "import helper\n\nhelper.barrier()\n",
        "from helper import barrier\n",
        "import dist\n\ndist.barrier()\n",
        "import torch\n\ntorch.run(run().barrier)\n",
        "# calls barrier\n",
    ],
)
def test_everything_else_of_that_name_is_one(other: str) -> None:
    assert unmentioned(["barrier"], [HELPER, other]) == frozenset()


def test_an_edit_that_takes_a_name_from_elsewhere_could_change_what_is_mentioned() -> None:
    words = Words(unmentioned=frozenset({"barrier"}), names=frozenset({"barrier"}))
    assert words.could_change("dist.barrier()", "helper.barrier()")
    assert words.could_change("wait()", "barrier()")
    assert not words.could_change("dist.barrier()", "dist.barrier(group)")
