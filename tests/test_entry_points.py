"""What nothing leads to that a project runs, by what its files mention, and which edits could change that."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from synclint.analysis.program.entry_points import Reach, reach_in
from synclint.analysis.program.mentioned import mentioned
from synclint.analysis.program.project_files import ProjectFile
from synclint.running.shown_imports import shown_imports

PROGRAM = """\
import torch

from helpers import Kept, used


def main():
    model = torch.nn.Linear(3, 3).cuda()
    used(model)


if __name__ == "__main__":
    main()
"""


def reach_of(
    files: Mapping[str, str],
    *,
    entries: frozenset[str] = frozenset(),
    shown: frozenset[str] = frozenset(),
    is_installed: bool = False,
) -> Reach:
    told = [ProjectFile(name, PurePosixPath(name).parts, mentioned(text)) for name, text in files.items()]
    return reach_in(told, entries, shown, is_installed=is_installed)


def unreached(helpers: str, others: Mapping[str, str] | None = None, *, is_installed: bool = False) -> set[str]:
    """What nothing leads to of ``helpers.py``, beside a program that calls ``used``, and other files."""
    files = {"train.py": PROGRAM, "helpers.py": helpers, **(others or {})}
    return set(reach_of(files, is_installed=is_installed).unreached.get("helpers.py", ()))


def test_what_a_program_calls_is_reached_and_what_nothing_calls_is_not() -> None:
    helpers = "def used(x):\n    return further(x)\n\n\ndef further(x):\n    return x\n\n\ndef left(x):\n    return x\n"
    assert unreached(helpers) == {"left"}


@pytest.mark.parametrize(
    ("mention", "left"),
    [
        ("", {"Left", "Left.forward", "left"}),
        ("from helpers import left\n", {"Left", "Left.forward", "left"}),
        ("from helpers import left\n\nleft(1)\n", set()),
        ("import helpers\n\nhelpers.left(1)\n", set()),
        ("names = ['left']\n", set()),
    ],
)
def test_another_name_leads_to_what_it_stands_for_where_it_is_mentioned(mention: str, left: set[str]) -> None:
    helpers = "class Left:\n    def forward(self, x):\n        return x\n\n\nleft = Left.apply\n"
    assert unreached(helpers, {"other.py": mention}) == left


@pytest.mark.parametrize(
    ("beginning", "left"),
    [
        ("    from parts import left\n", {"left"}),
        ("    if x:\n        from parts import (\n            left,\n        )\n", {"left"}),
        ("    from parts import other as left\n", {"left"}),
        ("    from parts import left\n    from others import left\n", set()),
        ("    import parts\n", set()),
    ],
)
def test_what_a_function_imports_is_not_what_its_file_calls_so(beginning: str, left: set[str]) -> None:
    parts = "def left(x):\n    return x\n\n\ndef other(x):\n    return x\n"
    helpers = f"def left(x):\n    return x\n\n\ndef used(x):\n{beginning}    return left(x)\n"
    assert unreached(helpers, {"parts.py": parts, "others.py": parts}) == left


def test_a_name_that_is_given_something_again_leads_to_both() -> None:
    helpers = "def one(x):\n    return x\n\n\ndef two(x):\n    return x\n\n\nleft = one\nleft = two\n"
    assert unreached(helpers) == set()


@pytest.mark.parametrize(
    ("imports", "call", "is_reached"),
    [
        ("import others", "others.left(x)", False),
        ("import others as o", "o.left(x)", False),
        ("from others import left", "left(x)", False),
        ("from torchvision import helpers", "helpers.left(x)", False),
        ("import torchvision.helpers as h", "h.left(x)", False),
        ("from torchvision.helpers import left", "left(x)", False),
        ("from somewhere import helpers", "helpers.left(x)", True),  # which may be another name of the project
        ("from others import left as right", "right(x)", False),
        ("from . import others", "others.left(x)", False),
        ("import others", "getattr(others, 'left')(x)", True),  # a text may be for anybody
        ("import others", "x.left()", True),
        ("from package import others", "others.kept.left(x)", True),
        ("from others import Kept", "Kept().left(x)", True),
        ("from others import missing", "missing.left(x)", True),
        ("from helpers import left", "left(x)", True),
        ("import helpers", "helpers.left(x)", True),
        ("try:\n    from others import left\nexcept ImportError:\n    from helpers import left", "left(x)", True),
    ],
)
def test_a_name_from_a_module_leads_to_what_is_defined_there_alone(
    imports: str, call: str, *, is_reached: bool
) -> None:
    program = f"{imports}\nimport torch\n\nx = torch.ones(3).cuda()\n{call}\n"
    other = "def left(x):\n    return x\n\n\nclass Kept:\n    def right(self):\n        return 1\n\n\nkept = Kept()\n"
    reach = reach_of({"train.py": program, "helpers.py": "def left(x):\n    return x.cpu()\n", "others.py": other})
    assert ("left" not in reach.unreached.get("helpers.py", ())) is is_reached


@pytest.mark.parametrize(
    ("body", "is_reached"),
    [
        ("    left = x.mean()\n    return left", False),
        ("    right, left = x\n    return left.sum()", False),
        ("    total = left(x)\n    return total", True),
        ("    global left\n    left = x\n    return left(x)", True),
        ("    def inner():\n        left = x\n    return left(x)", True),
        ("    return further(\n        left = left,\n        right = 1\n    )", True),
        ("    return further(left=left)", True),
        ("    return x.left == x", True),
    ],
)
def test_what_a_function_calls_by_a_name_of_its_own_leads_nowhere(body: str, is_reached: bool) -> None:
    helpers = f"def used(x):\n{body}\n\n\ndef left(x):\n    return x\n"
    assert unreached(helpers) == (set() if is_reached else {"left"})


def test_a_registry_in_a_package_that_a_program_imports_is_a_part_of_the_program() -> None:
    files = {
        "main.py": "from models import make\n\nif __name__ == '__main__':\n    make('net').run()\n",
        "models/__init__.py": (
            "from .net import Net\n\nKNOWN = {'net': Net}\n\n\ndef make(name):\n    return KNOWN[name]()\n"
        ),
        "models/net.py": "class Net:\n    def run(self):\n        self.x.to('cuda')\n\n\ndef left(x):\n    return x\n",
    }
    assert reach_of(files).unreached["models/net.py"] == {"left"}
    alone = {**files, "main.py": "import json\n\nif __name__ == '__main__':\n    print(json)\n"}
    assert reach_of(alone).unreached.get("models/net.py", frozenset()) == frozenset()


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("torch.library.register_autograd('o::f', implement)", set()),
        ("lib.define('f(Tensor x) -> Tensor')", set()),
        ("implement(torch.ones(3))", {"left"}),
    ],
)
def test_a_module_that_defines_operators_is_no_program(said: str, left: set[str]) -> None:
    functions = "".join(f"def {name}(x):\n    return x.cuda()\n\n\n" for name in ("implement", "left"))
    source = f"import torch\n\nlib = torch.library.Library('o', 'DEF')\n\n\n{functions}{said}\n"
    assert set(reach_of({"ops.py": source}).unreached.get("ops.py", ())) == left


def test_functions_that_only_call_each_other_are_not_reached() -> None:
    assert unreached("def a():\n    b()\n\n\ndef b():\n    a()\n") == {"a", "b"}


@pytest.mark.parametrize(
    "mention",
    [
        "TABLE = {'left': 1}",
        "name = 'helpers.left'",
        "f = left\nprint(f)",
        "import helpers as h; h.left",
        "from helpers import left as other",
        "x = getattr(helpers, 'left')",
        "x = f'{left(1)}'",
        "x = f'left_{kind}'",
        "x = 'left_' + kind",
        "x = kind + '_over'",
        "x = eval(given)\nfrom helpers import *",
        "x = eval(given)\nfrom helpers import left as other",
        "x = eval(given)\nimport helpers",
        "import helpers\ngetattr(helpers, given)()",
        "import helpers\nhelpers.__dict__[given]()",
    ],
)
def test_whatever_may_stand_for_a_name_leads_to_it(mention: str) -> None:
    name = "left_over" if "kind" in mention else "left"
    assert unreached(f"def {name}(x):\n    return x\n", {"other.py": f"{mention}\n"}) == set()


@pytest.mark.parametrize(
    "said",
    [
        "# left(x)",
        "from helpers import left",
        "from torch import distributed as dist\ndist.left()",
        "print('what is left of it')",
        'def f():\n    """Calls left."""',
    ],
)
def test_comments_messages_imports_and_attributes_of_torch_lead_nowhere(said: str) -> None:
    assert unreached("def left(x):\n    return x\n", {"other.py": f"{said}\n"}) >= {"left"}


CLASS = """\
class Kept({base}):
    def __init__(self):
        self.a = 1

    def forward(self, x):
        return self.used(x)

    def used(self, x):
        return x

    def left(self, x):
        return x


