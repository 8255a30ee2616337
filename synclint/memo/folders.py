"""Where a user's results are kept, and the secret that tells them from what others have made."""

from __future__ import annotations

import os
from pathlib import Path

from synclint.memo.user_secret import user_secret


def default_folder() -> Path | None:
    """Where results are kept unless ``cache-dir`` says otherwise; None for a user without a home."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    try:
        base = Path(named) if Path(named).is_absolute() else Path.home() / ".cache"
    except RuntimeError:
        return None
    return base / "synclint"


def secret_of_user() -> bytes | None:
    """The user's secret; None for one who cannot keep any."""
    own = default_folder()
    return user_secret(own) if own is not None else None
