"""Names that come from somebody's ``import *``."""

from __future__ import annotations

from pathlib import Path

import pytest
from marked_sources import findings_in, places_of

from synclint.analysis.project import Project

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
        # A star leaves out what begins with an underscore, which is another name here.
        ({"package.py": GIVING.replace("broken", "_broken")}, False),
    ],
)
def test_a_name_is_what_the_modules_of_a_star_bind(tmp_path: Path, files: dict[str, str], waits: bool) -> None:
    path = plant(tmp_path, {**files, "use.py": USING})
    assert lines_reported(path) == ([4] if waits else [])


def test_modules_of_a_star_that_do_not_have_the_name_are_not_read(tmp_path: Path) -> None:
    unused = {"package/unused.py": "import torch\n", "package/unused_too.py": "import torch\n"}
    path = plant(
        tmp_path, {"package/__init__.py": EVERYTHING, "package/used.py": GIVING, "use.py": USING, **unused}
    )
    project = Project([tmp_path])
    assert len(project.check(path, USING)) == 1
    assert project.module_with("package.unused", "broken") is None
    assert project.module_with("package.used", "broken") is not None
