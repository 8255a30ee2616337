"""What the user asked of a traced run, in a form that survives the way into a fresh interpreter."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from synclint.trace.records import DEFAULT_SCHEDULE, Device, Schedule

FORMATS = ("text", "json", "chrome", "html")


@dataclass(frozen=True)
class Output:
    """A file for the report; ``path`` is absolute."""

    format: str
    path: str


@dataclass(frozen=True)
class Settings:
    """How a run is traced.

    ``printed`` is the format that goes to standard error when the script has ended, None for none. ``stop`` ends the
    script after the last active step. ``cache_batches`` are as many batches as each loader fetches before it replays
    them, 0 for all. ``tensorboard`` is an absolute folder. ``lint`` asks the linter about the files that ran.
    """

    device: Device
    schedule: Schedule = DEFAULT_SCHEDULE
    record_shapes: bool = False
    profile_memory: bool = False
    tensorboard: str | None = None
    stop: bool = False
    cache_batches: int = 0
    printed: str | None = "text"
    outputs: tuple[Output, ...] = ()
    lint: bool = True

    def to_json(self) -> str:
        """The settings as one line of JSON."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Settings:
        """What ``to_json`` wrote."""
        values: Mapping[str, Any] = json.loads(text)
        return Settings(
            **{
                **values,
                "device": Device(values["device"]),
                "schedule": Schedule(**values["schedule"]),
                "outputs": tuple(Output(**output) for output in values["outputs"]),
            }
        )


def last_step(schedule: Schedule) -> int | None:
    """How many steps it takes until everything was recorded that will be; None where it repeats for ever."""
    if schedule.repeat == 0:
        return None
    cycle = schedule.wait + schedule.warmup + schedule.active
    return schedule.skip_first + cycle * schedule.repeat
