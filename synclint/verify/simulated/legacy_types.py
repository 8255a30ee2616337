"""``torch.cuda.FloatTensor`` and its kin, as old scripts call them, for a PyTorch without CUDA's types."""

from __future__ import annotations

from typing import Any

import torch

DTYPES = {
    "FloatTensor": torch.float32,
    "DoubleTensor": torch.float64,
    "HalfTensor": torch.float16,
    "BFloat16Tensor": torch.bfloat16,
    "ByteTensor": torch.uint8,
    "CharTensor": torch.int8,
    "ShortTensor": torch.int16,
    "IntTensor": torch.int32,
    "LongTensor": torch.int64,
    "BoolTensor": torch.bool,
}


class _LegacyType(type):
    """A type that its tensors are instances of, and that makes one when it is called."""

    dtype: torch.dtype

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, torch.Tensor) and instance.is_cuda and instance.dtype == cls.dtype

    def __call__(cls, *arguments: Any, device: object = None) -> torch.Tensor:  # noqa: ANN401 -- sizes, or data
        """A tensor of these sizes that holds anything, or of the data given, as the constructor of PyTorch's does."""
        if len(arguments) == 1 and not isinstance(arguments[0], (int, torch.Size)):
            return torch.tensor(arguments[0], dtype=cls.dtype).to("cuda")
        return torch.empty(*arguments or (0,), dtype=cls.dtype, device="cuda")


def legacy_types() -> dict[str, type]:
    """The types by name; their full names are what ``Tensor.type`` reads."""
    return {name: _LegacyType(f"torch.cuda.{name}", (), {"dtype": dtype}) for name, dtype in DTYPES.items()}


_set_default_tensor_type = torch.set_default_tensor_type


def set_default_tensor_type(chosen: object) -> None:
    """Let tensors be made on the device where a type of it is chosen, as PyTorch built for CUDA does."""
    name = chosen if isinstance(chosen, str) else getattr(chosen, "__name__", "")
    if not name.startswith("torch.cuda."):
        _set_default_tensor_type(chosen)
        return
    torch.set_default_dtype(DTYPES[name.rpartition(".")[2]])
    torch.set_default_device("cuda")
