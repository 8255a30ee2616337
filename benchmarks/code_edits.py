"""Edits as people make them, to be made in copies of real packages."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

_FEWEST_LINES = 80
# Some mention what may be a name, or mean something to a linter.
_COMMENTS = (
    "a comment",
    "noqa",
    "noqa: SYN101",
    "synclint: ignore[SYN1] small",
    "self.loss = x",
    "step, model",
)
# Most edits move few lines; more of them change how many digits a line's number has.
_LINES = (1, 1, 2, 3, 40)


def with_comment(text: str) -> str:
    """Another comment at the end."""
    return f"{text.rstrip()}\n# a comment\n"


def with_comment_behind_code(text: str, chosen: Random) -> str:
    """A comment behind the code of a line, of which some are meant for a linter."""
    places = [found.end() for found in re.finditer(r"(?m)^ *[^#\s'\"][^#\n'\"]*[\w)\]:]$", text)]
    if not places:
        return with_comment(text)
    at = chosen.choice(places)
    return f"{text[:at]}  # {chosen.choice(_COMMENTS)}{text[at:]}"


def with_lines_of_comment(text: str, chosen: Random, comments: Sequence[str] = _COMMENTS) -> str:
    """Comments on lines of their own, and blank ones, above a definition or a statement."""
    starts = [0, *(found.start() for found in re.finditer(r"(?m)^ *(?:def|if|for|return|class|self|\w+ =)\b", text))]
    at = chosen.choice(starts)
    lines = [f"# {chosen.choice(comments)}\n" if chosen.random() < 0.7 else "\n" for _ in range(chosen.choice(_LINES))]
    return f"{text[:at]}{''.join(lines)}{text[at:]}"


def without_lines_of_comment(text: str, chosen: Random) -> str:
    """A text without some of its blank lines and comments."""
    lines = text.splitlines(keepends=True)
    empty = [number for number, line in enumerate(lines) if not line.strip() or line.lstrip().startswith("#")]
    left_out = set(chosen.sample(empty, min(len(empty), chosen.choice(_LINES))))
    return "".join(line for number, line in enumerate(lines) if number not in left_out)


def with_longer_docstring(text: str, chosen: Random) -> str:
    """A sentence more in a docstring."""
    ends = [found.end() for found in re.finditer(r'(?m)^ *"""\w[^"\n]*\.', text)]
    at = chosen.choice(ends) if ends else 0
    return f"{text[:at]}\n\n    There is more to it.\n{text[at:]}" if ends else with_comment(text)


def with_changed_body(text: str, chosen: Random, statement: str = "_changed = 1") -> str:
    """One statement more in a function."""
    bodies = _last_statements(text)
    if not bodies:
        return f"{text}\n_changed = True\n"
    last = chosen.choice(bodies)
    lines = text.splitlines(keepends=True)
    lines.insert(last.lineno - 1, f"{' ' * last.col_offset}{statement}\n")
    return "".join(lines)


def _last_statements(text: str) -> list[ast.stmt]:
    """The last statements of functions with more than one."""
    bodies = [
        node.body[-1] for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef) and len(node.body) > 1
    ]
    return [statement for statement in bodies if statement.col_offset and statement.lineno > 1]


def with_changed_signature(text: str, chosen: Random) -> str:
    """One parameter more for a function at the top of the module."""
    headers = [found.end(1) for found in re.finditer(r"(?m)^(def \w+\([^*/()\n]*)\)", text)]
    if not headers:
        return f"{text}\n\ndef _added(x=None):\n    return x\n"
    at = chosen.choice(headers)
    return f"{text[:at]}{'' if text[at - 1] == '(' else ', '}_added=None{text[at:]}"


