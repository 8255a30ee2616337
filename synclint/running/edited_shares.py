"""Edits of functions' bodies put into the analysis of the shares that are concerned, instead of a new analysis."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from synclint.running.held_shares import HeldShare, held_share
from synclint.running.open_shares import OpenShares, Paths, edited_in, paths_of, with_moved_lines
from synclint.running.progress import Progress
from synclint.running.survey import CodeFile, SurveyedFiles

Shares = Mapping[tuple[CodeFile, ...], HeldShare]


@dataclass(frozen=True)
class EditedShares:
    """Edits of files that were ``surveyed`` and analysed in ``shares``, of which some are ``opened`` for edits."""

    surveyed: SurveyedFiles
    shares: Shares
    opened: OpenShares
    progress: Progress

    def after(
        self, surveyed: SurveyedFiles, divided: Sequence[tuple[CodeFile, ...]], changed: Collection[Path]
    ) -> dict[tuple[CodeFile, ...], HeldShare]:
        """The shares to which changed files brought other bodies of functions, or nothing but other lines."""
        if not changed:
            return {}
        before = {file.real_path: file for file in self.surveyed.files}
        after = {file.real_path: file for file in surveyed.files}
        now = {paths_of(share): share for share in divided}
        if now.keys() != {paths_of(share) for share in self.shares}:
            return {}
        found: dict[Paths, HeldShare] = {}
        lost: set[Paths] = set()
        for path in sorted(changed):
            old, new = before.get(path), after.get(path)
            concerned = {
                paths_of(share): found.get(paths_of(share), held)
                for share, held in self.shares.items()
                if str(path) in held.consulted
            }
            edits = {}
            if old is not None and new is not None and old.has_torch_in_reach:
                edits = self._put_into(old, new, concerned, may_open=len(changed) == 1)
            found.update(edits)
            lost |= concerned.keys() - edits.keys()
        for key in lost:
            self.opened.close(now[key])
        results: dict[tuple[CodeFile, ...], HeldShare] = {}
        for key in found.keys() - lost:
            known = self.opened.find(now[key])
            parts = found[key].results if known is None else (known.result(),)
            results[now[key]] = held_share(now[key], parts)
        return results

    def _put_into(
        self, old: CodeFile, new: CodeFile, concerned: Mapping[Paths, HeldShare], *, may_open: bool
    ) -> dict[Paths, HeldShare]:
        """What is known of the shares that looked at a file when it has another text, as far as that can be told."""
        owner = next((held for held in concerned.values() if old in held.files), None)
        edited = edited_in(old, new)
        if owner is None or edited is None:
            return {}
        opened = self.opened.opened(owner.files, self.progress) if may_open else self.opened.find(owner.files)
        if opened is None or opened.edit(new) is None:
            return {}
        found = {paths_of(owner.files): owner}
        for key, held in concerned.items():
            if held is owner:
                continue
            other = self.opened.find(held.files)
            # Where one would have to be closed for it, a new analysis in another process is the better way.
            may_open_other = may_open and self.opened.has_room(held.files)
            if other is None and not opened.edited.isdisjoint(held.entered) and may_open_other:
                other = self.opened.opened(held.files, self.progress)
            if other is not None:
                if other.edit(new) is not None:
                    found[key] = held
            elif opened.edited.isdisjoint(held.entered):
                found[key] = replace(held, results=with_moved_lines(held.results, new, edited.lines))
        return found
