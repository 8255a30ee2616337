"""The names of the formats and of their orders, for those who only need to know what there is."""

FORMAT_NAMES = (
    "full", "text", "concise", "grouped", "json", "sarif", "github", "gitlab", "junit", "rdjson", "pylint", "markdown",
    "html",
)  # fmt: skip

BY_PATH, BY_PRIORITY = "path", "priority"
SORTS = (BY_PATH, BY_PRIORITY)