def with_other_signature(text: str, chosen: Random) -> str:
    """One parameter more for a function or a method, or a type for one that has none."""
    headers = [*re.finditer(r"(?m)^ *def \w+\((?:[^*/()\n]*[^*/()\n, ])?(?=\))", text)]
    untyped = [*re.finditer(r"(?m)^ *def \w+\((?:self, )?\w+(?=[,)])(?<!self)", text)]
    if not headers or (untyped and chosen.random() < 0.3):
        at = chosen.choice(untyped).end() if untyped else len(text)
        return f"{text[:at]}: torch.Tensor{text[at:]}" if untyped else with_new_function(text, chosen)
    at = chosen.choice(headers).end()
    return f"{text[:at]}{'' if text[at - 1] == '(' else ', '}_added=None{text[at:]}"


def with_new_function(text: str, chosen: Random) -> str:
    """One function more at the end, which is called there or not."""
    name = f"_added_{chosen.randrange(1000)}"
    called = f"\n\n_kept = {name}(None)\n" if chosen.random() < 0.3 else ""
    return f"{with_function_at_end(text, name)}{called}"


def with_function_at_end(text: str, name: str) -> str:
    """One function more at the end, which nothing calls."""
    return f"{text.rstrip()}\n\n\ndef {name}(x):\n    if x > 0:\n        return x.item()\n    return x\n"


def with_other_imports(text: str, chosen: Random) -> str:
    """One import more, or one less."""
    imports = [*re.finditer(r"(?m)^(?:import|from \S+ import) [^(\n\\]+\n", text)]
    if not imports or chosen.random() < 0.5:
        return f"{text.rstrip()}\nimport torch.nn.functional as _functional\n"
    found = chosen.choice(imports)
    return f"{text[: found.start()]}{text[found.end() :]}"


def with_new_method(text: str, chosen: Random) -> str:
    """One method more at the end of a class, which another one may call."""
    classes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef) and node.end_lineno]
    if not classes:
        raise LookupError
    owner, name, lines = chosen.choice(classes), f"_added_{chosen.randrange(1000)}", text.splitlines(keepends=True)
    indent = " " * owner.body[-1].col_offset
    method = f"\n{indent}def {name}(self, x):\n{indent}    if x > 0:\n{indent}        return x.item()\n"
    lines.insert(owner.end_lineno or 0, f"{method}{indent}    return self._kept\n")
    return "".join(lines) if lines[(owner.end_lineno or 1) - 1].endswith("\n") else text


def with_new_constant(text: str, chosen: Random) -> str:
    """One constant more at the top of the module or in a class, or another value for one."""
    constants = [*re.finditer(r"(?m)^ *[A-Za-z_]\w*(?:: \w+)? = (?:\d+(?:\.\d+)?|True|False|None)$", text)]
    value = chosen.choice(("3", "None", "True", "0.5", "'mean'"))
    if constants and chosen.random() < 0.5:
        found = chosen.choice(constants)
        return f"{text[: found.start()]}{found[0].partition(' = ')[0]} = {value}{text[found.end() :]}"
    name = f"_added_{chosen.randrange(1000)}"
    starts = [*re.finditer(r"(?m)^class \w+[^\n]*:\n(?=( +)\S)", text)]
    if starts and chosen.random() < 0.6:
        at = chosen.choice(starts)
        return f"{text[: at.end()]}{at[1]}{name} = {value}\n{text[at.end() :]}"
    return with_line_after_imports(text, f"{name} = {value}")


# What else may stand in the place of a constant, by its type.
_OTHER_VALUES = {
    bool: ("True", "False"),
    type(None): ("0", "True", "'mean'"),
    int: ("0", "1", "10", "None"),
    float: ("0.0", "1.0", "2"),
    str: ("'mean'", "'cpu'", "'cuda'", "None"),
}


def with_other_value(text: str, chosen: Random) -> str:
    """Another value for a constant, wherever it stands."""
    constants = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and type(node.value) in _OTHER_VALUES and node.lineno == node.end_lineno
    ]
    if not constants:
        raise LookupError
    node = chosen.choice(constants)
    lines = text.splitlines(keepends=True)
    line = lines[node.lineno - 1].encode()
    value = chosen.choice(_OTHER_VALUES[type(node.value)]).encode()
    lines[node.lineno - 1] = (line[: node.col_offset] + value + line[node.end_col_offset :]).decode()
    after = "".join(lines)
    try:
        ast.parse(after)
    except SyntaxError:  # it was a part of a text with expressions in it
        raise LookupError from None
    return after


