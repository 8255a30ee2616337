"""A hook of MkDocs: the pages of the site that follow from the rest of the project.

The rules' pages come from their folders, with the code blocks labelled; the changes, the guide for contributors and the
measurements from where they stand. Links to files outside of ``docs`` lead to these pages, or to the release on GitHub.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from synclint.rules.loading import load_rules
from synclint.rules.records import DOCUMENTATION, Rule

REPOSITORY = Path(__file__).parent.parent
DOCS = REPOSITORY / "docs"
GROUPS = {
    "1": "Sizes that depend on data",
    "2": "Values read by the host",
    "3": "Control flow",
    "4": "Host to device",
    "5": "Libraries",
    "6": "Explicit",
    "7": "Input pipeline",
}
# Pages of the site by the files that they are made of, relative to the repository.
ELSEWHERE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/RESULTS.md": "benchmarks.md",
}
WAITS, FREE, EITHER = "Waits", "Does not wait", "Waits, or does not: see the comments"
MEASURED = "<!-- measured -->"
_BLOCK = re.compile(r"^```python\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)]*)?\)")
_SAYS_IT_WAITS = re.compile(r"#.*\bwaits?\b")
_ROW = re.compile(r"^\| (high|medium|all) \|(.+)\|$", re.MULTILINE)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the rules into the navigation, and add at its end the pages that it has forgotten."""
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} | set(ELSEWHERE.values())
    config.nav = config.nav or []
    for entry in config.nav:
        if "Rules" in entry:
            entry["Rules"] += [{title: group_pages(digit)} for digit, title in GROUPS.items()]
    forgotten = pages - set(listed(config.nav))
    if forgotten:
        config.nav.append({"More": sorted(forgotten)})
    return config


def listed(entry: object) -> Iterator[str]:
    """The pages that a part of the navigation names."""
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, dict):
        yield from listed(list(entry.values()))
    elif isinstance(entry, list):
        for inner in entry:
            yield from listed(inner)


def group_pages(digit: str) -> list[dict[str, str]]:
    """The pages of the rules whose codes begin with a digit."""
    return [{f"{rule.code} {rule.name}": rule_page(rule)} for rule in ours() if rule.code[3] == digit]


def ours() -> list[Rule]:
    """The project's own rules."""
    return [rule for rule in load_rules() if rule.folder is not None and not rule.package]


def rule_page(rule: Rule) -> str:
    """Where the page of a rule stands in the site."""
    assert rule.folder is not None
    return f"rules/{rule.folder.name}.md"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made of other files."""
    for rule in ours():
        files.append(File.generated(config, rule_page(rule), content=page_of(rule)))
    for source, name in ELSEWHERE.items():
        files.append(File.generated(config, name, content=(REPOSITORY / source).read_text(encoding="utf-8")))
    for picture in (REPOSITORY / "benchmarks").glob("*.svg"):
        files.append(File.generated(config, picture.name, content=picture.read_bytes()))
    return files


def page_of(rule: Rule) -> str:
    """The page of a rule: its README with labelled code, and its two programs."""
    assert rule.folder is not None
    before, references, after = labelled(rule.page).partition("## References\n")
    programs = "".join(
        f'=== "{label}"\n\n    ```python\n{indented((rule.folder / name).read_text(encoding="utf-8"))}    ```\n\n'
        for label, name in ((WAITS, "hazard.py"), (FREE, "sync_free.py"))
    )
    told = (
        "## The same program, waiting and not\n\nBoth compute the same. They are the test of the linter, and what "
        "`synclint --verify` runs on a GPU; each line that waits says so.\n\n"
    )
    return f"{before}{told}{programs}{references}{after}"


def indented(text: str) -> str:
    """Text four columns further in."""
    return "".join(f"    {line}".rstrip(" ") for line in text.splitlines(keepends=True))


def labelled(page: str) -> str:
    """A page whose blocks of Python say whether they wait.

    Of two that follow each other without a word between them, the first waits and the second does the same without. A
    block by itself shows what to write, unless its comments say of each line which it is.
    """
    blocks = list(_BLOCK.finditer(page))
    labels: list[str] = []
    for number, block in enumerate(blocks):
        before, after = blocks[number - 1 : number], blocks[number + 1 : number + 2]
        if before and labels[-1] == WAITS and not page[before[0].end() : block.start()].strip():
            labels.append(FREE)
        elif after and not page[block.end() : after[0].start()].strip():
            labels.append(WAITS)
        else:
            labels.append(EITHER if _SAYS_IT_WAITS.search(block[1]) else FREE)
    told = iter(labels)
    return _BLOCK.sub(lambda block: _with_label(block[1], next(told)), page)


def _with_label(code: str, label: str) -> str:
    kind = {WAITS: " .waits", FREE: " .free"}.get(label, "")
    return f'``` {{ .python{kind} title="{label}" }}\n{code}```\n'


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put in what was measured, and let links lead to pages of the site or to the release on GitHub."""
    here = next((source for source, name in ELSEWHERE.items() if name == page.file.src_uri), "")
    folder = PurePosixPath(here).parent if here else PurePosixPath("docs")
    if page.file.src_uri.startswith("rules/"):
        folder = PurePosixPath(page.file.src_uri).with_suffix("")
    depth = "../" * page.file.src_uri.count("/")

    def link(found: re.Match[str]) -> str:
        target = resolved(folder, found[2])
        lands = site_page(target)
        if lands is None and not target.startswith("docs/"):
            address = f"{DOCUMENTATION}/{target}"
        else:
            address = f"{depth}{lands or target.removeprefix('docs/')}"
        return f"{found[1]}{address}{found[3] or ''})"

    return _LINK.sub(link, markdown.replace(MEASURED, measured()))


def resolved(folder: PurePosixPath, target: str) -> str:
    """A relative link as a path from the top of the repository."""
    parts: list[str] = list(folder.parts)
    for part in PurePosixPath(target).parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def site_page(path: str) -> str | None:
    """The page of the site for a file of the repository; None where there is none of its own."""
    if path in ELSEWHERE:
        return ELSEWHERE[path]
    if path.startswith("benchmarks/") and path.endswith(".svg"):
        return path.removeprefix("benchmarks/")
    rule = re.fullmatch(r"rules/(SYN[^/]+)(?:/README\.md)?", path)
    return f"rules/{rule[1]}.md" if rule else None


def measured() -> str:
    """How often the linter was right, in one paragraph, from the figures in ``docs/calibration.md``."""
    text = (DOCS / "calibration.md").read_text(encoding="utf-8")
    rows = {row[1]: [cell.strip() for cell in row[2].split("|")] for row in _ROW.finditer(text)}
    date = re.search(r"Measured on ([\d-]+)", text)
    assert date is not None
    return sentence(rows["all"][0], rows["all"][4], rows["high"][3], rows["medium"][3], date[1])


def sentence(recall: str, precision: str, high: str, medium: str, date: str) -> str:
    """The figures as people read them."""
    return (
        f'!!! success "Measured on {date}"\n\n    Held against seven public packages on a simulated device, '
        f"**{precision}** of what synclint reported by default and that ran did wait (**{high}** at high confidence, "
        f"**{medium}** at medium), and it found **{recall}** of the statements that waited. "
        "[How this was measured](calibration.md#how-it-was-measured).\n"
    )
