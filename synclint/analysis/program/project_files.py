"""A file of a project, as where programs begin and what they reach is told of it."""

from __future__ import annotations

from pathlib import PurePath

from synclint.analysis.program.mentioned import Mentioned
from synclint.analysis.program.test_modules import is_test
from synclint.frozen import dataclass, remembered

# Beside what a project is there for: a program there does not make it one.
_ASIDE = frozenset(
    {
        "test", "tests", "benchmark", "benchmarks", "example", "examples", "doc", "docs", "demo", "demos", "tutorials",
        "notebooks", "contrib", "third_party",
    }
)  # fmt: skip


@dataclass(frozen=True)
class ProjectFile:
    """A file of a project by its resolved ``path``, its path in the project, and what its text says."""

    path: str
    parts: tuple[str, ...]
    says: Mentioned

    @remembered
    def stem(self) -> str:
        """The last name of the module; of a package, that of its folder."""
        name = PurePath(self.parts[-1]).stem
        return self.parts[-2] if name == "__init__" and len(self.parts) > 1 else name

    @remembered
    def module(self) -> tuple[str, ...]:
        """The names of which that of the module is made."""
        *folders, name = self.parts
        return tuple(folders) if self.is_package else (*folders, PurePath(name).stem)

    @property
    def is_package(self) -> bool:
        """Whether it makes a folder a package."""
        return self.parts[-1] == "__init__.py"

    @property
    def is_hub(self) -> bool:
        """Whether ``torch.hub`` offers what stands in it."""
        return self.parts[-1] == "hubconf.py"

    @property
    def is_public(self) -> bool:
        """Whether others may import from it."""
        return not any(part.startswith("_") and not part.startswith("__") for part in self.parts)

    @remembered
    def is_test(self) -> bool:
        """Whether it belongs to tests."""
        *folders, name = self.parts
        return is_test(".".join((*folders, PurePath(name).stem)).lower(), lambda: self.says.checks)

    @property
    def is_aside(self) -> bool:
        """Whether it is no part of what the project is there for."""
        return self.parts[-1] == "setup.py" or self.is_test or not _ASIDE.isdisjoint(self.parts[:-1])
