"""The JSON Schema of the configuration, for editors that complete and check it."""

from __future__ import annotations

import json
from typing import Any

from synclint.config.files import EXTEND, REQUIRED_RELEASE
from synclint.config.options import settings
from synclint.config.rendering import written
from synclint.rules.records import DOCUMENTATION

SCHEMA_FILE = "synclint.schema.json"


def schema() -> dict[str, Any]:
    """The schema of ``[tool.synclint]``, which is that of ``synclint.toml``."""
    properties: dict[str, Any] = {}
    for setting in settings():
        description = {"description": setting.help}
        default = {} if setting.default is None else {"default": written(setting, setting.default)}
        properties[setting.name] = {**description, **setting.kind.schema, **default}
    properties[EXTEND] = {
        "description": "Take the settings that are not given here from this configuration file.",
        "type": "string",
    }
    properties[REQUIRED_RELEASE] = {
        "description": "The releases of synclint that this configuration is for, such as '>=0.4'.",
        "type": "string",
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"{DOCUMENTATION}/synclint/config/{SCHEMA_FILE}",
        "title": "synclint",
        "description": "The settings of synclint, in synclint.toml or in [tool.synclint] of pyproject.toml.",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def schema_text() -> str:
    """The schema as JSON, as the package carries it."""
    return json.dumps(schema(), indent=2) + "\n"
