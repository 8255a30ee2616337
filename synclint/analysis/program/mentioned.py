"""What the text of a module defines, which names it mentions where, and whether it is a program: by its text alone.

A name is mentioned by an identifier, or by a string that could be one, such as ``"resnet50"`` or ``"models.resnet50"``;
comments, docstrings and messages mention nothing, and to import a name is no use of it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from synclint.analysis.program.exports import exports_of
from synclint.analysis.program.host_programs import makes_all, may_choose_device
from synclint.analysis.program.kept_objects import NONE, Uses, uses_in
from synclint.analysis.program.literals import EXAMPLE, without_literals
from synclint.analysis.program.other_places import without_other_places
from synclint.analysis.program.test_modules import checks_results
from synclint.catalog.names import names_in

# Stands behind a name that is mentioned without being called: what it stands for is handed to somebody.
HANDED_ON = "\x02"
# Stands around what an import within a block gives a name, and where it is from.
_HERE_ALONE = "\x03"
_IMPORTED = re.compile(r"\x03(\w+) ([^\x03]*)\x03")
# Stands between a name and the module that it is imported from, or taken of: `train@engine`.
OF_MODULE = "@"
# Stands behind that, before the library that has the module: `crop@transforms!torchvision`.
OF_LIBRARY = "!"
_LIBRARIES = names_in("libraries", "with-tensors") | names_in("libraries", "of-arrays")
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import\b[ \t]*(?:\(([^()]*)\)|((?:[^\n\\]|\\\n)*))", re.MULTILINE
)
_LISTED = re.compile(r"([\w.]+)(?:[ \t]+as[ \t]+(\w+))?")
_LINE = re.compile(r"^([ \t]*)(?:@[ \t]*([\w.]*)|(?:async[ \t]+)?(def|class)[ \t]+(\w+)|[^\s)\]}])", re.MULTILINE)
_BASES = re.compile(r"[ \t]*\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_BASE = re.compile(r"([\w.]+)[ \t\n]*(=?)")
_WORDS = re.compile(r"([\w\x00\x01]+(?:\.[\w\x00]+)*)([ \t]*\()?")
# A class that asks for what is above it hands itself to nobody.
_SUPER = re.compile(r"\bsuper\([ \t]*\w{1,100}[ \t]*,")
# Nor does whoever says of which class something is, or asks for that.
_TYPE = r"[\w.]+(?:\[[^\[\]]*(?:\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\][^\[\]]*)*\])?"
_TYPES = rf"{_TYPE}(?:[ \t]*\|[ \t]*{_TYPE})*"
_SIGNATURE = re.compile(rf"[ \t]*\([^()]*(?:\([^()]*\)[^()]*)*\)(?:[ \t]*->[ \t]*{_TYPES})?")
_DECLARED = re.compile(rf"(?::(?!=)|->)[ \t]*{_TYPES}")
_FIELD = re.compile(rf"\n[ \t]*(?:self\.)?\w+[ \t]*:[ \t]*{_TYPES}(?=[ \t]*(?:=(?!=)|\n|\Z))")
_IN_TABLE = frozenset(",{([")
_ASKED = re.compile(
    r"\bis(?:instance|subclass)\([^(),]*(?:\([^()]*\)[^(),]*)*,[ \t\n]*"
    r"(?:\([^()]*\)|[\w.]+(?:[ \t]*\|[ \t]*[\w.]+)*)[ \t\n]*\)"
)
_SIGNS_OF_ASKING = ("isinstance(", "issubclass(")
_PATH = re.compile(r"[\w.]+")
_OF_TORCH = re.compile(
    r"^[ \t]*(?:import torch(?:\.\w{1,40}){0,5} as (\w{1,40})|"
    r"from torch(?:\.\w{1,40}){0,5} import (?:\w{1,40} as )?(\w{1,40}))[ \t]*$",
    re.MULTILINE,
)
# The names to which a statement within a function gives a value; a line that ends with a comma is a part of a call.
_GIVEN = re.compile(r"\n[ \t]+(\w+(?:, ?\w+){0,20}) = (?![^\n]*,[ \t]*\n)")
_OTHER_SCOPE = re.compile(r"\b(?:def|class|global|nonlocal)[ \t]")
_SIGNS_OF_SCOPES = ("def", "class", "global", "nonlocal")
_GUARD = re.compile(r"^if[ \t(]+(?:__name__[ \t]*==|__main__[ \t]*==)", re.MULTILINE)
# What stands at the top of a module and does something, beside what defines, imports and assigns.
_RUNS = re.compile(r"^(?:(?:async[ \t]+)?(?:for|while|with)\b|[\w.]+\()", re.MULTILINE)
_ASSIGNED = re.compile(r"^(\w+)[ \t]*(?::[^=\n]{0,200})?=(?!=)([^\n]*)", re.MULTILINE)
_GIVEN_TO_OBJECT = re.compile(r"\bself\.(\w+)[ \t]*(?::[^=\n]{0,200})?=(?!=)")
_TARGET = re.compile(r"^\w+(?=[ \t]*(?::[^=\n]{0,200})?=(?!=))", re.MULTILINE)
# A name at the top of a module for something that has another one: `trunc_exp = _TruncExp.apply`.
_ALIAS = re.compile(r"^([A-Za-z]\w*)[ \t]*=[ \t]*([A-Za-z_][\w.]*)[ \t]*$", re.MULTILINE)
_CONSTANTS = frozenset({"None", "True", "False"})
# Of the patterns below: one that begins with letters is looked for by them, so that what may not stand before these is
# told behind them.

# What a program does that works on a device: it puts something there, goes back through a model, or has it trained.
_WORKING = (".backward(", ".cuda(", ".to(", ".zero_grad(", ".fit(")
_DEVICE_GIVEN = re.compile(r"device(?<!\wdevice)[ \t]*=(?!=)")
# What goes back through a model, steps an optimizer, or has that done by a library with trainers.
_TRAINING = (".backward(", ".manual_backward(", ".step(", ".optimizer_step(", "Trainer(")
_TRAINING_STEP = re.compile(r"def training_step\b(?<!\wdef training_step)")
_HAS_TRAINERS = re.compile(r"\b(?:lightning|pytorch_lightning|fastai|skorch|composer|keras|catalyst|autogluon)\b")
# What makes objects of names that other files hold.
_BY_CONFIGURATION = (
    re.compile(r"instantiate(?<!\winstantiate)(?:_from_\w{1,40})?\("),
    re.compile(r"LightningCLI(?<!\wLightningCLI)\b"),
    re.compile(r"_target_(?<=[\"']_target_)[\"']"),
    re.compile(r"class_path(?<=[\"']class_path)[\"']"),
    re.compile(r"pydoc(?<!\wpydoc)\.locate\("),
)
# What takes any of the names that a file knows.
_HERE = (
    re.compile(r"eval(?<![.\w]eval)\("),
    re.compile(r"exec(?<![.\w]exec)\("),
    re.compile(r"globals(?<!\wglobals)\(\)[ \t]*[\[.]"),
    re.compile(r"locals(?<!\wlocals)\(\)[ \t]*[\[.]"),
    re.compile(r"vars(?<!\wvars)\(\)[ \t]*[\[.]"),
    re.compile(r"getattr(?<!\wgetattr)\([ \t\n]*sys\.modules\[[ \t]*__name__[ \t]*\]"),
)
# What takes any of the names in something: what stands before the last name of that, and that name.
_WITHIN = {
    "getattr(": re.compile(
        r"getattr(?<!\wgetattr)\([ \t\n]*((?:\w{1,60}\.){0,5})([A-Za-z_]\w{0,60})[ \t\n]*,[ \t\n]*(?![ \t\n'\x00])"
    ),
    ".__dict__": re.compile(r"(?<![\w.])((?:\w{1,60}\.){0,5})([A-Za-z_]\w{0,60})\.__dict__[ \t]*\["),
}
_OF_IMPORTED = re.compile(r"getattr(?<!\wgetattr)\([ \t\n]*(?:importlib\.)?(?:import_module|__import__)\(")
_MODULES = ("import_module(", "__import__(", "sys.modules[")
# What imports a module by a name that is no literal, of which each part would be a word behind `0.` here: under which
# name, or what is asked of it there.
_LOADING = re.compile(
    r"(?:(\w{1,60})[ \t]*=[ \t]*)?(?<![\w.])(?:importlib\.)?(?:import_module|__import__)"
    r"\((?![ \t\n]*(?:0\.\w{1,60}[ \t\n]*(?:\(\)[ \t\n]*)?){1,20}[,)])(?:[^()]{0,200}\)\.(\w{1,60}))?"
)
# All names of the project, and those that a file knows, in the place of a module.
EVERYWHERE, HERE = "*", ""
# That names in configuration files, of which nothing is known, are among those that are looked up.
CONFIGURED = "**"


@dataclass(frozen=True)
class Definition:
    """A class, method or function that is not within another one, by its ``name`` in the module, such as ``Net.step``.

    So is another name for one, which leads nowhere before somebody mentions it.

    ``words`` are those that it mentions, of a class those outside of its methods; names that it has from another module
    are told with that. ``decorators`` and ``bases`` are dotted names; ``is_hooked`` tells of a metaclass or other
    keyword. ``works`` tells that it does work on a device, ``trains`` that it goes back through a model or steps
    something. ``uses`` are those of objects, ``gives`` the attributes to which a method gives values.
    """

    name: str
    is_class: bool
    words: frozenset[str] = frozenset()
    decorators: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    is_hooked: bool = False
    works: bool = False
    trains: bool = False
    uses: Uses = NONE
    gives: frozenset[str] = frozenset()

    @property
    def owner(self) -> str:
        """The name of the class that it stands in, empty for none."""
        return self.name.rpartition(".")[0]

    @property
    def last(self) -> str:
        """The name by which it is mentioned."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True)
