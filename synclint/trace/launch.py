"""Runs the user's program in this interpreter, which was started for nothing else, as Python itself would.

``python launch.py SETTINGS KIND TARGET ARGUMENTS...``: see ``synclint.trace.program``.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    # Python put the folder of this file first, where its modules would be taken for anybody's.
    del sys.path[: 0 if sys.flags.isolated or getattr(sys.flags, "safe_path", False) else 1]
    package = str(Path(__file__).resolve().parents[2])
    sys.path.append(package)
    from synclint.trace.program import run_program

    # Once the package is known, its modules are found without it.
    sys.path.remove(package)
    run_program(sys.argv[1:])