def used(model):
    return Kept()
"""


def test_of_a_class_what_python_and_torch_call_is_reached_with_it() -> None:
    assert unreached(CLASS.format(base="nn.Module").replace("nn.Module", "Module")) == {"Kept.left"}


def test_a_base_from_elsewhere_may_call_any_method() -> None:
    assert unreached(CLASS.format(base="pl.LightningModule")) == set()


@pytest.mark.parametrize(
    ("base", "left"), [("pl.LightningModule", {"Kept._left"}), ("Dataset", {"Kept._left"}), ("other.Base", set())]
)
def test_some_bases_from_elsewhere_call_no_private_methods(base: str, left: set[str]) -> None:
    text = CLASS.format(base=base) + "\n\nclass Further(Kept):\n    def _right(self):\n        return 1\n"
    found = unreached(text.replace("left", "_left").replace("return Kept()", "return Further()"))
    assert found == left | ({"Further._right"} if left else set())


def test_a_class_that_asks_for_what_is_above_it_hands_itself_to_nobody() -> None:
    asking = CLASS.format(base="Module").replace("self.a = 1", "super(Kept, self).__init__()")
    assert unreached(asking) == {"Kept.left"}
    assert unreached(asking.replace("super(Kept, self)", "made(Kept, self)")) == set()


@pytest.mark.parametrize(
    "telling",
    [
        "def other(x: Kept) -> Kept:\n    return x\n",
        "def other(x: dict[str, list[Kept]] = {}, *, y: 'Kept | None' = None):\n    return x\n",
        "def other(x):\n    return isinstance(x, (Kept, int)) or issubclass(x, Kept)\n",
        "def other(x):\n    kept: Kept = x\n    return kept\n",
        "def other(x):\n    return 'Kept'\n",
    ],
)
def test_who_tells_of_which_class_something_is_hands_the_class_to_nobody(telling: str) -> None:
    assert unreached(f"{CLASS.format(base='Module')}\n\n{telling}\n\nother(1)\n") == {"Kept.left"}


@pytest.mark.parametrize("giving", ["def other(x=Kept):\n    return x\n\n\nother()\n", "made = 'helpers.Kept'\n"])
def test_a_class_that_is_a_default_or_at_the_end_of_a_path_is_handed_on(giving: str) -> None:
    assert "Kept.left" not in unreached(f"{CLASS.format(base='Module')}\n\n{giving}")


def test_the_classes_in_a_table_are_handed_on() -> None:
    table = "TABLE = {\n    Kind.A: Other,\n    Kind.B: Kept\n}\n"
    assert unreached(f"{CLASS.format(base='Module')}\n\n{table}") == set()


def test_an_attribute_is_mentioned_where_a_variable_of_the_function_has_its_name() -> None:
    assert (
        unreached("def used(x):\n    left = x.mean()\n    return x.left + left\n\n\ndef left(x):\n    return x\n")
        == set()
    )


def test_whoever_is_given_a_class_may_call_what_it_offers() -> None:
    assert unreached(CLASS.format(base="") + "\n\nregister('kept', Kept)\n") == set()


KEEPING = """\
class Kept(Module):
    def forward(self, x):
        return left(x)

    def part(self, x):
        return x