class Mentioned:
    """What a text says.

    ``top`` are the words of what stands at the top of the module, ``assigned`` the names that are given values there,
    ``open_registries`` those of them that are told of others. ``is_guarded`` says that it asks whether it is the
    program that runs, ``runs`` that something is done at its top, and ``works`` that this works on a device.
    ``imports`` are the last names of the modules that it imports, ``given`` the names that it imports, ``stars`` the
    modules from which it imports all, as written, ``listed`` what its ``__all__`` gives others, None where that does
    not tell. ``by_name`` are the last names of modules in which it looks up
    names that are not known, or what stands for them. ``modules`` are the dotted names of modules, or of what stands in
    them, that it imports, as written, ``whole`` those of them of which it has all: not those from which it has some
    names alone. ``trains`` tells that it goes back through a model, or has one trained. ``top_uses`` tells what the top
    of the module does with objects, ``checks`` that it has tests, or checks results, ``loaded`` are
    the names that it asks for of modules that it imports by names that are put together. ``may_choose_device`` says
    that it speaks of any, ``trains_on_host`` that it does not, and trains with all that it makes.
    """

    definitions: Mapping[str, Definition] = field(default_factory=dict)
    top: frozenset[str] = frozenset()
    assigned: frozenset[str] = frozenset()
    open_registries: frozenset[str] = frozenset()
    is_guarded: bool = False
    runs: bool = False
    works: bool = False
    imports: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()
    stars: frozenset[str] = frozenset()
    listed: frozenset[str] | None = None
    by_name: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    trains: bool = False
    top_uses: Uses = NONE
    checks: bool = False
    loaded: frozenset[str] = frozenset()
    may_choose_device: bool = True
    trains_on_host: bool = False

    @property
    def words(self) -> frozenset[str]:
        """All words that it mentions."""
        return self.top.union(*(one.words for one in self.definitions.values()))


