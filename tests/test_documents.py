"""Code blocks of documentation are checked where they stand, with real parsers and only when asked."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from command_line import Synclint
from hypothesis import given
from hypothesis import strategies as st

from synclint.sources.documents import document_module
from synclint.sources.embedded import EmbeddedSourceError

MARKDOWN = """\
# Title

- a list

  ```python title="loss.py"
  import torch

  def loss(x: torch.Tensor):
      return x[x > 0]
  ```

```bash
torch.nonzero
```

> ```py
> def again(y: torch.Tensor):
>     y.item()
> ```
"""

RESTRUCTURED = """\
Title
=====

.. note::

   .. code-block:: python
      :linenos:
      :emphasize-lines: 2

      import torch
      def loss(x: torch.Tensor):
          return x[x > 0]

.. tab-set::

   .. unknown-role:: :any:`thing`

   .. testcode::

      def again(y: torch.Tensor):
          y.item()

.. code-block:: console

   $ torch.nonzero

Text with a doctest:

>>> def third(z: torch.Tensor):
...     z.tolist()
>>> 1 + 2
3
"""


def test_documents_are_checked_only_when_asked(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(MARKDOWN)
    (tmp_path / "index.rst").write_text(RESTRUCTURED)
    assert run(".").status == 0
    assert run("--include-docs", "--output-format", "concise", ".").out.splitlines()[-1] == (
        "5 waits in the training step (2 of 2 files)."
    )


def test_markdown_places_are_those_of_the_file(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(MARKDOWN)
    places = [line.split(" ")[0] for line in run("README.md", "--output-format", "concise").out.splitlines()[:-1]]
    assert places == ["README.md:9:14:", "README.md:18:7:"]
    assert "9 |       return x[x > 0]\n" in run("README.md").out


def test_restructured_text_places_are_those_of_the_file(run: Synclint, tmp_path: Path) -> None:
    (tmp_path / "index.rst").write_text(RESTRUCTURED)
    lines = run("index.rst", "--output-format", "concise").out.splitlines()[:-1]
    assert [line.split(" ")[0] for line in lines] == [
        "index.rst:12:18:",
        "index.rst:21:11:",
        "index.rst:30:9:",
    ]


def test_a_block_that_does_not_parse_is_left_out_and_the_others_are_checked() -> None:
    text = "```python\nx = ...\nif y: <body>\n```\n\n```python\nz = 1\n```\n"
    embedded = document_module(".md", text)
    assert embedded.module == "\n\n\n\n\n\nz = 1\n\n"
    assert [block.start for block in embedded.blocks] == [7]


@pytest.mark.parametrize(
    ("info", "is_code"),
    [
        ("python", True), ("py", True), ("Python3", True), ("{code-cell} ipython3", True),
        ("{.python .numberLines}", True), ("python,ignore", True), ("", False), ("text", False),
        ("pythonic", False), ("{code-block} c", False), ("json", False),
    ],
)  # fmt: skip
def test_the_language_of_a_fence_decides(info: str, is_code: bool) -> None:
    embedded = document_module(".md", f"```{info}\nx = 1\n```\n")
    assert bool(embedded.blocks) is is_code


def test_prompts_and_results_of_a_session_are_cut_off() -> None:
    embedded = document_module(".md", "```pycon\n>>> for i in x:\n...     f(i)\n...\n12\n```\n")
    assert embedded.module.split("\n")[1:5] == ["for i in x:", "    f(i)", "", ""]
    assert embedded.blocks[0].indents == (4, 4, 3, 0)


def test_a_document_reads_no_other_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("x = 1\n")
    text = f".. include:: {secret}\n\n.. literalinclude:: {secret}\n\n.. raw:: html\n   :file: {secret}\n"
    assert document_module(".rst", text).blocks == ()


def test_a_document_that_docutils_complains_about_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert document_module(".rst", "Title\n==\n\n:bad:`role`\n\n.. nonsense::\n\n*open\n").blocks == ()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "module", "package"),
    [("a.md", "markdown_it", "markdown-it-py"), ("a.rst", "docutils", "docutils")],
)
def test_a_missing_parser_is_told_with_what_to_install(
    run: Synclint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, module: str, package: str
) -> None:
    (tmp_path / name).write_text("text\n")
    monkeypatch.setitem(sys.modules, module, None)
    result = run(name)
    assert result.status == 2
    assert result.err == (
        f"synclint: error: {name}: reading it needs {package}; install it with `pip install 'synclint[docs]'`\n"
    )


SNIPPETS = st.sampled_from([
    "```python", "```", "  x = 1", "> ```py", "- ::", "*", "`", "|a|_", "====", "+-+", "__", "", ">>> y",
    ".. code-block:: python", ".. testcode::", "  :opt: a", ".. tab-set:: x", ".. |x| y:: z",
    "\x0c", "\u2028", "\t", "\x00",
])  # fmt: skip


@given(st.lists(SNIPPETS | st.text(max_size=8), max_size=12), st.sampled_from([".md", ".rst"]))
def test_whatever_a_document_holds_its_module_has_as_many_lines(lines: list[str], suffix: str) -> None:
    text = "\n".join(lines)
    try:
        embedded = document_module(suffix, text)
    except EmbeddedSourceError as error:
        assert str(error).startswith("its parser fails on it")
    else:
        assert embedded.module.count("\n") == len(re.split("\r\n|\r|\n", text)) - 1
        for block in embedded.blocks:
            assert len(block.file_lines) == len(block.indents)


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_any_line_end_will_do(line_end: str) -> None:
    for suffix, text in ((".md", MARKDOWN), (".rst", RESTRUCTURED)):
        given_lines = document_module(suffix, text.replace("\n", line_end))
        assert given_lines.module == document_module(suffix, text).module
        assert given_lines.blocks == document_module(suffix, text).blocks
