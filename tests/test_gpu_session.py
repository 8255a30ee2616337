"""The session on a GPU: parts that end, fail and are skipped, and files that are taken up again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))

import gpu_session
from gpu_session import DONE, Part, PartFailedError, Place, run_session, session


@pytest.fixture
def place(tmp_path: Path) -> Place:
    for name in ("out", "work"):
        (tmp_path / name).mkdir()
    return Place(tmp_path / "out", tmp_path / "work", None)


def noting(asked: list[str], name: str) -> Callable[[Place, float], None]:
    return lambda place, seconds: asked.append(name)


def failing(place: Place, seconds: float) -> None:
    raise PartFailedError("did not finish within 3 s")


def quiet(line: str) -> None:
    pass


def test_parts_that_came_to_their_end_are_skipped_and_others_tried_again(place: Place) -> None:
    asked: list[str] = []
    parts = [Part("rules", 0.5, noting(asked, "rules")), Part("uploads", 0.5, failing)]
    assert not run_session(place, parts, 1000.0, quiet)
    assert {name: part["ended"] for name, part in session(place.out)["parts"].items()} == {
        "rules": DONE,
        "uploads": "did not finish within 3 s",
    }
    parts = [Part("rules", 0.5, noting(asked, "rules")), Part("uploads", 0.5, noting(asked, "uploads"))]
    assert run_session(place, parts, 1000.0, quiet)
    assert asked == ["rules", "uploads"]


def test_without_a_device_nothing_else_is_tried(place: Place) -> None:
    asked: list[str] = []
    parts = [Part("machine", 0.5, failing), Part("rules", 0.5, noting(asked, "rules"))]
    assert not run_session(place, parts, 1000.0, quiet)
    assert asked == []


def test_each_part_is_given_its_share_and_none_more_than_is_left(place: Place) -> None:
    given: list[float] = []
    parts = [
        Part(name, share, lambda place, seconds: given.append(seconds)) for name, share in (("a", 0.5), ("b", 1.0))
    ]
    run_session(place, parts, 100.0, quiet)
    assert 49 < given[0] <= 50 and 79 < given[1] <= 80
    lines: list[str] = []
    assert not run_session(place, [Part("c", 1.0, failing)], 10.0, lines.append)
    assert lines == ["c: no time is left"]


def test_a_program_that_takes_too_long_is_ended_with_all_that_it_started(place: Place) -> None:
    program = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(600)'])"
    with pytest.raises(PartFailedError, match="did not finish within 1 s"):
        gpu_session.python(place, ["-c", program], 1.0)


def test_a_session_that_is_ended_ends_what_it_has_started_and_packs_what_is_there(tmp_path: Path) -> None:
    started = tmp_path / "started"
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import gpu_session, pathlib\n"
        "def part(place, seconds):\n"
        "    try: gpu_session.python(place, ['-c', sys.argv[3]], seconds)\n"
        "    finally: (place.out / 'packed').touch()\n"
        "gpu_session.PARTS = (gpu_session.Part('part', 1.0, part),)\n"
        "gpu_session.main(['--out', sys.argv[2]])\n"
    )
    child = f"import os, pathlib, time; pathlib.Path({str(started)!r}).write_text(str(os.getpid())); time.sleep(600)"
    scripts = str(Path(gpu_session.__file__).parent)
    session_ = subprocess.Popen([sys.executable, "-c", program, scripts, str(tmp_path / "out"), child])
    wait_until(lambda: started.exists() and bool(started.read_text(encoding="utf-8")))
    session_.terminate()
    assert session_.wait(60) == 143
    assert (tmp_path / "out" / "packed").exists()
    wait_until(lambda: not is_running(int(started.read_text(encoding="utf-8"))))


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_program_that_fails_says_why_in_one_line(place: Place) -> None:
    with pytest.raises(PartFailedError, match=r"ended with status 3: no luck$"):
        gpu_session.python(place, ["-c", "import sys; print('first\\nno luck'); sys.exit(3)"], 60.0)
    warned = "print('a\\n[rank0]: RuntimeError: of NCCL\\n[rank0]:[W1126 Warning: not destroyed'); raise SystemExit(1)"
    with pytest.raises(PartFailedError, match=r"ended with status 1: \[rank0\]: RuntimeError: of NCCL$"):
        gpu_session.python(place, ["-c", warned], 60.0)


def test_a_verification_that_contradicts_a_rule_came_to_its_end_and_a_program_that_raises_did_not(place: Place) -> None:
    failing = ["-c", "raise SystemExit('index out of range')"]
    assert gpu_session.python(place, failing, 60.0, ends_with=(0, 1)).strip() == "index out of range"
    with pytest.raises(PartFailedError, match=r"ended with status 1: index out of range$"):
        gpu_session.python(place, failing, 60.0)


def test_an_interrupted_verification_is_taken_up_from_its_archive(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(place: Place, arguments: object, seconds: float, **options: object) -> str:
        report = place.work / "rules"
        report.mkdir(exist_ok=True)
        (report / "measured.jsonl").write_text("one case\n", encoding="utf-8")
        (report / "nvidia-h200-torch2.13.0.json").write_text("{}", encoding="utf-8")
        raise PartFailedError("did not finish within 3 s")

    found: list[str] = []

    def resumed(place: Place, arguments: object, seconds: float, **options: object) -> str:
        found.append((place.work / "rules" / "measured.jsonl").read_text(encoding="utf-8"))
        return ""

    verify = gpu_session.verifying("rules")
    monkeypatch.setattr(gpu_session, "python", interrupted)
    with pytest.raises(PartFailedError):
        verify(place, 3.0)
    assert (place.out / "rules.json").read_text(encoding="utf-8") == "{}"
    monkeypatch.setattr(gpu_session, "python", resumed)
    elsewhere = place.work / "another machine"
    elsewhere.mkdir()
    verify(Place(place.out, elsewhere, None), 3.0)
    assert found == ["one case\n"]


def test_an_archive_that_would_be_too_large_goes_without_traces(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    report = place.work / "rules"
    (report / "traces").mkdir(parents=True)
    (report / "traces" / "SYN101.json.gz").write_bytes(bytes(range(256)) * 64)
    (report / "index.html").write_text("a page", encoding="utf-8")

    def names() -> list[str]:
        gpu_session._pack(report, place.out / "rules.tar.gz")
        with tarfile.open(place.out / "rules.tar.gz") as packed:
            return packed.getnames()

    assert names() == ["rules/index.html", "rules/traces/SYN101.json.gz"]
    monkeypatch.setattr(gpu_session, "LARGEST", 300)
    assert names() == ["rules/index.html"]


def test_what_is_left_of_a_spoiled_session_is_nothing(place: Place) -> None:
    (place.out / "session.json").write_text("{", encoding="utf-8")
    assert session(place.out) == {}
    (place.out / "session.json").write_text(json.dumps([1]), encoding="utf-8")
    assert session(place.out) == {}


def test_programs_that_did_not_come_to_their_turn_are_left_to_the_next_session(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *others = [gpu_session._name(path) for path in gpu_session.programs(place)]
    ran: list[str] = []

    def answering(place: Place, arguments: list[str], seconds: float) -> str:
        ran.append(gpu_session._name(Path(arguments[-1])))
        return '{"mean_ms": 5.4}'

    monkeypatch.setattr(gpu_session, "python", answering)
    with pytest.raises(PartFailedError, match=f"no time was left for {others[0]}"):
        gpu_session.time_articles(place, 15.0)
    assert ran == [first]
    gpu_session.time_articles(place, 15.0 * 60)
    assert ran == [first, *others]
    assert set(json.loads((place.out / "articles.json").read_text(encoding="utf-8"))) == {first, *others}


def test_a_program_that_never_ends_keeps_no_other_from_its_turn(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third, *_ = [gpu_session._name(path) for path in gpu_session.programs(place)]
    ran: list[str] = []

    def hanging(place: Place, arguments: list[str], seconds: float) -> str:
        ran.append(gpu_session._name(Path(arguments[-1])))
        raise PartFailedError("did not finish within 15 s")

    monkeypatch.setattr(gpu_session, "python", hanging)
    for name, next_one in ((first, second), (second, third)):
        said = f"^{name} did not finish within 15 s; no time was left for {next_one}, "
        with pytest.raises(PartFailedError, match=said):
            gpu_session.time_articles(place, 15.0)
    assert ran == [first, second]


def test_a_program_that_failed_is_tried_again_and_its_trace_taken_up(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    (chosen, *_) = gpu_session.programs(place)
    monkeypatch.setattr(gpu_session, "programs", lambda place: [chosen])
    told: list[list[str]] = []

    def tracing(place: Place, arguments: list[str], seconds: float) -> str:
        told.append(arguments)
        if len(told) == 1:
            raise PartFailedError("no luck")
        Path(arguments[3].partition("=")[2].partition("=")[2]).write_text("{}", encoding="utf-8")
        return ""

    monkeypatch.setattr(gpu_session, "python", tracing)
    with pytest.raises(PartFailedError):
        gpu_session.trace_articles(place, 600.0)
    gpu_session.trace_articles(place, 600.0)
    for folder in ("another machine", "a third"):
        (place.work / folder).mkdir()
        gpu_session.trace_articles(Place(place.out, place.work / folder, None), 600.0)
    assert len(told) == 2


def test_on_a_pretended_device_a_session_is_a_rehearsal_with_fewer_programs(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[list[str]] = []

    def answering(place: Place, arguments: list[str], *others: object, **options: object) -> str:
        told.append(arguments)
        return json.dumps({"device": device})

    monkeypatch.setattr(gpu_session, "python", answering)
    device = "Pretended GPU"
    gpu_session.see_machine(place, 60.0)
    rehearsed = gpu_session.programs(place)
    parts = {part.name: part for part in gpu_session.PARTS}
    told.clear()
    parts["traces"].run(place, 600.0)
    assert len(told) == 1
    parts["catalog"].run(place, 60.0)
    assert "--select" in told[-1]
    device = "NVIDIA H200"
    with pytest.raises(PartFailedError, match="holds a rehearsal"):
        gpu_session.see_machine(place, 60.0)
    (place.out / "session.json").unlink()
    gpu_session.see_machine(place, 60.0)
    assert set(rehearsed) < set(gpu_session.programs(place))
    parts["catalog"].run(place, 60.0)
    assert "--select" not in told[-1]


def test_the_catalogue_is_verified_from_what_was_measured_of_the_rules(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place.work / "rules").mkdir()
    (place.work / "rules" / "measured.jsonl").write_text("the rules\n", encoding="utf-8")
    gpu_session._pack(place.work / "rules", place.out / "rules.tar.gz")
    elsewhere = place.work / "another machine"
    elsewhere.mkdir()
    found: list[str] = []

    def reading(place: Place, arguments: object, seconds: float, **options: object) -> str:
        found.append((place.work / "catalog" / "measured.jsonl").read_text(encoding="utf-8"))
        return ""

    monkeypatch.setattr(gpu_session, "python", reading)
    next(part for part in gpu_session.PARTS if part.name == "catalog").run(Place(place.out, elsewhere, None), 60.0)
    assert found == ["the rules\n"]


def test_an_error_of_our_own_costs_its_part_alone(place: Place) -> None:
    def broken(place: Place, seconds: float) -> None:
        raise OSError("no space left")

    asked: list[str] = []
    parts = [Part("rules", 0.5, broken), Part("uploads", 0.5, noting(asked, "uploads"))]
    assert not run_session(place, parts, 1000.0, quiet)
    assert asked == ["uploads"]
    assert session(place.out)["parts"]["rules"]["ended"] == "OSError: no space left"


def test_a_record_is_found_among_what_libraries_print() -> None:
    assert gpu_session.record_in('{"a": 1}\n[rank0]: destroy_process_group() was not called\n') == {"a": 1}
    with pytest.raises(PartFailedError, match="printed no record"):
        gpu_session.record_in("{ not quite\n")
