"""What a pull request is compared with, as the runners of GitHub and GitLab tell it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from synclint.adoption.git import Git, GitError
from synclint.files.bounded_files import read_at_most

_MOST_BYTES = 2**24


def revisions_before(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The revisions that may stand for what a pull request is to be merged into, the most exact first.

    Empty where this is no run for a pull request. GitHub describes the event in a file, and GitLab in variables:
    https://docs.github.com/en/actions/reference/workflows-and-actions/variables and
    https://docs.gitlab.com/ci/variables/predefined_variables/.
    """
    return tuple(filter(None, (*_on_github(environment), *_on_gitlab(environment))))


def known_revision(revisions: tuple[str, ...], folder: Path) -> str | None:
    """The first of several revisions that the repository around a folder has; None where it has none of them."""
    git = Git(folder)
    for revision in revisions:
        try:
            git.commit(revision)
        except (GitError, ValueError):
            continue
        return revision
    return None


def _on_github(environment: Mapping[str, str]) -> Iterator[str]:
    if not environment.get("GITHUB_ACTIONS") or not environment.get("GITHUB_EVENT_NAME", "").startswith("pull_request"):
        return
    yield _base_of_event(environment.get("GITHUB_EVENT_PATH", ""))
    if branch := environment.get("GITHUB_BASE_REF"):
        yield f"origin/{branch}"


def _base_of_event(path: str) -> str:
    """The commit that the event of a pull request names; empty where it names none."""
    try:
        event = json.loads(read_at_most(Path(path), _MOST_BYTES, "an event")) if path else {}
        said = event["pull_request"]["base"]["sha"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""
    return said if isinstance(said, str) else ""


def _on_gitlab(environment: Mapping[str, str]) -> Iterator[str]:
    if not environment.get("GITLAB_CI") or not environment.get("CI_MERGE_REQUEST_IID"):
        return
    yield environment.get("CI_MERGE_REQUEST_DIFF_BASE_SHA", "")
    if branch := environment.get("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"):
        yield f"origin/{branch}"
