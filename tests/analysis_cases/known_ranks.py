# case: what-the-length-of-a-size-says-of-a-tensor
from torch import Tensor


def at_least_one(bits: Tensor) -> Tensor:
    if len(bits.size()) == 1:
        bits[0] = 1  # sync: SYN404
    elif len(bits.size()) == 2:
        bits[0] = 1
    return bits


# case: repeated-tensors-have-as-many-dimensions-as-they-are-repeated-in
from torch import Tensor


def pairs(bound: Tensor) -> Tensor:
    bound = bound.repeat(2)
    bound[1] = 8  # sync: SYN404
    table = bound.repeat(3, 1)
    table[1] = 8
    return table


def tiled(rows: Tensor) -> Tensor:
    table = rows.reshape(2, -1).tile((3,))
    table[1] = 8
    return table


# case: ellipsis-that-stands-for-no-dimension
from torch import Tensor


def corners(values: Tensor) -> Tensor:
    table = values.reshape(2, -1)
    table[..., 0, 1] = 1.0  # sync: SYN404
    table[..., 0] = 1.0
    values[..., 0, 1] = 1.0
    return table
