"""Which release this is."""

__version__ = "0.1.0"

# Where the pages of this version are: `main` until its tag exists, which a release puts here.
REVISION = "main"
