"""The rules that the program itself reports, about files, comments and contracts."""

from __future__ import annotations

from synclint.findings import Severity
from synclint.rules.records import Rule

SYNTAX_ERROR = Rule(
    code="SYN000",
    name="syntax-error",
    summary="the file is not valid Python",
    mechanism="syntax-error",
    severity=Severity.ERROR,
    dependency="true",
    matches=(),
    page=(
        "# SYN000 syntax-error\n\n"
        "## What it finds\n\n"
        "A file that does not parse. Its waits cannot be determined, so it is reported instead of being skipped; "
        "the other files are checked as usual.\n\n"
        "## What to do\n\n"
        "Fix the syntax error at the given position. Files that are not meant to be Python, such as "
        "templates, can be left out by `.gitignore` or by not naming them.\n"
    ),
    folder=None,
)

UNUSED_SUPPRESSION = Rule(
    code="SYN001",
    name="unused-suppression",
    summary="a comment suppresses nothing, or is not understood",
    mechanism="suppression",
    severity=Severity.WARNING,
    dependency="true",
    matches=(),
    page=(
        "# SYN001 unused-suppression\n\n"
        "## What it finds\n\n"
        "A `# synclint: ignore[...]`, `# synclint: off` or `# noqa: SYN...` that suppresses nothing, names a "
        "rule that does not exist, or is misspelled. Such comments may hide what is written there next, or fail "
        "to hide what their author meant them to.\n\n"
        "## What to do\n\n"
        "Remove it: `synclint check --prune-ignores` does so, and leaves codes of other tools in the same "
        "comment as they are. Check the whole project first: given a single file, the linter may not see what "
        "calls its functions, and may miss the finding that the comment is there for.\n"
    ),
    folder=None,
)

ANALYSIS_LIMIT = Rule(
    code="SYN002",
    name="analysis-limit",
    summary="the file takes more work than is allowed for one file, or is nested too deeply",
    mechanism="analysis-limit",
    severity=Severity.WARNING,
    dependency="true",
    matches=(),
    page=(
        "# SYN002 analysis-limit\n\n"
        "## What it finds\n\n"
        "A file that was not analysed to its end. Functions are analysed for the arguments of their calls, and the "
        "number of statements for one file is limited; code that is nested thousands of levels deep is more "
        "than the analysis can follow. What was found up to that point is reported, this finding is at the statement "
        "that was being analysed, and the rest is not covered. The other files are checked as usual.\n\n"
        "The limit counts statements, not seconds: it is the same on every machine.\n\n"
        "## What to do\n\n"
        "Split or simplify the function or the expression at that place. Generated code, and code that "
        "is not worth the effort, can be left out with `exclude`; `ignore` leaves this finding out, and the rest of "
        "the file unchecked.\n"
    ),
    folder=None,
)

INTERNAL_ERROR = Rule(
    code="SYN003",
    name="internal-error",
    summary="synclint itself failed in this file",
    mechanism="internal-error",
    severity=Severity.ERROR,
    dependency="true",
    matches=(),
    page=(
        "# SYN003 internal-error\n\n"
        "## What it finds\n\n"
        "A file in which synclint failed with an internal error. The message gives a short id, which is always the "
        "same for the same error, and the path of a log file with what a bug report needs. The other findings in this "
        "file may be incomplete; the other files are checked as usual. The exit status is 2.\n\n"
        "## What to do\n\n"
        "Please report it, with the log file; read the log first, because it names files of yours. Until the error is "
        "fixed, the file can be left out with `exclude`. `ignore` does not silence this rule: a file that was not "
        "checked must not look clean.\n"
    ),
    folder=None,
)

BROKEN_CONTRACT = Rule(
    code="SYN004",
    name="broken-contract",
    summary="a function that is declared sync-free reaches a wait",
    mechanism="contract",
    severity=Severity.ERROR,
    dependency="true",
    matches=(),
    page=(
        "# SYN004 broken-contract\n\n"
        "## What it finds\n\n"
        "A wait that is reached from a function which `sync-free` in the configuration, a comment "
        "`# synclint: sync-free` or the decorator `@synclint.sync_free` declares free of waits. The finding is at the "
        "wait, whatever phase it runs in; its message names the function and the calls that lead there. What the "
        "wait is, and what to write instead, is told by the rule that the message names.\n\n"
        "## What to do\n\n"
        'Remove the wait, or accept it: put it into `with synclint.sync_allowed("why"):`, or into a context manager '
        "of your own that `allowed-regions` names. `synclint contracts` lists every contract, and says of those that "
        "nothing breaks whether they are proved.\n"
    ),
    folder=None,
)

USELESS_REGION = Rule(
    code="SYN005",
    name="useless-region",
    summary="a region accepts waits, and none is reached from it",
    mechanism="contract",
    severity=Severity.WARNING,
    dependency="true",
    matches=(),
    page=(
        "# SYN005 useless-region\n\n"
        "## What it finds\n\n"
        "A block under `with synclint.sync_allowed(...)`, or under a context manager that `allowed-regions` names, in "
        "which nothing waits, and which calls nothing that waits. It may hide what is written there next. A region "
        "from which something is called that cannot be followed is never called useless.\n\n"
        "## What to do\n\n"
        "Remove the `with` statement, and keep its block. Check the whole project first: in a single file, the linter "
        "may not see that something passed in is a tensor on the device.\n"
    ),
    folder=None,
)

# Rules that say that a file, or the rest of it, was not checked: no baseline and no comment takes that back.
NOT_CHECKED = frozenset({SYNTAX_ERROR.code, ANALYSIS_LIMIT.code, INTERNAL_ERROR.code})


# Rules about files, comments and contracts, whose findings are not counted as waits of a phase.
OWN = frozenset({*NOT_CHECKED, UNUSED_SUPPRESSION.code, BROKEN_CONTRACT.code, USELESS_REGION.code})
