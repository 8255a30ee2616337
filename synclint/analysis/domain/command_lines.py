"""What ``argparse`` makes: parsers, and what they have read from the command line."""

from __future__ import annotations

from synclint.analysis.domain.values import UNKNOWN, Instance, Sequence, Value

PARSER = "argparse.ArgumentParser"
ARGUMENTS = "argparse.Namespace"


def called_parser(parser: Instance, name: str) -> Value:
    """What a method of a parser gives: what it reads comes from where the parser was made."""
    read = Instance(ARGUMENTS, None, made=parser.made)
    if name in ("parse_args", "parse_intermixed_args"):
        return read
    if name in ("parse_known_args", "parse_known_intermixed_args"):
        return Sequence("tuple", (read, Sequence("list", None, UNKNOWN)))
    return UNKNOWN
