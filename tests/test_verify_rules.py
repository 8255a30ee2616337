"""Every rule of the project, verified on the simulated device as the continuous integration does."""

from __future__ import annotations

import json

from command_line import Synclint


def test_every_rule_that_can_run_here_is_confirmed(run: Synclint) -> None:
    ended = run("--verify", "--device", "sim", "--output-format", "json")
    cases = json.loads(ended.out)["cases"]
    unproved = {
        case["id"]: case["reasons"]
        for case in cases
        if case["verdict"] not in ("confirmed", "static") and case["applicable"]
    }
    assert unproved == {}
    assert ended.status == 0
    assert sum(case["verdict"] == "confirmed" for case in cases) >= 35
