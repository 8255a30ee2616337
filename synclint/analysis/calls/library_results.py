"""What functions of libraries return, by the kinds that the catalogue gives them."""

from __future__ import annotations

from synclint.analysis.domain.promotion import place_of
from synclint.analysis.domain.values import Value
from synclint.analysis.models.torch_results import device_named, operands
from synclint.analysis.objects import attributes
from synclint.analysis.state.frames import Arguments, Frame


def result_of_kind(name: str, kind: str, arguments: Arguments, frame: Frame) -> Value:
    """What a function of this ``kind`` returns: beside what it is given, or where a ``device`` says.

    What it would else make on the host is then made there.
    """
    entries = frame.engine.entries.get(name, ())
    named = [dict(zip(entry.parameters, arguments.positional, strict=False)) for entry in entries]
    given = next((one["device"] for one in (arguments.keywords, *named) if "device" in one), None)
    place = device_named(given) if given is not None else None
    if place is not None:
        return attributes.instance_of_kind(kind.replace("HostTensor", "Tensor"), place)
    return attributes.instance_of_kind(kind, place_of(operands(arguments.all_values())))
