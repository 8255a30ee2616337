"""What the text of functions and loops says of how often they run, as plain records that can be kept and joined."""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import NamedTuple

from synclint.analysis.results.signatures import Asked, Signature
from synclint.findings import CallPlace, Context, Phase, Repetition, Span
from synclint.frozen import dataclass


class Evidence(str, Enum):
    """What the text of a loop says of its rounds.

    ``optimizer``: each steps an optimizer. ``batches`` and ``validation``: each takes a batch from a loader.
    ``backward``: each runs a backward pass. ``environment``: each takes a step in an environment. ``frames``: each
    shows a picture in a window. ``epochs``: each is one, by name. ``results``: each makes one result, by a loop of its
    own with gradients off. ``requests``: each answers what somebody asks over the network. ``rollouts``: each plays in
    an environment, and nothing is seen to learn from it. ``parts``: each takes a part of the batch of a step, which is
    around it. ``few``: it goes through what a model or a program has a few
    of, such as layers, files, or a written list, or makes one value. ``none``: nothing.
    """

    OPTIMIZER = "optimizer"
    BATCHES = "batches"
    VALIDATION = "validation"
    BACKWARD = "backward"
    ENVIRONMENT = "environment"
    FRAMES = "frames"
    EPOCHS = "epochs"
    RESULTS = "results"
    REQUESTS = "requests"
    ROLLOUTS = "rollouts"
    PARTS = "parts"
    FEW = "few"
    NONE = "none"


class Need(NamedTuple):
    """That some call of a function, by its key, gives a parameter, or leaves it out."""

    function: str
    parameter: str
    given: bool


class HandedOn(NamedTuple):
    """That a call does what ``need`` says where somebody has done what ``by`` says: ``f(x, limit=limit)``."""

    need: Need
    by: Need


class Slot(NamedTuple):
    """A parameter of a function, by the key of that."""

    function: str
    parameter: str


class Handed(NamedTuple):
    """Where a tensor is that a call hands to a ``parameter``, by its name, or by its place where that is not known.

    It is on the CPU, or, where a parameter of the caller has been handed on, wherever the tensor ``of`` that one is.
    ``is_tensor`` is false for what holds no tensor at all. Nothing is said of what may be on the device.
    """

    parameter: str
    is_tensor: bool = True
    of: Slot | None = None


# Of what is handed on it is not known where it is.
UNTOLD = Handed("")


def either_handed(first: tuple[Handed, ...], second: tuple[Handed, ...]) -> tuple[Handed, ...]:
    """What is known of a call that hands on one or the other."""
    if first == second:
        return first
    known = {one.parameter for one in first} & {one.parameter for one in second}
    return tuple(dict.fromkeys(one for one in (*first, *second) if one.parameter in known))


# What a statement brings to a simulated environment, and from it; or that it brings to the host what is returned.
ACTION, OBSERVATION, BOTH = "action", "observation", "action and observation"
RETURNED = "what is returned"
# The same, where it is what the function was given, and nothing that is computed of it.
CONVERTED = "what is given and returned"
# What is returned, where the function brings something to the device after it.
WORKED_ON = "what is returned when the device has gone on with it"
# That it reads what a loop makes by running a model in turn, such as the word that was written last.
MADE = "what is made in turn"
# That it waits until what the function sent the last time is through, before it sends the next.
SENT_BEFORE = "what was sent before"
# What a statement does by itself, and not what is called there.
OF_THE_PLACE = frozenset({RETURNED, CONVERTED, WORKED_ON, MADE, SENT_BEFORE})


class Guard(NamedTuple):
    """Something around a statement that makes it run in another phase, or captures it.

    ``loops`` is how many loops of the function stand around the guard; ``captured`` says what records what stands
    there instead of running it. ``need`` is what calls have to do so that it runs at all, ``option`` the name of a flag
    or parameter that is off by default, and has to be set. ``counts`` tells the rounds of which of the loops around it
    the guard counts, from the outside in and beginning with one; none where that is not told by the function.
    ``is_mode`` tells that a model is put into evaluation mode and back, whenever the statements around it run;
    ``region`` is the key of the region whose waits are accepted, if it begins one. ``exchange`` tells that an action is
    brought to a simulated environment here, or an observation from it, or to the host what the function returns or its
    loop makes in turn.
    """

    runs: Phase
    reason: str
    loops: int
    captured: str | None = None
    need: Need | None = None
    option: str = ""
    counts: int = 0
    is_mode: bool = False
    region: str = ""
    exchange: str = ""


