"""``python -m synclint`` is the same as ``synclint``."""

import sys

from synclint.cli import main

if __name__ == "__main__":
    sys.exit(main())
