"""Draw a timeline of host and device as SVG, to stand inside a page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from synclint.verify.measurement import Bar, Timeline

WIDTH = 560
_LABEL = 52
_LANE = 26
_GAP = 10
_TOP = 4
_AXIS = 20
HEIGHT = _TOP + 2 * _LANE + _GAP + _AXIS

# Thinner bars cannot be seen, nor pointed at.
_THINNEST = 1.5
_TICKS = 4


def span(timelines: Iterable[Timeline]) -> float:
    """The microseconds that a common scale for these timelines must cover."""
    return max((bar.end for drawn in timelines for bar in (*drawn.host, *drawn.device)), default=0.0)


def draw(timeline: Timeline, length: float) -> str:
    """The timeline as an SVG element whose width stands for ``length`` microseconds.

    Waits are drawn over the lines that wait. Bars say what they are when pointed at.
    """
    length = max(length, 1.0)
    scale = (WIDTH - _LABEL) / length
    device_top = _TOP + _LANE + _GAP
    # Drawn from the longest to the shortest, so that a line never hides the helper's lines within it.
    host = sorted(timeline.host, key=lambda bar: (bar.kind == "wait", bar.start - bar.end))
    parts = [
        f'<svg class="timeline" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{_caption(timeline)}">',
        f'<text x="0" y="{_TOP + _LANE * 0.65:g}">host</text>',
        f'<text x="0" y="{device_top + _LANE * 0.65:g}">device</text>',
        _lane(_TOP),
        _lane(device_top),
        *(_bar(bar, _TOP, scale, timeline.schematic) for bar in host),
        *(_bar(bar, device_top, scale, timeline.schematic) for bar in timeline.device),
        *_axis(length, scale, timeline.schematic),
        "</svg>",
    ]
    return "".join(parts)


def _caption(timeline: Timeline) -> str:
    kind = "schematic timeline" if timeline.schematic else "timeline"
    return escape(f"{kind} of {timeline.function}, {timeline.side.value}")


def _lane(top: float) -> str:
    return f'<rect class="lane" x="{_LABEL}" y="{top}" width="{WIDTH - _LABEL}" height="{_LANE}"/>'


def _bar(bar: Bar, top: float, scale: float, schematic: bool) -> str:
    x = _LABEL + bar.start * scale
    width = max((bar.end - bar.start) * scale, _THINNEST)
    title = bar.label if schematic else f"{bar.label}: {_duration(bar.end - bar.start)}"
    return (
        f'<rect class="bar {escape(bar.kind)}" x="{x:.2f}" y="{top}" width="{width:.2f}" height="{_LANE}">'
        f"<title>{escape(title)}</title></rect>"
    )


def _axis(length: float, scale: float, schematic: bool) -> Iterable[str]:
    y = HEIGHT - 5
    if schematic:
        yield f'<text class="tick" x="{WIDTH}" y="{y}" text-anchor="end">order only, no time scale →</text>'
        return
    for tick in range(_TICKS + 1):
        at = length * tick / _TICKS
        anchor = "start" if tick == 0 else "end" if tick == _TICKS else "middle"
        x = _LABEL + at * scale
        yield f'<text class="tick" x="{x:.1f}" y="{y}" text-anchor="{anchor}">{_duration(at)}</text>'


def _duration(microseconds: float) -> str:
    return f"{microseconds / 1000:.2f} ms" if microseconds >= 100 else f"{microseconds:.0f} µs"
