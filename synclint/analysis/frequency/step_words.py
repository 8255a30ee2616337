"""Words without which the text of a module tells nothing of how often its functions run."""

from __future__ import annotations

import re

# Without one of these no body steps, takes batches, yields, waits for a clock, or uses a model for its results. To look
# for each of them takes a tenth of the time that one pattern of all of them would.
_STEP_WORDS = (
    "step(", "backward(", "next(", "batches", "data_iter", "train_iter", "train_on_batch", "optimizer",
    "yield", "synchronize", ".eval(", "inference_mode", "no_grad",
)  # fmt: skip
# As a word, or at the end of one: `dl`, `train_dl`. That it begins with letters lets the search skip what has none.
_SHORT_LOADER = re.compile(r"dl\b(?<![^\W_]dl)")


def mentions_steps(source: str) -> bool:
    """Whether a text has a word that makes it worth its time to read the bodies of its functions."""
    if any(word in source for word in _STEP_WORDS):
        return True
    return "loader" in source or "Loader" in source or _SHORT_LOADER.search(source) is not None
