"""What all trainings share: reading a value, and a recorder of what happened."""

from __future__ import annotations

import torch


def fetch_scalar(value: torch.Tensor, digits: int = 6) -> float:
    """A number of one element, rounded: the host waits for the device here."""
    return round(value.detach().item(), digits)


class Recorder:
    """Keeps numbers: ``recorder << value`` reads a value at once, ``keep`` and ``flush`` read many together."""

    def __init__(self) -> None:
        self.numbers: list[float] = []
        self._kept: list[torch.Tensor] = []

    def __lshift__(self, value: torch.Tensor | float) -> Recorder:
        self.numbers.append(float(value))
        return self

    def keep(self, value: torch.Tensor) -> None:
        """Keep a value on the device until the next ``flush``."""
        self._kept.append(value.detach())

    def kept(self) -> torch.Tensor:
        """What has been kept since the last ``flush``, still on the device."""
        return torch.stack(self._kept)

    def flush(self) -> list[float]:
        """Read all that was kept, with one copy."""
        if self._kept:
            self.numbers += torch.stack(self._kept).tolist()
            self._kept.clear()
        return self.numbers