@lru_cache(maxsize=4096)  # a project that is held open asks it of nearly the same texts after each edit
def mentioned(source: str) -> Mentioned:
    """What a text says, found without parsing it: nobody else needs to look at most of the files of a project."""
    code = without_other_places(without_literals(source))
    imports: set[str] = set()
    given: set[str] = set()
    taken_from: set[str] = set()
    whole: set[str] = set()
    stars: set[str] = set()
    bound: defaultdict[str, set[str]] = defaultdict(set)
    origins: defaultdict[str, set[str]] = defaultdict(set)
    parts: list[str] = []
    passed = 0
    lines: list[str] = []
    for found in _IMPORT.finditer(code):
        parts.append(code[passed : found.start()])
        passed = found.end()
        lines.append(found[0])
        module, listed = found[1], found[2] or found[3] or ""
        indentation = found[0][: len(found[0]) - len(found[0].lstrip(" \t"))]
        for path, alias in _LISTED.findall(listed):
            name = path.rpartition(".")[2]
            known_as = alias or (name if module is not None else path.partition(".")[0])
            bound[known_as].add(name)
            last = (module or "").rpartition(".")[2]
            library = (module or path).partition(".")[0]
            of_library = f"{OF_LIBRARY}{library}" if library in _LIBRARIES or "torch" in library else ""
            # What `import a.b` gives is `a`: what is taken of it may be anything.
            is_told = alias or module is not None or "." not in path
            origin_here = f"{name}{OF_MODULE}{last}{of_library}" if is_told else ""
            origins[known_as].add(origin_here)
            if indentation and origin_here:
                parts.append(f"{indentation}{_HERE_ALONE}{known_as} {origin_here}{_HERE_ALONE}\n")
            imports.update(path.split("."))
            if module is not None:
                given.add(name)
                whole.add(f"{module}{'' if module.endswith('.') else '.'}{path}")
            else:
                names = [path] if alias else path.split(".")
                whole.update(".".join(names[:end]) for end in range(1, len(names) + 1))
        if module is not None:
            last = module.rpartition(".")[2]
            imports.add(last)
            taken_from.add(module)
            if "*" in listed:
                stars.add(module)
    of_torch = frozenset({"torch", *(name for pair in _OF_TORCH.findall("\n".join(lines)) for name in pair if name)})
    code = "".join((*parts, code[passed:]))
    assigned = dict(_ASSIGNED.findall(code))
    begun = [*_LINE.finditer(code)]
    ambiguous = {*assigned, *of_torch, *(line[4] for line in begun if line[4])}
    origin = {name: min(of) for name, of in origins.items() if len(of) == 1 and name not in ambiguous and all(of)}
    definitions, top = _with_aliases(*_divided(code, begun, of_torch, origin), of_torch, origin)
    words, uses = _words(_TARGET.sub("", top), of_torch, origin)
    trains, speaks_of_devices = _trains(source, code), may_choose_device(source)
    return Mentioned(
        definitions,
        words.union(origin.get(alias, name) for alias, names in bound.items() for name in names if alias != name),
        frozenset(assigned),
        frozenset(name for name, value in assigned.items() if "parent" in value),
        ("__name__" in code or "__main__" in code) and _GUARD.search(code) is not None,
        any(not _defines_operator(found[0], assigned) for found in _RUNS.finditer(code)),
        _does_work(top),
        frozenset(imports),
        frozenset(given),
        frozenset(stars),
        exports_of(source).names if "__all__" in assigned else None,
        frozenset(_by_name(source, code, bound)),
        frozenset(whole | taken_from),
        frozenset(whole | stars),
        trains,
        uses,
        checks_results(source),
        frozenset(_asked_of_loaded(code)),
        speaks_of_devices,
        trains and not speaks_of_devices and makes_all(source),
    )


