"""Gradient scalers that are known by nothing but what is done with them: ``scaler.scale(loss).backward()``."""

from __future__ import annotations

from synclint.analysis.domain.values import UNKNOWN, Instance

# Nothing is known of how it was made, so whether it is switched on is not told.
SCALER = Instance("torch.amp.GradScaler", None, (("enabled", UNKNOWN),))
