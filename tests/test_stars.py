"""Names that come from somebody's ``import *``."""

from __future__ import annotations

from pathlib import Path

import pytest
from marked_sources import findings_in, places_of

from synclint.analysis.project import ProjectAnalysis

GIVING = "import torch\n\ndef broken(x: torch.Tensor):\n    return x.isnan().any()\n"
USING = "from package import *\n\ndef check(x):\n    return 1 if broken(x) else 0\n"
EVERYTHING = "from .unused import *\nfrom .used import *\nfrom .unused_too import *\n"


def plant(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "use.py"


def lines_reported(path: Path) -> list[int]:
    return [place.line for place in places_of(findings_in([path], path.parent), path.parent, cold=True)]


@pytest.mark.parametrize(
    ("files", "waits"),
    [
        ({"package.py": GIVING}, True),
        ({"package/__init__.py": EVERYTHING, "package/used.py": GIVING}, True),
        # The last one that gives a name gives it.
        (
            {"package/__init__.py": EVERYTHING, "package/used.py": GIVING, "package/unused_too.py": "broken = bool"},
            False,
        ),
        # What the module itself binds is not looked for elsewhere.
        ({"package/__init__.py": EVERYTHING + "broken = bool", "package/used.py": GIVING}, False),
        # Modules that import everything from one another have no end.
        ({"package/__init__.py": "from .other import *", "package/other.py": "from . import *\n" + GIVING}, True),
        ({"package/__init__.py": "from .other import *", "package/other.py": "from . import *\n"}, False),
        # What a module lists is what its star gives, and nothing else.
        ({"package.py": GIVING + '__all__ = ["broken"]'}, True),
        ({"package.py": GIVING + "__all__: list[str] = (\n    'other',  # and ['this']\n    'broken',\n)"}, True),
        ({"package.py": GIVING + '__all__ = ["other"]'}, False),
        ({"package.py": GIVING + "__all__ = []"}, False),
        # A list that has to be run to be known may hold any name.
        ({"package.py": GIVING + '__all__ = ["other"]\n__all__ += ["broken"]'}, True),
        ({"package.py": GIVING + '__all__ = ["other"] + names()'}, True),
        ({"package.py": GIVING + "if names:\n    __all__ = ['other']"}, True),
        ({"package/__init__.py": EVERYTHING + '__all__ = ["broken"]', "package/used.py": GIVING}, True),
        ({"package/__init__.py": EVERYTHING + '__all__ = ["other"]', "package/used.py": GIVING}, False),
    ],
)
def test_a_name_is_what_the_modules_of_a_star_bind(tmp_path: Path, files: dict[str, str], waits: bool) -> None:
    path = plant(tmp_path, {**files, "use.py": USING})
    assert lines_reported(path) == ([4] if waits else [])


@pytest.mark.parametrize(("listed", "waits"), [("", False), ("__all__ = ['_broken']", True)])
def test_a_star_leaves_out_private_names_unless_they_are_listed(tmp_path: Path, listed: str, waits: bool) -> None:
    using = USING.replace("broken", "_broken")
    path = plant(tmp_path, {"package.py": GIVING.replace("broken", "_broken") + listed, "use.py": using})
    assert lines_reported(path) == ([4] if waits else [])


def test_modules_of_a_star_that_do_not_have_the_name_are_not_read(tmp_path: Path) -> None:
    unused = {"package/unused.py": "import torch\n", "package/unused_too.py": "import torch\n"}
    path = plant(tmp_path, {"package/__init__.py": EVERYTHING, "package/used.py": GIVING, "use.py": USING, **unused})
    project = ProjectAnalysis([tmp_path])
    assert len(project.check(path, USING)) == 1
    assert project.module_giving("package.unused", "broken") is None
    assert project.module_giving("package.used", "broken") is not None


@pytest.mark.parametrize("first", ["package", "package.other"])
def test_whoever_asks_first_modules_that_import_one_another_give_the_same(tmp_path: Path, first: str) -> None:
    files = {
        "package/__init__.py": "from .given import *\nfrom .other import *\n",
        "package/other.py": "from . import *\n",
        "package/given.py": GIVING,
        "a.py": f"from {first} import *\n\ndef ask(x):\n    return broken(x)\n",
    }
    later = "package.other" if first == "package" else "package"
    path = plant(tmp_path, {**files, "use.py": USING.replace("package", later)})
    found = findings_in([tmp_path / "a.py", path], tmp_path)
    assert [place.line for place in places_of(found, tmp_path, cold=True) if place.file == "use.py"] == [4]
