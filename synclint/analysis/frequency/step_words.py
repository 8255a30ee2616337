"""Words without which the text of a module tells nothing of how often its functions run."""

from __future__ import annotations

import re

# Without one of these no body steps, takes batches, yields, waits for a clock, or uses a model for its results. To look
# for each of them takes a tenth of the time that one pattern of all of them would.
_STEP_WORDS = (
    "step(", "backward(", "next(", "batches", "data_iter", "train_iter", "train_on_batch", "optimizer",
    "yield", "synchronize", ".eval(", "inference_mode",
)  # fmt: skip
_LOADER_WORD = re.compile(r"[lL]oader|\bdl\b|_dl\b")


def mentions_steps(source: str) -> bool:
    """Whether a text has a word that makes it worth its time to read the bodies of its functions."""
    if any(word in source for word in _STEP_WORDS):
        return True
    return ("oader" in source or "dl" in source) and _LOADER_WORD.search(source) is not None
