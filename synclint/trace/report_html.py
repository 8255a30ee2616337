from synclint.trace.report import TraceReport


def page(report: TraceReport) -> str:
    return ""
