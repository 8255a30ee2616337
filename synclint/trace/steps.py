"""What a step is: a call of ``optimizer.step()``, or what the user's code says."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


class StepLeader:
    """Tells which calls of ``step`` begin a new step where there are several optimizers.

    The one that stepped first leads; another takes its place when it steps twice without the first. So a model and its
    opponent with an optimizer each make one step together, and an optimizer that others wrap counts once.
    """

    def __init__(self) -> None:
        self._leader: int | None = None
        self._others: set[int] = set()

    def ends_step(self, optimizer: int) -> bool:
        """Whether this call of the optimizer with this identity ends a step."""
        if self._leader is None or optimizer in self._others:
            self._leader = optimizer
        if optimizer != self._leader:
            self._others.add(optimizer)
            return False
        self._others.clear()
        return True


class OptimizerHooks:
    """Calls back before and after each optimizer steps, of whatever class.

    ``before`` and ``paused`` are called around what the optimizer does itself: a closure that it is given, as LBFGS
    needs it and Lightning gives it to every optimizer, runs forward and backward between ``paused`` and ``before``.
    """

    def __init__(self, before: Callable[[], None], paused: Callable[[], None], after: Callable[[int], None]) -> None:
        self._before = before
        self._paused = paused
        self._after = after
        self._handles: list[Any] = []

    def start(self) -> None:
        """Put the hooks in place."""
        from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

        self._handles = [
            register_optimizer_step_pre_hook(lambda optimizer, arguments, options: self._begun(arguments, options)),
            register_optimizer_step_post_hook(lambda optimizer, arguments, options: self._after(id(optimizer))),
        ]

    def _begun(
        self, arguments: tuple[object, ...], options: dict[str, object]
    ) -> tuple[tuple[object, ...], dict[str, object]] | None:
        """An optimizer steps; its arguments, itself among them, with a closure that says when it runs."""
        self._before()
        if callable(options.get("closure")):
            return arguments, {**options, "closure": self._apart(options["closure"])}
        if len(arguments) > 1 and callable(arguments[1]):
            return (arguments[0], self._apart(arguments[1]), *arguments[2:]), options
        return None

    def _apart(self, closure: Any) -> Callable[..., object]:  # noqa: ANN401
        @functools.wraps(closure)
        def apart(*arguments: object, **options: object) -> object:
            self._paused()
            try:
                return closure(*arguments, **options)
            finally:
                self._before()

        return apart

    def stop(self) -> None:
        """Take them away again."""
        while self._handles:
            self._handles.pop().remove()
