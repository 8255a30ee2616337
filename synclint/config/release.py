"""Which releases of synclint a configuration was written for."""

from __future__ import annotations

from synclint.version import __version__


class RequiredReleaseError(ValueError):
    """A configuration that is not for this release; the message says so, and what to do."""


def check_required_release(required: object) -> None:
    """Compare what ``required-version`` says with this release. Raises RequiredReleaseError."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    if not isinstance(required, str):
        raise RequiredReleaseError(f"expected a release or a range such as '>=0.4', got {required!r}")
    text = required.strip()
    try:
        allowed = SpecifierSet(f"=={text}" if text[:1].isdigit() else text)
    except InvalidSpecifier:
        raise RequiredReleaseError(f"expected a release or a range such as '>=0.4', got {required!r}") from None
    if not allowed.contains(__version__, prereleases=True):
        raise RequiredReleaseError(f"this is synclint {__version__}, but {required!r} is required")