class Owner(Module):
    def __init__(self):
        super(Owner, self).__init__()
        self.kept = Kept()
        net = Kept()
        self.width = net.part(3)

    def forward(self, x):
        return self.kept.part(x)


def left(x):
    return x


def used(model):
    return Owner()(model)
"""


def test_a_module_whose_objects_are_never_called_nor_handed_on_has_no_reached_forward() -> None:
    assert unreached(KEEPING) == {"Kept.forward", "left"}


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("self.kept.part(x)", "self.kept(x)"),
        ("self.kept.part(x)", "self.kept.forward(x)"),
        ("self.kept.part(x)", "called(self.kept, x)"),
        ("self.kept.part(x)", "[one(x) for one in self.children()]"),
        ("self.kept.part(x)", "getattr(self, 'kept')(x)"),
        ("self.kept.part(x)", "getattr(self, f'kep{x}')(x)"),
        ("self.kept.part(x)", "getattr(self, 'k%d' % x)(x)"),
        ("self.kept.part(x)", "[getattr(self, name)(x) for name in x]"),
        ("net.part(3)", "net(3)"),
        ("net = Kept()", "net = [Kept()]"),
        ("net = Kept()", "net = made(kept=Kept())"),
        ("class Kept(", "@REGISTRY.register()\nclass Kept("),
        ("return Owner()(model)", "return Owner()(model), Further(model)\n\n\nclass Further(Kept):\n    pass"),
    ],
)
def test_a_module_that_somebody_may_call_has_a_reached_forward(written: str, instead: str) -> None:
    assert written in KEEPING
    assert "Kept.forward" not in unreached(KEEPING.replace(written, instead) + "\n\nREGISTRY = Registry()\n")


@pytest.mark.parametrize(
    ("edited", "matters"),
    [("return self.kept.part(x) + 1", False), ("return self.kept(self.kept.part(x))", True)],
)
def test_an_edit_that_calls_an_object_may_change_what_is_reached(edited: str, matters: bool) -> None:
    premises = reach_of({"train.py": PROGRAM, "helpers.py": KEEPING}).premises
    assert premises.could_change(KEEPING, KEEPING.replace("return self.kept.part(x)", edited)) is matters


def test_a_class_that_nothing_makes_is_unreached_with_its_methods() -> None:
    text = CLASS.format(base="").replace("return Kept()", "return 1")
    assert unreached(text) == {"Kept", "Kept.__init__", "Kept.forward", "Kept.used", "Kept.left"}


def test_a_decorator_may_put_a_function_somewhere_unless_it_only_wraps_it() -> None:
    assert unreached("@app.command()\ndef left(x):\n    return x\n") == set()
    assert unreached("@torch.no_grad()\ndef left(x):\n    return x\n") == {"left"}


REGISTRY = "MODELS = Registry()\n\n\n@MODELS.register()\nclass Net:\n    pass\n"


def test_what_is_in_a_registry_is_reached_where_something_uses_the_registry() -> None:
    assert unreached(REGISTRY) == {"Net"}
    assert unreached(f"{REGISTRY}\n\ndef used(x):\n    return MODELS.build(x)\n") == set()
    assert unreached(f"{REGISTRY}\n\ndef build(x):\n    return MODELS.build(x)\n") == {"Net", "build"}


def test_subclasses_that_a_base_collects_are_reached() -> None:
    base = "class Base:\n    def __init_subclass__(cls):\n        ALL.append(cls)\n\n\n"
    assert unreached(f"{base}class Net(Base):\n    pass\n\n\ndef used(x):\n    return ALL\n") == set()


@pytest.mark.parametrize(
    "mention",
    [
        "from hydra.utils import instantiate\ninstantiate(config)",
        "import importlib\nmodule = importlib.import_module(given)\ngetattr(module, other)()",
    ],
)
def test_what_is_looked_up_in_any_module_by_a_name_that_is_not_known_makes_objects(mention: str) -> None:
    assert unreached("class Left:\n    def forward(self):\n        pass\n", {"other.py": f"{mention}\n"}) == set()
    assert unreached("def left(x):\n    return x\n", {"other.py": f"{mention}\n"}) == {"left"}


def test_what_looks_up_names_has_of_a_module_only_the_names_that_it_imports() -> None:
    looking = "from helpers import used\n\nvalue = eval(name)\n"
    assert unreached("def used(x):\n    return x\n\n\ndef left(x):\n    return x\n", {"other.py": looking}) == {"left"}


def test_a_module_of_another_library_opens_none_of_the_same_last_name() -> None:
    def left(imported: str) -> object:
        other = f"import {imported}\n\nvalue = globals()[name]\n"
        files = {"train.py": PROGRAM, "other.py": other, "tools/helpers.py": "def left(x):\n    return x\n"}
        return reach_of(files).unreached.get("tools/helpers.py", frozenset())

    assert left("tools.helpers") == left("project.tools.helpers") == left("helpers") == set()
    assert left("megatron.helpers") == {"left"}


def test_what_packages_hand_on_tests_use_and_configurations_name_is_reached() -> None:
    helpers = "def left(x):\n    return x\n"
    package = {"pack/__init__.py": "from helpers import left\n"}
    assert unreached(helpers, package, is_installed=True) == set()
    assert unreached(helpers, package) == {"left"}  # nobody can import the package from elsewhere
    test = "from helpers import left\n\n\ndef test_it():\n    left(1)\n"
    assert unreached(helpers, {"tests/test_helpers.py": test}) == set()
    assert reach_of({"train.py": PROGRAM, "helpers.py": helpers}, entries=frozenset({"left"})).unreached == {}


TAKING = f"from pack import focal\n{PROGRAM}"


def test_what_a_package_hands_on_to_nobody_is_for_others_where_every_program_stands_in_it() -> None:
    files = {
        "pack/__init__.py": "from pack.losses import focal\n",
        "pack/losses.py": "def focal():\n    pass\n\n\ndef dice():\n    pass\n",
        "pack/train.py": PROGRAM,
    }
    assert reach_of(files).unreached == {"pack/losses.py": {"dice"}}
    for taking in ("from pack import focal\n", "from . import focal\n", "import pack\n"):
        taken = {**files, "pack/more.py": taking}
        assert reach_of(taken).unreached == {"pack/losses.py": {"dice", "focal"}}, taking
    by_its_module = {**files, "pack/more.py": "import pack.losses as losses\n"}
    assert reach_of(by_its_module).unreached == {"pack/losses.py": {"dice"}}
    of_program = {"pack/__init__.py": "from pack.losses import dice, focal\n", "pack/train.py": TAKING}
    assert reach_of({**files, **of_program}).unreached == {}
    shown = {**files, "show.py": "from pack.losses import focal\n" + PROGRAM.replace("used(model)", "focal(model)")}
    assert reach_of(shown).unreached == {"pack/losses.py": {"dice"}}
    example = {"examples/show.py": PROGRAM + "\nimport pack\n"}
    assert reach_of({**files, **example}).unreached == {"pack/losses.py": {"dice"}}


LIBRARY = {
    "pack/__init__.py": "from pack.losses import focal\n",
    "pack/losses.py": "def focal(x):\n    return x\n\n\ndef _left(x):\n    return x\n",
    "pack/collections.py": "def gathered(x):\n    return x\n",
}


def test_a_program_in_another_folder_says_nothing_about_a_package_that_it_does_not_import() -> None:
    assert reach_of(LIBRARY).unreached == {}
    stranger = {
        "other/train.py": "import collections\n" + PROGRAM,
        "other/helpers.py": "def used(x): ...\ndef spare(): ...\n",
    }
    assert reach_of({**LIBRARY, **stranger}).unreached == {"other/helpers.py": {"spare"}}
    assert reach_of({**LIBRARY, "train.py": PROGRAM}).unreached == {}


@pytest.mark.parametrize(
    "taking",
    ["from pack import losses\n", "import importlib\nlosses = getattr(importlib.import_module(input()), input())\n"],
)
def test_a_program_in_another_folder_that_imports_a_package_says_what_is_reached_in_it(taking: str) -> None:
    files = {**LIBRARY, "other/train.py": taking + PROGRAM.replace("used(model)", "losses.focal(model)")}
    assert reach_of(files).unreached["pack/losses.py"] == {"_left"}


def test_a_folder_that_is_neither_a_program_nor_for_others_is_left_over_by_the_programs_beside_it() -> None:
    files = {"train.py": PROGRAM, "helpers.py": "def used(x): ...\n", "old/losses.py": "def left(x): ...\n"}
    assert reach_of(files).unreached == {"old/losses.py": {"left"}}


def test_words_of_one_project_reach_nothing_in_another_one() -> None:
    files = {
        "one/train.py": PROGRAM,
        "one/helpers.py": "def used(x): ...\ndef second(): ...\n",
        "two/train.py": PROGRAM.replace("used(model)", "used(second(model))"),
        "two/helpers.py": "def used(x): ...\ndef second(x): ...\n",
    }
    reach = reach_of(files)
    assert reach.unreached == {"one/helpers.py": {"second"}}
    assert "second" not in reach.premises.reached


def test_a_program_that_trains_nothing_in_a_folder_of_its_own_stands_beside_those_that_train() -> None:
    training = PROGRAM.replace("used(model)", "used(model).backward()")
    files = {"train.py": training, "helpers.py": "def used(x): ...\n", "scripts/show.py": PROGRAM}
    assert reach_of(files).untrained == {"scripts/show.py"}


def test_a_star_hands_on_what_is_public_in_the_module_that_it_names() -> None:
    files = {
        "train.py": PROGRAM,
        "work/__init__.py": "",
        "work/pack/__init__.py": "from .losses import *\n",
        "work/pack/losses.py": "def focal():\n    pass\n\n\ndef _old():\n    pass\n",
        "work/pack/inner/losses.py": "def dice():\n    pass\n",
    }
    found = reach_of(files, is_installed=True).unreached
    assert found == {"work/pack/losses.py": {"_old"}, "work/pack/inner/losses.py": {"dice"}}


def test_of_a_class_that_packages_hand_on_others_may_call_what_it_offers() -> None:
    text = CLASS.format(base="Base") + "\n\nclass Base:\n    def more(self):\n        pass\n"
    assert unreached(text) == {"Kept.left", "Base.more"}
    assert unreached(text, {"pack/__init__.py": "from helpers import Kept\n"}, is_installed=True) == set()


def test_what_a_module_lists_is_all_that_its_star_hands_on() -> None:
    text = "__all__ = ['focal']\n\n\ndef focal():\n    pass\n\n\ndef dice():\n    pass\n"
    program = "import pack\n" + PROGRAM
    files = {"train.py": program, "pack/__init__.py": "from .losses import *\n", "pack/losses.py": text}
    assert reach_of(files).unreached == {"pack/losses.py": {"dice"}}


def test_all_that_is_public_in_an_installed_library_is_offered() -> None:
    files = {
        "train.py": "import pack.losses\n" + PROGRAM,
        "pack/__init__.py": "from pack.losses import focal\n",
        "pack/losses.py": "def focal():\n    pass\n\n\ndef dice():\n    pass\n\n\ndef _old():\n    pass\n",
    }
    assert reach_of(files, is_installed=True).unreached == {"pack/losses.py": {"_old"}}
    assert reach_of(files).unreached == {"pack/losses.py": {"_old", "dice", "focal"}}


def test_a_package_of_which_an_installed_project_makes_no_use_is_there_for_others() -> None:
    files = {
        "train.py": PROGRAM,
        "hops/engine.py": "from hops.parts.reader import read\n\n\ndef search():\n    read()\n",
        "hops/parts/reader.py": "def read():\n    pass\n\n\ndef skim():\n    pass\n",
    }
    assert reach_of(files, is_installed=True).unreached == {"hops/parts/reader.py": {"skim"}}
    used = {**files, "train.py": "from hops.parts import reader\n" + PROGRAM}
    assert "hops/engine.py" in reach_of(used, is_installed=True).unreached
    copied = {**files, "hops/engine.py": "from parts.reader import read\n\n\ndef search():\n    read()\n"}
    assert "hops/engine.py" in reach_of(copied, is_installed=True).unreached
    assert "hops/engine.py" in reach_of(files).unreached


def test_a_package_within_one_of_a_longer_name_is_not_there_for_others() -> None:
    files = {
        "train.py": PROGRAM,
        "work/parts/images/__init__.py": "from work.parts.images.blur import blur\n",
        "work/parts/images/blur.py": "def blur():\n    pass\n\n\ndef sharpen():\n    pass\n",
    }
    assert reach_of(files, is_installed=True).unreached == {"work/parts/images/blur.py": {"sharpen"}}


@pytest.mark.parametrize("shown", ["pack.predictor.Predictor", "pack.Predictor"])
def test_what_an_introduction_imports_is_offered_with_its_public_methods(shown: str) -> None:
    predictor = (
        "class Predictor:\n    def predict(self, x):\n        return self._one(x)\n\n"
        "    def _one(self, x):\n        return x\n\n    def _left(self):\n        pass\n\n\nclass Other:\n    pass\n"
    )
    package = {"pack/__init__.py": "from pack.predictor import Predictor\n", "pack/predictor.py": predictor}
    others = {"train.py": PROGRAM, "helpers.py": "def used(x):\n    return x\n", "show.py": "import pack\n"}
    files = {**others, **package}
    assert "Predictor.predict" in reach_of(files).unreached["pack/predictor.py"]
    assert reach_of(files, shown=frozenset({shown})).unreached["pack/predictor.py"] == {"Predictor._left", "Other"}
    elsewhere = reach_of(files, shown=frozenset({"torch.predictor.Predictor"})).unreached
    assert "Predictor.predict" in elsewhere["pack/predictor.py"]


def test_an_introduction_shows_imports_as_lines_of_code() -> None:
    page = """\
