"""Configuration: one table of settings, and where their values come from."""

from synclint.config.options import Options

__all__ = ["Options"]