def _trains(source: str, code: str) -> bool:
    if any(sign in code for sign in _TRAINING) or _TRAINING_STEP.search(code) is not None:
        return True
    return ".fit(" in code and _HAS_TRAINERS.search(source) is not None


def _asked_of_loaded(code: str) -> Iterator[str]:
    if any(sign in code for sign in _MODULES):
        holding: set[str] = set()
        for holder, asked in _LOADING.findall(code):
            holding |= {holder} if holder and not asked else set()
            yield from [asked] if asked else []
        if holding:
            yield from re.findall(rf"(?<![\w.])(?:{'|'.join(sorted(holding))})\.(\w+)", code)


def _by_name(source: str, code: str, bound: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Where a text looks up names that are not known; ``bound`` are the last names of what imports give to others."""
    if any(way.search(source) is not None for way in _BY_CONFIGURATION):
        yield from (EVERYWHERE, CONFIGURED)
    if any(way.search(code) is not None for way in _HERE):
        yield HERE
    roots = {found[2] for sign, within in _WITHIN.items() if sign in code for found in within.finditer(code)}
    yield from {name for root in roots if root in bound for name in bound[root]}
    if any(sign in code for sign in _MODULES) and not {"self", "cls", *bound} >= roots:
        yield EVERYWHERE
    if _OF_IMPORTED.search(code) is not None:
        yield EVERYWHERE


def _words(
    text: str, of_torch: frozenset[str], origin: Mapping[str, str], own: frozenset[str] = frozenset()
) -> tuple[frozenset[str], Uses]:
    """The names in a piece of code but for its ``own``, and what it does with objects.

    An attribute of what it has from torch is something of torch's. With names of which an import tells the ``origin``,
    and with their attributes, goes where they are from.
    """
    text = _FIELD.sub(_declared, _IMPORTED.sub("", text))
    if any(sign in text for sign in _SIGNS_OF_ASKING):
        text = _ASKED.sub(_told, text)
    words: set[str] = set()
    of_modules: set[str] = set()
    used: set[str] = set()
    for path, call in set(_WORDS.findall(text)):
        if path in _CONSTANTS:
            continue
        root, *attributes = path.split(".") if "." in path else (path,)
        from_elsewhere = origin.get(root)
        if from_elsewhere is not None and root not in own:
            of_modules.add(from_elsewhere)
            if attributes:
                first = attributes[0]
                if first.startswith("__"):
                    words.add(first)
                else:
                    of_library = "".join(from_elsewhere.partition(OF_LIBRARY)[1:])
                    of_modules.add(f"{first}{OF_MODULE}{plain(from_elsewhere)}{of_library}")
                words.update(attributes[1:])
        else:
            if root not in own:
                words.add(root)
            if attributes and root not in of_torch:
                words.update(attributes)
        if attributes:
            root = attributes[-1]
            used.add(root)
        else:
            used.add(root if from_elsewhere is None else plain(from_elsewhere))
        if not call and root[0].isupper():
            words.add(f"{root}{HANDED_ON}")
    return frozenset(words | of_modules), uses_in(text, frozenset(words.union(map(plain, of_modules))), used)


def _told(found: re.Match[str]) -> str:
    """The classes of which a piece of code tells, as code that hands none of them to anybody."""
    return "".join(f" {name} ()" for name in _PATH.findall(found[0]))


def _declared(field: re.Match[str]) -> str:
    """The same for what declares a field or variable; an entry of a table with a name before it looks alike."""
    return field[0] if field.string[field.start() - 1] in _IN_TABLE else f"\n{_told(field)}"


def _own_names(text: str) -> frozenset[str]:
    """The names of a function's own: to mention them in it is to mention nothing of the module's.

    Of one with another scope in it nothing is said.
    """
    if " = " not in text or (any(sign in text for sign in _SIGNS_OF_SCOPES) and _OTHER_SCOPE.search(text) is not None):
        return frozenset()
    return frozenset(name for one in _GIVEN.findall(text) for name in one.replace(", ", ",").split(","))


def _imported_in(text: str, of_torch: frozenset[str]) -> dict[str, str]:
    """Where the names are from that a function imports itself, whatever they stand for elsewhere in the file."""
    if _HERE_ALONE not in text:
        return {}
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, origin in _IMPORTED.findall(text):
        found[name].add(origin)
    return {name: min(of) for name, of in found.items() if len(of) == 1 and name not in of_torch}


def _divided(
    code: str, lines: Iterable[re.Match[str]], of_torch: frozenset[str], origin: Mapping[str, str]
) -> tuple[dict[str, Definition], str]:
    """The definitions of a module by its ``lines``, and what stands at its top; an import tells where names are from.

    That is the ``origin``.
    """
    pieces: defaultdict[str, list[str]] = defaultdict(list)
    heads: dict[str, tuple[bool, list[str], list[str], bool]] = {}
    stack: list[tuple[int, str, bool]] = []
    decorators: list[str] = []
    start = 0
    for line in lines:
        indent = len(line[1])
        scope = stack[-1][1] if stack else ""
        is_left = bool(stack) and stack[-1][0] >= indent
        if is_left:
            pieces[scope].append(code[start : line.start()])
            start = line.start()
            while stack and stack[-1][0] >= indent:
                stack.pop()
            scope = stack[-1][1] if stack else ""
        if stack and not stack[-1][2]:
            continue  # within a function: all that is defined there is a part of it
        if line[2] is not None:
            pieces[scope].append(code[start : line.start()])
            start = line.end()
            decorators.append(line[2])
            pieces[scope].append(f" {line[2].partition('.')[2] or line[2]}()")
        elif line[3] is not None:
            pieces[scope].append(code[start : line.start()])
            start = line.end()
            name, is_class = f"{scope}.{line[4]}" if scope else line[4], line[3] == "class"
            bases = _BASES.match(code, line.end()) if is_class else None
            listed = _BASE.findall(bases[1]) if bases is not None else []
            if bases is not None:  # whoever derives from a class hands it to nobody
                start = bases.end()
                pieces[name].append(" ".join(f"{base}()" for base, _ in listed))
            signature = None if is_class else _SIGNATURE.match(code, line.end())
            if signature is not None:
                start = signature.end()
                pieces[name].append(_DECLARED.sub(_told, signature[0]))
            _, known_decorators, known_bases, is_hooked = heads.get(name, (is_class, [], [], False))
            heads[name] = (
                is_class,
                [*known_decorators, *decorators],
                [*known_bases, *(base for base, sign in listed if not sign)],
                is_hooked or any(sign for _, sign in listed),
            )
            decorators = []
            stack.append((indent, name, is_class))
    pieces[stack[-1][1] if stack else ""].append(code[start:])
    found: dict[str, Definition] = {}
    for name, (is_class, all_decorators, all_bases, is_hooked) in heads.items():
        text = "\n".join(pieces[name])
        text = _SUPER.sub("super(", text) if "super(" in text else text
        own = frozenset[str]() if is_class else _own_names(text)
        words, uses = _words(text, of_torch, origin if is_class else {**origin, **_imported_in(text, of_torch)}, own)
        found[name] = Definition(
            name,
            is_class,
            words,
            tuple(dict.fromkeys(all_decorators)),
            tuple(dict.fromkeys(all_bases)),
            is_hooked,
            name.endswith(".training_step") or _does_work(text),
            name.endswith(".training_step") or any(sign in text for sign in (*_TRAINING, ".fit(")),
            uses,
            frozenset(_GIVEN_TO_OBJECT.findall(text) if "self." in text else ()),
        )
    return found, "\n".join(pieces[""])


def _with_aliases(
    definitions: dict[str, Definition], top: str, of_torch: frozenset[str], origin: Mapping[str, str]
) -> tuple[dict[str, Definition], str]:
    """The definitions of a module with the other names that its top gives them, and what else stands at its top."""
    targets = Counter(_TARGET.findall(top))
    found = {
        name: Definition(name, False, words, uses=uses)
        for name, value in _ALIAS.findall(top)
        if targets[name] == 1 and name not in definitions and value not in _CONSTANTS
        for words, uses in [_words(value, of_torch, origin)]
    }
    return {**definitions, **found}, _ALIAS.sub(lambda line: "" if line[1] in found else line[0], top)


def _does_work(code: str) -> bool:
    return any(sign in code for sign in _WORKING) or _DEVICE_GIVEN.search(code) is not None


def _defines_operator(call: str, assigned: Mapping[str, str]) -> bool:
    """Whether a call at the top tells torch of an operator, of which it runs nothing (`torch/library.py`)."""
    return call.startswith("torch.library.") or "torch.library.Library(" in assigned.get(call.partition(".")[0], "")


def shows_example(words: frozenset[str]) -> bool:
    """Whether a docstring in a definition has an example, as it has for others than those who wrote it."""
    return EXAMPLE in words


def plain(word: str) -> str:
    """The name in a word, without the module that it is from."""
    return word.partition(OF_MODULE)[0]
