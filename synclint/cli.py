"""The command line: which command runs, and how a run ends."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from synclint.commands.output import complain
from synclint.plugins.discovery import PluginError
from synclint.rules.loading import RuleFileError
from synclint.running.shortfalls import describe_internal_error, fault
from synclint.spelling import nearest
from synclint.version import __version__

_DEFAULT_COMMAND = "check"

# Module, command and short help. Commands are imported only when they run: `synclint --version` needs no
# engine, and linting needs no torch.
_COMMANDS = {
    "check": ("synclint.commands.check", "check", "Find the waits in files and directories (the default)."),
    "rules": ("synclint.commands.rules", "list_rules", "List the rules."),
    "explain": ("synclint.commands.rules", "explain", "Show the page of a rule."),
    "contracts": ("synclint.commands.contracts", "contracts", "List the sync-free functions, and whether they are."),
    "config": ("synclint.commands.config", "show_config", "Show the settings in effect and their origins."),
    "clean": ("synclint.commands.clean", "clean", "Remove the results that runs have kept."),
    "server": ("synclint.server.command", "serve", "Run the language server for editors."),
    "trace": ("synclint.commands.trace", "trace", "Run a program and report where it waits for the GPU."),
    "verify": ("synclint.commands.verify", "verify", "Prove the rules on a GPU, or on a simulated one."),
}

_HELP = """Find the lines of PyTorch code that make the CPU wait for the GPU.

\b
Examples:
  synclint src/            check a directory (`synclint check src/`)
  synclint -               check standard input
  synclint rules           list the rules
  synclint explain SYN101  what it finds, why it waits, what to write instead
  synclint trace train.py  run a script and report where it waits
  synclint --verify        prove the rules on a GPU (`synclint verify`)

`synclint check --help` lists the options for checking.
"""


class DefaultCommandGroup(click.Group):
    """A group whose first argument may be left out: what is no command goes to ``check``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command's name before its arguments where the user did not write one."""
        if args and args[0] not in (*_COMMANDS, *ctx.help_option_names, "-V", "--version"):
            _refuse_misspelled_command(args[0])
            if "--verify" in args:
                args = ["verify", *(argument for argument in args if argument != "--verify")]
            else:
                args = [_DEFAULT_COMMAND, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which they are explained."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command, None when there is none of this name."""
        if cmd_name not in _COMMANDS:
            return None
        module, name, _ = _COMMANDS[cmd_name]
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands, and what may stand in place of one: paths and options of the default command."""
        completions = super().shell_complete(ctx, incomplete)
        default = self.get_command(ctx, _DEFAULT_COMMAND)
        if default is not None and incomplete.startswith("-"):
            with default.make_context(_DEFAULT_COMMAND, [], ctx, resilient_parsing=True) as inner:
                known = {completion.value for completion in completions}
                options = default.shell_complete(inner, incomplete)
                return [*completions, *(option for option in options if option.value not in known)]
        return [*completions, CompletionItem(incomplete, type="file")]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, short_help) for name, (_, _, short_help) in _COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a reader of our output that has gone away, such as ``head``, is no error."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # Python flushes once more at its end; that must not complain either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        return result


def _refuse_misspelled_command(word: str) -> None:
    """Raise UsageError for a word that is almost a command, and no path: there is nothing to check by that name."""
    if not word.isalpha() or Path(word).exists():
        return
    hint = nearest(word, tuple(_COMMANDS))
    if hint:
        raise click.UsageError(f"no such command or path: {word!r}{hint}")


@click.group(
    cls=DefaultCommandGroup,
    help=_HELP,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "-V", "--version", prog_name="synclint", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """The group of all commands; alone it shows what there is, which is wrong use in a script."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
        context.exit(2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status.

    0: nothing found; 1: findings; 2: wrong use, or something could not be checked; 130: interrupted.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # File names need not be valid text, and not every terminal can show every character.
            stream.reconfigure(errors="backslashreplace")
    try:
        given = sys.argv[1:] if arguments is None else list(arguments)
        status = cli.main(given, prog_name="synclint", standalone_mode=False, obj=tuple(given))
    except click.ClickException as error:
        complain("error", error.format_message())
        return 2
    except (RuleFileError, PluginError) as error:
        complain("error", str(error))
        return 2
    except click.Abort:
        complain("error", "interrupted")
        return 130
    except Exception as error:
        reason = fault(error)
        complain("error", describe_internal_error(error) if reason is None else reason)
        return 2
    return status if isinstance(status, int) else 0