# What stands around a place in its function, from the outside in: guards, and loops by their keys.
Layer = Guard | str


class CallsBehind(NamedTuple):
    """What stands around a place under some calls of its function, which others may come to behind other guards."""

    layers: tuple[Layer, ...]
    callers: tuple[CallPlace, ...]


class Region(NamedTuple):
    """A ``with`` block in which waits are accepted: where it begins, the ``reason`` that it gives, and its function."""

    path: str
    span: Span
    reason: str
    function: str


class OpaqueCall(NamedTuple):
    """A call of which nobody knows what it runs: the ``name`` as written, its place, and what stands around it.

    ``callers`` are the calls of its function under which it was seen, none where the function's own text has shown it.
    """

    name: str
    place: CallPlace
    layers: tuple[Layer, ...]
    callers: tuple[CallPlace, ...] = ()


class LoopFacts(NamedTuple):
    """A loop by its own text: what its rounds are, and whether a loop that trains or takes batches stands within it.

    ``is_retry`` tells that a round that comes to its end is the last one; ``holds_actions`` that a loop that takes
    steps in an environment stands within it, ``is_in_turn`` that each round runs a model on what the last one has made,
    ``holds_turns`` that a loop whose rounds do so stands within it, ``is_one_by_one`` that no round rests on the one
    before, ``is_open`` that nothing says how many rounds there are, ``is_beside_training`` that another loop of the
    same body trains, and none of the two stands within the other; ``yields`` that each round hands something to whoever
    goes through what a generator gives; ``is_asked`` that each round answers what somebody types, ``is_counted`` that
    its rounds are numbered, or go on until something ends them, and are given nothing else to go through.
    """

    evidence: Evidence
    holds_steps: bool
    repetition: Repetition
    is_retry: bool = False
    holds_actions: bool = False
    is_in_turn: bool = False
    holds_turns: bool = False
    is_one_by_one: bool = False
    is_open: bool = False
    is_beside_training: bool = False
    yields: bool = False
    is_asked: bool = False
    is_counted: bool = False


class Call(NamedTuple):
    """A call of a function: ``caller`` is a key, ``layers`` is what stands around the call in the caller.

    ``hands`` tells of arguments that are known to be on the CPU, or where others of the caller's are.
    ``is_certain`` is false for a function that was only handed to another one there. ``sets`` are the parameters that
    are false by default and that the call sets, ``may_set`` those to which it gives something unknown, ``passes`` those
    to which it gives a parameter of the caller, with the name of that. ``is_idle`` tells that it gives something that
    keeps the function from training, ``goes_up`` that it is that of a method of a base by ``super()``, which no other
    subclass has overridden there. ``arms`` are the branches of a program's beginning in which it stands. ``given`` are,
    where the caller calls what it was given for a parameter, the ways by which it was: each begins with the call that
    gives the function, and goes on with those that hand it on. ``gives`` is what it gives a method that takes more than
    those may that stand in its place. ``is_guess`` tells that it may as well mean a method of another class, ``starts``
    that a process or thread is made there that runs the function. ``is_gone_through`` tells that the innermost loop
    around it goes through what the call yields, so that its rounds are those of the generator.
    """

    caller: str
    place: CallPlace
    layers: tuple[Layer, ...]
    is_certain: bool = True
    sets: tuple[str, ...] = ()
    passes: tuple[tuple[str, str], ...] = ()
    may_set: tuple[str, ...] = ()
    is_idle: bool = False
    goes_up: bool = False
    hands: tuple[Handed, ...] = ()
    arms: tuple[str, ...] = ()
    given: tuple[tuple[Call, ...], ...] = ()
    gives: Asked | None = None
    is_guess: bool = False
    starts: bool = False
    is_gone_through: bool = False

    @property
    def layers_beside_rounds(self) -> tuple[Layer, ...]:
        """What stands around it but for the loop that goes through what it yields."""
        return self.layers[:-1] if self.is_gone_through else self.layers