def with_new_import(text: str, chosen: Random) -> str:
    """One import more beside the others."""
    line = chosen.choice(("import math", "from typing import Any", "import torch", "import os.path as _path"))
    return with_line_after_imports(text, line)


def with_line_after_imports(text: str, line: str) -> str:
    """One line more behind the imports at the top."""
    imports = [node for node in ast.parse(text).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    lines = text.splitlines(keepends=True)
    if not imports or not lines[(imports[-1].end_lineno or 1) - 1].endswith("\n"):
        raise LookupError
    lines.insert(imports[-1].end_lineno or 0, f"{line}\n")
    return "".join(lines)


def with_renamed_parameter(text: str, chosen: Random) -> str:
    """Another name for a parameter, within its function."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    taking = [node for node in functions if any(one.arg != "self" for one in node.args.args)]
    if not taking:
        raise LookupError
    function = chosen.choice(taking)
    name = chosen.choice([one.arg for one in function.args.args if one.arg != "self"])
    lines = text.splitlines(keepends=True)
    first, last = function.lineno - 1, function.end_lineno or function.lineno
    lines[first:last] = [re.sub(rf"\b{name}\b", f"{name}_", line) for line in lines[first:last]]
    return "".join(lines)


def without_definition(text: str, chosen: Random) -> str:
    """A text without one of its functions or methods."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    if not functions:
        raise LookupError
    function = chosen.choice(functions)
    first = min([function.lineno, *(one.lineno for one in function.decorator_list)]) - 1
    lines = text.splitlines(keepends=True)
    after = "".join([*lines[:first], *lines[function.end_lineno :]])
    try:
        ast.parse(after)
    except SyntaxError:  # it was all that stood there
        raise LookupError from None
    return after


def cut_off(text: str, chosen: Random) -> str:
    """What has been written so far."""
    return text[: chosen.randrange(len(text) + 1)]


def most_imported(folder: Path, files: Iterable[Path]) -> Path:
    """The file with functions of a package whose name most of the others import from."""
    ordered = by_imports(folder, files)
    return next((path for path in ordered if _last_statements(path.read_text(encoding="utf-8"))), ordered[0])


def by_imports(folder: Path, files: Iterable[Path]) -> list[Path]:
    """The files of a package, those first from whose names most of the others import."""
    files = list(files)
    counted = Counter(
        name
        for path in files
        for name in set(re.findall(r"(?m)^\s*from\s+([\w.]+)\s+import", path.read_text(encoding="utf-8")))
    )
    return sorted(
        files, key=lambda path: (sum(counted[name] for name in _names(folder, path)), str(path)), reverse=True
    )


def leaf(folder: Path, files: Iterable[Path]) -> Path:
    """A file of some size, about torch, that no other file of a package names, but its package itself."""
    files = [path for path in files if path.name != "__init__.py"]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    words = {path: frozenset(re.findall(r"\w+", text)) for path, text in texts.items()}
    naming = Counter(word for each in words.values() for word in each)
    lonely = [
        path
        for path in files
        if texts[path].count("\n") >= _FEWEST_LINES
        and "torch" in words[path]
        and naming[path.stem] == (path.stem in words[path])
    ]
    by_size = sorted(lonely or files, key=lambda path: (len(texts[path]), str(path)))
    return by_size[len(by_size) // 2]


def _names(folder: Path, path: Path) -> tuple[str, ...]:
    whole = path.relative_to(folder.parent).with_suffix("").parts
    parts = whole[:-1] if whole[-1] == "__init__" else whole
    return ".".join(parts), f".{parts[-1]}", f"..{'.'.join(parts[1:])}"
