# case: what-an-interface-leaves-open-is-what-the-class-of-the-library-beside-it-does
from abc import ABC, abstractmethod

import torch
from torch import Tensor, distributions


class Interface(ABC):
    @abstractmethod
    def log_prob(self, value: Tensor) -> Tensor:
        raise NotImplementedError

    def score(self, value: Tensor) -> Tensor:
        return self.log_prob(value).sum()  # sync: SYN504


class Gaussian(distributions.MultivariateNormal, Interface):
    pass


def likelihood(mean: Tensor, covariance: Tensor, value: Tensor) -> Tensor:
    return Gaussian(mean, covariance).log_prob(value)  # sync: SYN504


# case: what-no-library-implements-is-what-the-project-does
from abc import ABC, abstractmethod

import torch
from torch import Tensor, distributions


class Interface(ABC):
    @abstractmethod
    def log_prob(self, value: Tensor) -> Tensor:
        raise NotImplementedError

    def score(self, value: Tensor) -> Tensor:
        return self.log_prob(value).sum()


class Shifted(distributions.Distribution, Interface):
    def __init__(self, shift: Tensor) -> None:
        self.shift = shift
        super().__init__(shift.shape, validate_args=False)

    def log_prob(self, value: Tensor) -> Tensor:
        return value - self.shift


# case: methods-that-only-the-classes-below-have-from-a-library
from torch import Tensor, distributions, nn


class Scored:
    def score(self, value: Tensor) -> Tensor:
        return self.log_prob(value).sum()  # sync: SYN504


class Gaussian(distributions.Normal, Scored):
    pass


class Twice:
    def twice(self, x: Tensor) -> Tensor:
        return self.forward(self.forward(x))


class Layer(nn.Linear, Twice):
    pass