# Pack

Take it from pack.words import sentence and so on. This is
from pack import nothing because it goes on.

```python
import torch
from pack.predictor import Predictor, helper  # both
>>> from pack.build import (
...
from pack import (
    Net,  # the model
    load as load_net,
)
```
"""
    assert set(shown_imports(page)) == {
        "pack.predictor.Predictor",
        "pack.predictor.helper",
        "pack.Net",
        "pack.load",
    }


@pytest.mark.parametrize(
    "files",
    [
        {"helpers.py": "def left(x):\n    return x.cuda()\n"},
        {"helpers.py": "def left(x):\n    return x.cuda()\n", "clean.py": "import sys\n\nprint(sys.path)\n"},
        {"helpers.py": "def left(x):\n    return x.cuda()\n", "examples/run.py": PROGRAM},
        {"helpers.py": "def left(x):\n    return x.cuda()\n", "setup.py": "setup(name='helpers')\n"},
    ],
)
def test_without_a_program_that_works_on_a_device_everything_is_offered(files: dict[str, str]) -> None:
    assert reach_of(files).unreached == {}


def test_neither_the_order_of_files_nor_their_paths_decide() -> None:
    files = {"train.py": PROGRAM, "helpers.py": CLASS.format(base=""), "more.py": REGISTRY}
    assert reach_of(files).unreached == reach_of(dict(reversed(files.items()))).unreached


HELPERS = "def used(x):\n    y = x.mean()\n    return y\n\n\ndef left(x):\n    return x\n"


@pytest.mark.parametrize(
    ("after", "could"),
    [
        (HELPERS.replace("x.mean()", "x.sum().item()"), False),
        (HELPERS.replace("x.mean()", "used(x)"), False),
        (HELPERS.replace("return y", "return y  # left"), False),
        (HELPERS.replace("x.mean()", "left(x)"), True),
        (HELPERS.replace("x.mean()", "getattr(x, 'le' + 'ft')"), False),
        (HELPERS.replace("x.mean()", "table['left']"), True),
        (HELPERS.replace("def left", "def right"), True),
        (HELPERS + "\n\nif __name__ == '__main__':\n    print(1)\n", True),
    ],
)
def test_an_edit_could_change_what_is_reached_by_the_names_that_it_mentions(after: str, *, could: bool) -> None:
    premises = reach_of({"train.py": PROGRAM, "helpers.py": HELPERS}).premises
    assert premises.could_change(HELPERS, after) is could


def test_where_no_edit_could_change_it_the_same_is_reached_as_before() -> None:
    before = {"train.py": PROGRAM, "helpers.py": HELPERS}
    after = {**before, "helpers.py": HELPERS.replace("x.mean()", "x.sum().item()")}
    assert reach_of(before).unreached == reach_of(after).unreached == {"helpers.py": {"left"}}


TRAINING = """\
from common import Loss, scored

