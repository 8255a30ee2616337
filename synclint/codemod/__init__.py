"""What synclint knows, for authors of codemods, matchers and lint rules that use libcst.

`TensorFactProvider` is a metadata provider: for any expression it provides what was concluded about its value, and
whether, how and how often the host waits there. `synclint.codemod.fixit_rules` contains a rule for Fixit 2 that uses
it.
"""

from synclint.analysis.domain.values import Device, DType
from synclint.codemod.files import UnknownFactsError, facts_of_files, facts_of_text
from synclint.codemod.provider import TensorFactProvider
from synclint.findings import Confidence, Context, Finding, Phase
from synclint.results.expression_facts import FileFacts, TensorFact

__all__ = [
    "Confidence",
    "Context",
    "DType",
    "Device",
    "FileFacts",
    "Finding",
    "Phase",
    "TensorFact",
    "TensorFactProvider",
    "UnknownFactsError",
    "facts_of_files",
    "facts_of_text",
]
