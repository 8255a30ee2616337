"""What the readers of reports demand, as JSON Schemas.

The one for SARIF holds those parts of OASIS's schema for 2.1.0 that synclint writes, closed to all other
keys; GitLab's and reviewdog's follow their documentation of the formats.
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
LINE: Schema = {"type": "integer", "minimum": 1}


def closed(required: str, optional: str = "", /, **properties: Schema) -> Schema:
    """An object with these keys and no other."""
    assert set(properties) == {*required.split(), *optional.split()}
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


def some(items: Schema, **limits: int) -> Schema:
    """A list of such items."""
    return {"type": "array", "items": items, **limits}


_MESSAGE = closed("text", text=TEXT)
_LEVEL: Schema = {"enum": ["none", "note", "warning", "error"]}
_REGION = closed(
    "startLine",
    "startColumn endLine endColumn snippet",
    startLine=LINE,
    startColumn=LINE,
    endLine=LINE,
    endColumn=LINE,
    snippet=_MESSAGE,
)
_ARTIFACT = closed("uri", "uriBaseId", uri={"type": "string", "pattern": "^[!-~]+$"}, uriBaseId={"const": "%SRCROOT%"})
# GitHub's limits: ten tags a rule, descriptions of 1,024 characters, 25,000 results and rules a run.
_DESCRIPTION = closed("text", text={"type": "string", "maxLength": 1024})
_RULE = closed(
    "id name shortDescription fullDescription help defaultConfiguration properties",
    "helpUri",
    id={"type": "string", "maxLength": 255},
    name={"type": "string", "maxLength": 255},
    shortDescription=_DESCRIPTION,
    fullDescription=_DESCRIPTION,
    help=closed("text markdown", text=TEXT, markdown=TEXT),
    helpUri={"type": "string", "pattern": "^https://"},
    defaultConfiguration=closed("level", level=_LEVEL),
    properties=closed(
        "tags precision",
        tags=some(TEXT, maxItems=10),
        precision={"enum": ["very-high", "high", "medium", "low"]},
    ),
)
_FIX = closed(
    "description artifactChanges",
    description=_MESSAGE,
    artifactChanges=some(
        closed(
            "artifactLocation replacements",
            artifactLocation=_ARTIFACT,
            replacements=some(
                closed("deletedRegion insertedContent", deletedRegion=_REGION, insertedContent=_MESSAGE),
                minItems=1,
            ),
        ),
        minItems=1,
    ),
)
_PHYSICAL_LOCATION = closed("artifactLocation", "region", artifactLocation=_ARTIFACT, region=_REGION)
_RELATED = closed(
    "id physicalLocation message",
    id={"type": "integer", "minimum": 0},
    physicalLocation=_PHYSICAL_LOCATION,
    message=_MESSAGE,
)
_CODE_FLOW = closed(
    "threadFlows",
    threadFlows=some(
        closed(
            "locations",
            locations=some(
                closed(
                    "location",
                    location=closed("physicalLocation message", physicalLocation=_PHYSICAL_LOCATION, message=_MESSAGE),
                ),
                minItems=1,
            ),
        ),
        minItems=1,
    ),
)
_RESULT = closed(
    "ruleId level message locations partialFingerprints properties",
    "ruleIndex fixes rank codeFlows relatedLocations",
    codeFlows=some(_CODE_FLOW),
    relatedLocations=some(_RELATED),
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=_LEVEL,
    message=_MESSAGE,
    rank={"type": "number", "minimum": -1, "maximum": 100},
    locations=some(
        closed(
            "physicalLocation",
            physicalLocation=closed("artifactLocation region", artifactLocation=_ARTIFACT, region=_REGION),
        ),
        minItems=1,
        maxItems=1000,
    ),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
    properties={"type": "object"},
    fixes=some(_FIX),
)
_NOTIFICATION = closed("level message", level=_LEVEL, message=_MESSAGE)
_RUN = closed(
    "tool originalUriBaseIds columnKind invocations results",
    tool=closed(
        "driver",
        driver=closed(
            "name semanticVersion informationUri rules",
            name={"const": "synclint"},
            semanticVersion=TEXT,
            informationUri={"type": "string", "format": "uri"},
            rules=some(_RULE, maxItems=25_000),
        ),
    ),
    originalUriBaseIds={
        "type": "object",
        "additionalProperties": closed("description", description=_MESSAGE),
    },
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    invocations=some(
        closed(
            "executionSuccessful toolExecutionNotifications",
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=some(_NOTIFICATION),
        )
    ),
    results=some(_RESULT, maxItems=25_000),
)
SARIF = closed(
    "$schema version runs",
    **{"$schema": {"type": "string", "format": "uri"}, "version": {"const": "2.1.0"}, "runs": some(_RUN)},
)

GITLAB = some(
    closed(
        "type check_name description content categories severity fingerprint location",
        type={"const": "issue"},
        check_name=TEXT,
        description=TEXT,
        content=closed("body", body=TEXT),
        categories=some({"const": "Performance"}),
        severity={"enum": ["info", "minor", "major", "critical", "blocker"]},
        fingerprint={"type": "string", "pattern": "^[0-9a-f]{64}$"},
        location=closed(
            "path lines",
            path={"type": "string", "pattern": r"^[^/.]"},
            lines=closed("begin end", begin=LINE, end=LINE),
        ),
    )
)

_POINT = closed("line", "column", line=LINE, column=LINE)
_RANGE = closed("start", "end", start=_POINT, end=_POINT)
RDJSON = closed(
    "source severity diagnostics",
    source=closed("name url", name=TEXT, url=TEXT),
    severity={"enum": ["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]},
    diagnostics=some(
        closed(
            "message location severity code",
            "suggestions",
            message=TEXT,
            location=closed("path range", path=TEXT, range=_RANGE),
            severity={"enum": ["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]},
            code=closed("value", "url", value=TEXT, url=TEXT),
            suggestions=some(closed("range text", range=_RANGE, text=TEXT)),
        )
    ),
)
