"""Every rule and every catalogue entry, verified on the simulated device."""

from __future__ import annotations

import json

from command_line import Synclint


def test_every_rule_and_entry_that_can_run_here_is_confirmed(run: Synclint) -> None:
    ended = run("--verify", "--device", "sim", "--catalog", "--output-format", "json")
    cases = json.loads(ended.out)["cases"]
    unproved = {
        case["id"]: case["reasons"]
        for case in cases
        if case["verdict"] not in ("confirmed", "static") and case["applicable"]
    }
    assert unproved == {}
    assert ended.status == 0
    confirmed = [case["kind"] for case in cases if case["verdict"] == "confirmed"]
    assert confirmed.count("rule") >= 35
    assert confirmed.count("catalogue") >= 120
