"""Copies that somebody needs on the host."""

from __future__ import annotations

from torch import Tensor


def alone(values: Tensor) -> Tensor:
    return values.sum(dim=0).cpu()


def for_the_host(values: Tensor) -> tuple[Tensor, object]:
    counts = (values > 0.5).sum(dim=0).cpu()
    return values * 2, counts.numpy()


def with_others_of_the_host(values: Tensor) -> tuple[Tensor, Tensor]:
    return values.sum(dim=0).cpu(), values.mean(dim=0).cpu()


def printed(values: Tensor) -> tuple[Tensor, Tensor]:
    counts = (values > 0.5).sum(dim=0).cpu()
    print(counts)
    return values * 2, counts
