"""The names of the formats, for those who only need to know what there is."""

FORMAT_NAMES = (
    "text", "concise", "json", "sarif", "github", "gitlab", "junit", "rdjson", "pylint", "markdown", "html",
)  # fmt: skip
