"""``synclint trace``: the user's own run, its waits on the user's own lines."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import click

from synclint.commands.output import complain
from synclint.spelling import nearest
from synclint.trace.records import Device, Schedule
from synclint.trace.settings import FORMATS, Output, Settings

_EXAMPLES = """\
\b
Examples:
  synclint trace train.py --epochs 1          a script and its arguments
  synclint trace -m package.train --config x  a module, as `python -m` runs it
  synclint trace --pytest tests/test_step.py  tests
  synclint trace --device sim train.py        on a simulated GPU
  synclint trace --stop --active 5 train.py   end it after five measured steps
  synclint trace --output-file json=trace.json train.py
  synclint trace --compare before.json after.json
  synclint trace --merge synclint-trace.rank*.json

\b
Options come before the script; what follows it is the script's. The report
goes to standard error when the script has ended, and the exit status is the
script's own.
"""
_LAUNCH = Path(__file__).parent.parent / "trace" / "launch.py"
_NEEDS_ANOTHER_BUILD = (
    "there is no CUDA device here, and the simulated one needs a build of PyTorch for the CPU, which this one for CUDA "
    "{release} is not: install it in an environment of its own (pytorch.org, compute platform CPU)"
)
_MAIN = "-m"
_PYTEST = "--pytest"


class _Traced(click.Command):
    """A command whose arguments end where those of the user's program begin."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what follows ``-m MODULE`` and ``--pytest`` out of click's hands, as Python does behind ``-m``."""
        valued = {
            name
            for parameter in self.params
            if isinstance(parameter, click.Option) and not parameter.is_flag
            for name in parameter.opts
        }
        position = 0
        while position < len(args) and args[position].startswith("-") and args[position] != "--":
            argument = args[position]
            if argument in (_MAIN, _PYTEST):
                after = position + (2 if argument == _MAIN else 1)
                return super().parse_args(ctx, [*args[:after], "--", *args[after:]])
            position += 2 if argument in valued else 1
        return super().parse_args(ctx, args)


def _read_outputs(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[str | None, Path], ...]:
    found: list[tuple[str | None, Path]] = []
    for text in given:
        name, equals, rest = text.partition("=")
        if equals and name.isalpha() and name not in FORMATS:
            hint = nearest(name, FORMATS) or f"; choose one of {', '.join(FORMATS)}"
            raise click.UsageError(f"--output-file: unknown format {name!r}{hint}")
        path = Path(rest if equals and name in FORMATS else text)
        if not path.name:
            raise click.UsageError(f"--output-file: {text!r} names no file")
        if not path.parent.is_dir():
            raise click.UsageError(f"--output-file: {path.parent} is not a directory")
        found.append((name if equals and name in FORMATS else None, Path(os.path.abspath(path))))  # noqa: PTH100
    return tuple(found)


@click.command(
    cls=_Traced, epilog=_EXAMPLES, context_settings={"allow_interspersed_args": False, "max_content_width": 100}
)
@click.option("-m", "module", metavar="MODULE", help="Run a module, as `python -m` does; what follows belongs to it.")
@click.option("--pytest", "run_pytest", is_flag=True, help="Run tests: `pytest` with the arguments that follow.")
@click.option("--merge", is_flag=True, help="Combine the JSON reports of several processes into one.")
@click.option("--compare", is_flag=True, help="Compare two JSON reports, from before and after a change.")
@click.option(
    "--device",
    type=click.Choice([device.value for device in Device]),
    help="Where to run: on CUDA, or on a simulated device that counts waits but does not measure them. "
    "Unset: CUDA if there is a GPU.",
)
@click.option(
    "--skip-first",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Steps to skip before the schedule begins.",
)
@click.option("--wait", type=click.IntRange(0), default=1, show_default=True, help="Steps that are not profiled.")
@click.option(
    "--warmup", type=click.IntRange(0), default=1, show_default=True, help="Steps in which the profiler warms up."
)
@click.option("--active", type=click.IntRange(1), default=3, show_default=True, help="Steps that are profiled.")
@click.option(
    "--repeat",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="How often the schedule is repeated; 0: until the end.",
)
@click.option("--stop", is_flag=True, help="End the script after the active steps, as `sys.exit()` would.")
@click.option("--record-shapes", is_flag=True, help="Record the shapes of operators' inputs in the profiler's trace.")
@click.option("--profile-memory", is_flag=True, help="Record allocations in the profiler's trace.")
@click.option(
    "--tensorboard",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the files of `torch.profiler.tensorboard_trace_handler`.",
)
@click.option(
    "--cache-batches",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Let each loader fetch N batches and replay them from memory, to measure steps without their input.",
)
@click.option("--no-lint", is_flag=True, help="Do not run the linter on the files that ran.")
@click.option(
    "--output-format",
    type=click.Choice(FORMATS[:2]),
    default="text",
    show_default=True,
    help="What to print on standard error.",
)
@click.option(
    "--output-file",
    "outputs",
    multiple=True,
    metavar="[FORMAT=]PATH",
    callback=_read_outputs,
    help="Write the report to a file instead of printing it; with FORMAT=PATH, in addition to printing it. "
    f"Repeatable. Formats: {', '.join(FORMATS)}.",
)
@click.argument("program", nargs=-1, type=click.UNPROCESSED, metavar="[SCRIPT] [ARGUMENTS]...")
def trace(
    module: str | None,
    run_pytest: bool,
    merge: bool,
    compare: bool,
    device: str | None,
    skip_first: int,
    wait: int,
    warmup: int,
    active: int,
    repeat: int,
    stop: bool,
    record_shapes: bool,
    profile_memory: bool,
    tensorboard: Path | None,
    cache_batches: int,
    no_lint: bool,
    output_format: str,
    outputs: tuple[tuple[str | None, Path], ...],
    program: tuple[str, ...],
) -> int:
    """Run a program and report which of its lines make the host wait for the device, how often and for how long."""
    if merge or compare:
        from synclint.commands.trace_files import compare_reports, merge_reports

        if module or run_pytest or (merge and compare):
            raise click.UsageError("--merge and --compare read reports and run nothing: use one of them")
        return (merge_reports if merge else compare_reports)(program, output_format, outputs)
    kind, target, arguments = _target(module, run_pytest, program)
    chosen = _device(device)
    if chosen is None:
        return 2
    if chosen is Device.SIMULATED:
        for name, given in (
            ("record-shapes", record_shapes),
            ("profile-memory", profile_memory),
            ("tensorboard", tensorboard),
        ):
            if given:
                raise click.UsageError(f"--{name} belongs to the profiler, which needs a CUDA device")
    settings = Settings(
        device=chosen,
        schedule=Schedule(skip_first, wait, warmup, active, repeat),
        record_shapes=record_shapes,
        profile_memory=profile_memory,
        tensorboard=os.path.abspath(tensorboard) if tensorboard else None,  # noqa: PTH100
        stop=stop,
        cache_batches=cache_batches,
        printed=None if any(form is None for form, _ in outputs) else output_format,
        outputs=tuple(Output(form or output_format, str(path)) for form, path in outputs),
        lint=not no_lint,
    )
    if settings.stop and repeat == 0:
        raise click.UsageError("--stop ends the script after the active steps, and --repeat 0 has no end")
    return _execute(settings, kind, target, arguments)


def _target(module: str | None, run_pytest: bool, program: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
    if run_pytest:
        return "module", "pytest", program
    if module is not None:
        return "module", module, program
    if not program:
        raise click.UsageError("nothing to run; name a script, or a module with -m MODULE")
    script, *arguments = program
    if not Path(script).exists():
        raise click.UsageError(f"{script}: no such file; options of synclint come before the script")
    return "script", script, tuple(arguments)


def _device(asked: str | None) -> Device | None:
    """The device to trace on; None where there is none, which has been told of."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        complain("error", "PyTorch is not installed here: install it in the same environment as synclint")
        return None
    if asked == Device.SIMULATED.value:
        return Device.SIMULATED
    release = _cuda_release(Path(spec.origin))
    if release is not None and _has_device():
        return Device.CUDA
    if asked is not None:
        complain("error", "there is no CUDA device here; `--device sim` counts waits on a simulated one")
        return None
    if release:
        # Most people without a GPU have this build: it is what the package index gives for Linux.
        complain("error", _NEEDS_ANOTHER_BUILD.format(release=release))
        return None
    said = "there is no CUDA device here: tracing on a simulated one, which counts waits but does not measure them"
    complain("note", said)
    return Device.SIMULATED


def _cuda_release(package: Path) -> str | None:
    """The release of CUDA that PyTorch is built for, without importing it: None for none, empty where it is unknown."""
    try:
        text = (package.parent / "version.py").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    found = re.search(r"^cuda\b[^=\n]{0,80}=[ \t]{0,9}(\S.{0,80})$", text, re.MULTILINE)
    said = found[1].strip().strip("'\"") if found else ""
    return None if said == "None" else said


def _has_device() -> bool:
    """Ask in a process of its own: whoever has asked CUDA cannot fork the loader's workers any more."""
    asked = [sys.executable, "-c", "import sys, torch; sys.exit(0 if torch.cuda.is_available() else 1)"]
    return subprocess.run(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def _execute(settings: Settings, kind: str, target: str, arguments: tuple[str, ...]) -> NoReturn:
    """Become a fresh interpreter that runs the program: nothing of this one stays for it to see."""
    flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    command = [sys.executable, *flags, str(_LAUNCH), settings.to_json(), kind, target, *arguments]
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "nt":  # where a process that takes another's place is not waited for
        raise SystemExit(subprocess.call(command))
    os.execv(sys.executable, command)