@dataclass(frozen=True)
class FunctionFacts:
    """A function, or the top of a module, by its own text.

    ``configured`` is what the settings say, ``fixed`` what is certain whoever calls it (a test, a benchmark),
    ``named`` what its name and those around it say, ``hot`` that it is a method
    that is called in each step, such as ``forward``, ``is_always_hot`` that a framework does so, whoever else does, and
    ``is_hot_by_name`` that no framework does: its class derives from nothing.
    ``evaluates`` tells that its text is that of an evaluation, ``tests`` that it leaves a model that others train in
    evaluation mode, with gradients off. ``is_entry`` is where a program begins,
    ``answers_requests`` what a server runs once for each request, ``receives`` what reads from a socket. ``steps`` is
    evidence that it steps an optimizer, or runs a backward pass, outside its own loops; ``holds_steps`` that one of its
    loops does, ``holds_actions`` that one takes steps in an environment, ``runs_in_turn`` that one runs a model on what
    its last round has made; ``is_quiet`` that gradients are off in it. ``is_clocked`` tells that it synchronizes to
    read a clock, ``leaves_early`` that a branch at its top only leaves it. ``captured`` says what records the function
    instead of running it. ``parent`` is around it; ``overrides`` is the method of a base class in whose place it
    stands; ``wrapped_in`` are the functions within its decorators that stand in its place, and are called where it is;
    ``on_host`` tells that it prepares data, usually in a loader's workers, where tensors are on the CPU,
    ``collates`` that a loader without workers calls it for each batch.
    ``scope`` is its name in its module, such as ``Net.forward``.
    ``infers`` tells that results are what it is there for, and not training; ``is_named_inference`` that names say so.
    ``is_named_training`` tells that its name is that of a training step, ``is_loss`` that names
    speak of a loss; ``saves`` that its parameters speak of
    saving or showing something, which is done on request. ``constructor`` is the key of the ``__init__`` of the class
    whose method it is. ``interface`` is the abstract method that it implements, by its name. ``takes`` is what a
    method takes, None where that is not known. ``is_elsewhere`` tells that it is a method of a variant for the CPU, or
    for accelerators of another kind. ``numbers`` are the parameters that are annotated as a number or a tensor.
    ``order_key`` orders functions whatever their files are called.
    """

    name: str
    parent: str | None = None
    overrides: str | None = None
    wrapped_in: tuple[str, ...] = ()
    configured: Context | None = None
    fixed: Context | None = None
    named: Context | None = None
    is_method: bool = False
    hot: str | None = None
    is_always_hot: bool = False
    is_hot_by_name: bool = False
    evaluates: bool = False
    tests: bool = False
    is_entry: bool = False
    answers_requests: bool = False
    receives: bool = False
    is_module: bool = False
    steps: Evidence = Evidence.NONE
    holds_steps: bool = False
    holds_actions: bool = False
    runs_in_turn: bool = False
    is_quiet: bool = False
    is_clocked: bool = False
    leaves_early: bool = False
    is_generator: bool = False
    captured: str | None = None
    on_host: bool = False
    collates: bool = False
    scope: str = ""
    infers: bool = False
    is_named_inference: bool = False
    is_named_training: bool = False
    is_loss: bool = False
    saves: Context | None = None
    constructor: str | None = None
    interface: str = ""
    takes: Signature | None = None
    is_elsewhere: bool = False
    numbers: frozenset[str] = frozenset()
    # An edit within a function may change it, which is nothing new of the function.
    order_key: str = field(default="", compare=False)

    @property
    def is_free(self) -> bool:
        """Whether no framework decides when it runs, as it does for `forward`, and for the step of an optimizer."""
        return self.hot is None or self.name == "__call__"
