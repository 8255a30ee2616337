"""A metadata provider for libcst with what synclint concluded about the expressions of a module."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import libcst as cst
from libcst.metadata import BaseMetadataProvider, PositionProvider

from synclint.codemod.files import facts_of_files, facts_of_text
from synclint.results.expression_facts import FileFacts, TensorFact
from synclint.results.fact_nodes import Positions, facts_of_nodes

_MARK = "\ufeff"


class TensorFactProvider(BaseMetadataProvider[TensorFact]):
    """For each expression of a module, the `TensorFact` that synclint concluded about it.

    The facts come from the files themselves, through ``FullRepoManager``, like those of ``TypeInferenceProvider``:

        manager = FullRepoManager(root, ["train.py"], {TensorFactProvider})
        wrapper = manager.get_metadata_wrapper_for_path("train.py")
        facts = wrapper.resolve(TensorFactProvider)

    The files of a manager are analysed together: list all files that call one another. If the module at hand differs
    from the one that was analysed, as in the second pass of a codemod, its own text is analysed. There are no facts
    about what the analysis never reached: code that cannot run, names that are only assigned to, type annotations. For
    a module without a manager, use
    ``MetadataWrapper(module, cache={TensorFactProvider: facts_of_text(text, path, [root])})``. Resolving it raises
    UnknownFactsError if neither Python's parser nor ours for newer syntax can read the text.
    """

    METADATA_DEPENDENCIES = (PositionProvider,)
    takes_file_facts = True
    """Tells who runs matchers over a file that has been analysed already that its facts are all that is needed."""

    @classmethod
    def gen_cache(
        cls, root_path: Path, paths: list[str], timeout: int | None = None, **kwargs: object
    ) -> Mapping[str, object]:
        """The facts about files, by the paths passed, which are relative to ``root_path``; the timeout is not used.

        A file that cannot be read or parsed does not affect the others: if a module is made from it nevertheless, the
        module's text is analysed. Raises ConfigurationError for an invalid configuration.
        """
        files = {path: root_path / path for path in paths}
        found = facts_of_files(files.values(), root_path)
        return {path: found.get(file) or FileFacts(file, "", (root_path,)) for path, file in files.items()}

    def __init__(self, cache: object) -> None:
        super().__init__(cache)
        if not isinstance(cache, FileFacts):
            raise TypeError("TensorFactProvider takes the facts that FullRepoManager or facts_of_text gives")
        self._known = cache

    def _gen_impl(self, module: cst.Module) -> None:
        known, text = self._known, module.code
        if text.removeprefix(_MARK) != known.source.removeprefix(_MARK):
            known = facts_of_text(text, known.path, known.roots)
        positions = cast("Positions", self.metadata[PositionProvider])
        for node, fact in facts_of_nodes(positions, known).items():
            self.set_metadata(node, fact)