def main():
    loss = Loss()(1)
    loss.backward()

if __name__ == "__main__":
    main()
"""
EVALUATING = f"import viewer\n{TRAINING.replace('loss.backward()', 'loss.to(device)')}"
COMMON = "class Loss:\n    def forward(self, x):\n        return x\n\ndef scored(x):\n    return x\n"
VIEWER = "class Viewer:\n    def backward(self, x):\n        return x\n"


def untrained(files: Mapping[str, str], *, is_installed: bool = False) -> set[str]:
    told = {"common.py": COMMON, "viewer.py": VIEWER, "show.py": EVALUATING, **files}
    return set(reach_of(told, is_installed=is_installed).untrained)


def test_what_only_programs_run_that_train_nothing_is_told_from_the_rest() -> None:
    assert untrained({"train.py": TRAINING}) == {"show.py", "viewer.py"}


@pytest.mark.parametrize(("name", "is_loaded"), [("args.viewer", True), ("f'{args.viewer}'", True), ("'other'", False)])
def test_what_a_training_program_imports_by_a_name_that_is_put_together_is_none_of_them(
    name: str, *, is_loaded: bool
) -> None:
    loading = TRAINING.replace(
        "main():\n", f"main():\n    shown = importlib.import_module({name})\n    shown.Viewer()\n"
    )
    assert untrained({"train.py": loading}) == ({"show.py"} if is_loaded else {"show.py", "viewer.py"})


def test_a_project_in_which_nothing_trains_has_no_such_files() -> None:
    assert untrained({}) == set()
    assert untrained({"train.py": TRAINING.replace("backward", "mean")}) == set()


TRIED = "from common import Loss\n\nif __name__ == '__main__':\n    print(Loss().forward(3))\n"


def tried(files: Mapping[str, str]) -> set[str]:
    told = {"common.py": COMMON, "net.py": TRIED, "train.py": f"import net\n{TRAINING}", **files}
    return set(reach_of(told).tried)


def test_what_training_imports_and_can_be_run_is_tried_out_then() -> None:
    assert tried({}) == {"net.py"}
    assert tried({"train.py": TRAINING}) == set()  # nobody imports it: it is a program
    assert tried({"net.py": f"{TRIED}    loss.backward()\n"}) == set()  # it trains itself
    assert tried({"net.py": COMMON}) == set()  # it does nothing when it is run
    assert tried({"train.py": "import net\nprint(net)\n"}) == set()  # nothing trains


@pytest.mark.parametrize(
    "text",
    [
        TRAINING.replace("main():\n", "main():\n    import viewer\n"),
        TRAINING.replace("main():\n", "main():\n    made('viewer.Viewer')\n"),
        TRAINING.replace("from common", "from further import *\nfrom common"),
    ],
)
def test_what_a_training_program_imports_by_any_way_is_none_of_them(text: str) -> None:
    files = {"train.py": text, "further.py": "import viewer as v\n" if "further" in text else "\n"}
    assert untrained(files) == {"show.py"}


def test_what_others_may_train_with_or_configuration_may_name_is_none_of_them() -> None:
    package = {"pack/__init__.py": "from pack.viewer import Viewer\n", "pack/viewer.py": VIEWER, "train.py": TRAINING}
    show = EVALUATING.replace("import viewer", "from pack import Viewer")
    assert untrained({**package, "show.py": show, "viewer.py": ""}) == {"pack/__init__.py", "pack/viewer.py", "show.py"}
    installed = untrained({**package, "show.py": show, "viewer.py": ""}, is_installed=True)
    assert "pack/viewer.py" not in installed
    configured = "from hydra.utils import instantiate\ninstantiate(given)\n"
    assert untrained({"train.py": TRAINING, "made.py": configured}) == set()


@pytest.mark.parametrize(
    ("before", "after"),
    [("import viewer\n", "\n"), ("loss.to(device)", "loss.to(device); loss.backward()")],
)
def test_an_edit_that_brings_another_import_or_trains_could_change_it(before: str, after: str) -> None:
    files = {"common.py": COMMON, "viewer.py": VIEWER, "show.py": EVALUATING, "train.py": TRAINING}
    premises = reach_of(files).premises
    assert premises.could_change(EVALUATING, EVALUATING.replace(before, after))


@pytest.mark.parametrize(
    ("test", "is_reached"),
    [
        ("if is_npu():", False),
        ("if torch.npu.is_npu() and x.ready:", False),
        ("if (\n        _is_npu\n        and x.ready\n    ):", False),
        ("if x.ready:\n        pass\n    elif _is_npu:", False),
        ("if is_npu() or x.ready:", True),
        ("if x.is_npu:", True),
        ("if is_npu(x):", True),
        ("if _is_ready:", True),
    ],
)
def test_what_stands_where_there_is_no_gpu_leads_nowhere(test: str, *, is_reached: bool) -> None:
    helpers = (
        "_is_npu = is_npu()\n_is_ready = is_ready()\n\n\n"
        f"def used(x):\n    {test}\n        from helpers import left as moved\n\n        left(moved)\n    return x\n"
        "def left(x):\n    return x\n"
    )
    assert unreached(helpers) == (set() if is_reached else {"left"})


def test_what_stands_beside_what_runs_where_there_is_no_gpu_leads_somewhere() -> None:
    helpers = (
        "def used(x):\n    if is_npu():\n        x = 1\n\n    else:\n        left(x)\n    return further(x)\n\n\n"
        "def left(x):\n    return x\n\n\ndef further(x):\n    return x\n"
    )
    assert unreached(helpers) == set()


BEFORE = """\
class Pool:
    def __init__(self):
        self.rows = 1

    def free(self, x):
        return x.rows
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self.rows = 1", "self.rows = self.closed = 1"),
        ("self.rows = 1", "self.rows: int = 1\n        self.closed = 1"),
        ("class Pool:\n", "class Pool:\n    closed = print\n\n"),
        ("def free", "def closed"),
    ],
)
def test_an_edit_of_what_objects_have_may_change_what_calls_mean(old: str, new: str) -> None:
    premises = reach_of({"train.py": PROGRAM, "helpers.py": BEFORE}).premises
    assert premises.defines_otherwise(BEFORE, BEFORE.replace(old, new))
    assert not premises.defines_otherwise(BEFORE, BEFORE.replace("x.rows", "x.rows + 1"))
    counted, none = (BEFORE.replace("class Pool:\n", f"class Pool:\n    rows = {value}\n\n") for value in ("1", "None"))
    assert not premises.defines_otherwise(counted, none)


PROGRAM_WITH_MODEL = """\
from common import Loss

class Net:
    def forward(self, x):
        return x

def fit(net):
    Loss()(net).backward()

def fitted():
    net = Net()
    fit(net)
    return net

if __name__ == "__main__":
    fit(Net())
"""


@pytest.mark.parametrize(
    ("show", "trains"),
    [
        ("from train import Net\n\nNet().forward(1)\n", False),
        ("import train\n\ntrain.Net().forward(1)\n", False),
        ("from train import fit\n\nfit(1)\n", True),
        ("import train\n\ntrain.fitted()\n", True),
        ("from train import *\n\nNet().forward(1)\n", True),
    ],
)
def test_who_takes_a_model_from_a_program_that_trains_does_not_train(show: str, *, trains: bool) -> None:
    files = {"train.py": PROGRAM_WITH_MODEL, "show.py": show, "viewer.py": ""}
    assert untrained(files) == (set() if trains else {"show.py"})
