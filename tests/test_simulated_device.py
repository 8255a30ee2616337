"""The simulated device: it computes what the host computes, and sees every wait that CUDA would have."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import nn

from synclint.verify import recording
from synclint.verify.recording import SyncRecord, record_syncs
from synclint.verify.simulated import SimulatedDeviceUnavailable, compilation, kernels, simulated_device
from synclint.verify.vocabulary import build_vocabulary


@pytest.fixture(scope="module")
def device() -> Iterator[torch.device]:
    with simulated_device() as simulated:
        yield simulated


def run(code: str, device: torch.device) -> list[SyncRecord]:
    names = build_vocabulary(device, code)
    with record_syncs() as syncs:
        exec(code, names)
    return syncs


# --- whom a wait is blamed on ---------------------------------------------------------------------

USER_CODE = """\
import torch

def loss(logits, target):
    valid = target >= 0
    picked = logits[valid]
    return torch.nn.functional.cross_entropy(
        picked,
        target[valid],
    )

class Model(torch.nn.Module):
    def forward(self, x):
        return torch.unique(x)

def helper(device):
    x = torch.randn(8, 3, device="cuda")
    loss(x, torch.arange(8, device="cuda") % 3)
    Model().to("cuda")(x)
    w = torch.ones(8, 3, device=device, requires_grad=True)
    w[w > 0].sum().backward()
"""


@pytest.fixture
def user_file(tmp_path: Path) -> Path:
    path = tmp_path / "user_code.py"
    path.write_text(USER_CODE)
    return path


def execute(path: Path) -> dict[str, object]:
    names: dict[str, object] = {"__name__": "user_code"}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names


def test_a_wait_is_blamed_on_the_line_and_function_of_the_users_code(user_file: Path, device: torch.device) -> None:
    helper = execute(user_file)["helper"]
    with record_syncs() as syncs:
        helper(device)  # type: ignore[operator]
    places = [(sync.op, sync.line, sync.function, sync.via) for sync in syncs]
    assert places == [
        ("aten::nonzero", 5, "loss", "aten::index"),
        ("aten::nonzero", 8, "loss", "aten::index"),
        ("aten::_unique2", 13, "forward", "aten::_unique2"),
        ("aten::nonzero", 20, "helper", "aten::index"),
        ("aten::nonzero", 20, "helper", "torch.Tensor.backward"),
    ]
    assert {sync.file for sync in syncs} == {str(user_file)}
    assert [frame.function for frame in syncs[0].stack][-2:] == ["helper", "loss"]


def test_a_wait_inside_a_library_is_blamed_on_its_caller_and_names_the_public_function(
    device: torch.device,
) -> None:
    (sync,) = run("torch.distributions.Poisson(v.exp()).log_prob(n.float())", device)[:1]
    assert (sync.file, sync.line) == ("<string>", 1)
    assert sync.via == "torch.distributions.Poisson.__init__"


def test_within_moves_the_blame_to_the_files_it_names(user_file: Path, device: torch.device) -> None:
    helper = execute(user_file)["helper"]
    with record_syncs(within=Path(__file__)) as syncs:
        helper(device)  # type: ignore[operator]
    assert {sync.file for sync in syncs} == {__file__}


def test_a_backward_pass_in_a_thread_keeps_its_line(device: torch.device) -> None:
    weight = torch.ones(3, device=device, requires_grad=True)

    def step() -> None:
        weight[weight > 0].sum().backward()

    thread = threading.Thread(target=step)
    with record_syncs() as syncs:
        thread.start()
        thread.join()
    assert [sync.function for sync in syncs] == ["step", "step"]


def test_operators_tell_what_led_to_the_kernel(device: torch.device) -> None:
    (sync,) = run("bool(m.any())", device)
    assert sync.operators == ("aten::is_nonzero", "aten::item", "aten::_local_scalar_dense")


# --- recordings ------------------------------------------------------------------------------------


def test_recordings_nest_and_each_sees_all_within(device: torch.device) -> None:
    value = torch.ones((), device=device)
    with record_syncs() as outer:
        value.item()
        with record_syncs() as inner:
            value.item()
        value.item()
    value.item()
    assert (len(outer), len(inner)) == (3, 1)


def test_a_recording_begun_before_the_device_sees_it() -> None:
    with record_syncs() as syncs, simulated_device() as device:
        torch.ones((), device=device).item()
    assert [sync.op for sync in syncs] == ["aten::_local_scalar_dense"]


def test_recordings_see_the_waits_of_every_thread(device: torch.device) -> None:
    value = torch.ones((), device=device)
    threads = [threading.Thread(target=lambda: [value.item() for _ in range(50)]) for _ in range(4)]
    with record_syncs() as syncs:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(syncs) == 200


def test_an_exception_ends_the_recording(device: torch.device) -> None:
    value = torch.ones((), device=device)
    with pytest.raises(ZeroDivisionError), record_syncs() as syncs:
        raise ZeroDivisionError
    value.item()
    assert syncs == []
    assert recording._recordings == []


# --- torch.cuda ------------------------------------------------------------------------------------


def test_torch_cuda_is_restored_when_the_last_block_ends() -> None:
    before = (torch.cuda.is_available(), torch.cuda.Stream, torch._C._has_cuda, vars(torch.cuda).copy())
    with simulated_device(), simulated_device() as device:
        inside = torch.cuda.is_available()
        tensor = torch.ones(3, device=device)
    assert inside
    if not before[0]:
        assert (torch.cuda.is_available(), torch.cuda.Stream, torch._C._has_cuda) == before[:3]
        assert vars(torch.cuda) == before[3]
    assert (tensor + 1).sum().item() == 6


def test_dynamo_compiles_again_when_the_last_block_has_ended() -> None:
    from torch._dynamo import config

    before = config.disable
    with simulated_device():
        assert config.disable
    assert config.disable is before


def test_code_that_says_cuda_runs_unchanged(device: torch.device) -> None:
    assert torch.cuda.is_available() and torch.cuda.device_count() == 1
    assert torch.cuda.get_device_name().startswith("simulated")
    assert torch.zeros(2, device="cuda:0").device == torch.zeros(2).cuda().device == device
    with torch.cuda.device(0), torch.device("cuda"):
        assert torch.zeros(2).is_cuda
    assert torch.accelerator.current_accelerator() == torch.device("cuda")


def test_pytorch_may_have_looked_for_cuda_before() -> None:
    program = """
import torch
assert not torch.zeros(1).is_pinned()
from synclint.verify.simulated import simulated_device
with simulated_device():
    assert torch.zeros(1).pin_memory().is_pinned() and torch.zeros(1, device="cuda").is_cuda
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_there_is_one_device_only(device: torch.device) -> None:
    with pytest.raises(RuntimeError, match="there is no cuda:1"):
        torch.zeros(2, device="cuda:1")
    with pytest.raises(RuntimeError, match="there is no cuda:1"):
        torch.cuda.set_device(1)


def test_streams_and_events_work(device: torch.device) -> None:
    stream = torch.cuda.Stream()
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    with torch.cuda.stream(stream):
        assert torch.cuda.current_stream() == stream
        start.record()
        end.record()
    assert torch.cuda.current_stream() == torch.cuda.default_stream() != stream
    assert end.query() and start.elapsed_time(end) > 0


def test_pinned_memory_is_known_as_pinned(device: torch.device) -> None:
    assert torch.zeros(4).pin_memory().is_pinned()
    assert torch.zeros(4, pin_memory=True)[2:].is_pinned()
    assert not torch.zeros(4).is_pinned()


def test_seeds_and_generators_repeat(device: torch.device) -> None:
    torch.cuda.manual_seed(3)
    first = torch.randn(4, device=device)
    torch.cuda.manual_seed(3)
    assert torch.equal(first, torch.randn(4, device=device))
    generator = torch.Generator(device="cuda")
    assert generator.device == device
    draws = [torch.rand(4, device=device, generator=generator.manual_seed(1)) for _ in range(2)]
    assert torch.equal(*draws)


def test_a_group_of_one_process_runs_under_the_name_of_nccl(device: torch.device) -> None:
    dist = torch.distributed
    dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
    try:
        total = torch.ones(2, device=device)
        gathered: list[object] = [None]
        with record_syncs() as syncs:
            dist.all_reduce(total)
        assert syncs == [] and total.tolist() == [1.0, 1.0]
        with record_syncs() as syncs:
            dist.barrier()
        assert [(sync.op, sync.via) for sync in syncs] == [("c10d::barrier", "torch.distributed.barrier")]
        with record_syncs() as syncs:
            dist.all_gather_object(gathered, "payload")
        assert syncs and gathered == ["payload"]
    finally:
        dist.destroy_process_group()


# --- the device computes what the host computes --------------------------------------------------------


def network() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(3, 6, 3, groups=3),
        nn.BatchNorm2d(6),
        nn.GELU(),
        nn.MaxPool2d(2),
        nn.GroupNorm(2, 6),
        nn.Flatten(2),
        nn.LayerNorm(9),
        nn.TransformerEncoderLayer(9, 3, 16, dropout=0.0, batch_first=True),
        nn.Linear(9, 4),
    )


@pytest.mark.parametrize(
    ("module", "shape"),
    [
        (network(), (2, 3, 8, 8)),
        (nn.LSTM(4, 5, num_layers=2, bidirectional=True), (3, 2, 4)),
        (nn.GRU(4, 5, num_layers=2), (3, 2, 4)),
        (nn.ConvTranspose1d(4, 3, 2), (2, 4, 5)),
    ],
    ids=["network", "LSTM", "GRU", "ConvTranspose1d"],
)
def test_modules_give_the_hosts_results_and_gradients(
    module: nn.Module, shape: tuple[int, ...], device: torch.device
) -> None:
    batch = torch.randn(shape)
    results: list[tuple[torch.Tensor, list[torch.Tensor]]] = []
    for place in (torch.device("cpu"), device):
        module.to(place).zero_grad()
        output = module(batch.to(place))
        output = output[0] if isinstance(output, tuple) else output
        output.pow(2).sum().backward()
        gradients = [parameter.grad.cpu().clone() for parameter in module.parameters()]
        results.append((output.detach().cpu(), gradients))
    torch.testing.assert_close(results[0], results[1])


def test_adam_follows_the_hosts_and_waits_for_nothing(device: torch.device) -> None:
    trained = []
    for place in (torch.device("cpu"), device):
        weight = torch.linspace(-1, 1, 6).to(place).requires_grad_()
        optimizer = torch.optim.Adam([weight], lr=0.1)
        with record_syncs() as syncs:
            for _ in range(3):
                optimizer.zero_grad()
                weight.pow(2).sum().backward()
                optimizer.step()
        assert syncs == []
        trained.append(weight.detach().cpu())
    torch.testing.assert_close(*trained)


def test_mixed_precision_waits_in_the_scalers_step_only(device: torch.device) -> None:
    weight = torch.ones(4, 4, device=device, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    with record_syncs() as syncs:
        with torch.autocast("cuda", dtype=torch.float16):
            output = weight @ weight
        assert output.dtype == torch.float16
        scaler.scale(output.float().sum()).backward()
        scaler.step(optimizer)
        scaler.update()
    assert [sync.via for sync in syncs] == ["torch.GradScaler.step"]


def test_views_share_memory(device: torch.device) -> None:
    base = torch.zeros(2, 3, device=device)
    base.view(6)[4:] = 1.0
    base.t()[0].add_(2.0)
    assert base.tolist() == [[2, 0, 0], [2, 1, 1]]


def test_resizes_and_out_arguments_reach_the_device_tensor(device: torch.device) -> None:
    out = torch.empty(0, device=device)
    torch.add(torch.ones(3, device=device), 1, out=out)
    assert out.tolist() == [2, 2, 2]
    assert out.resize_(5).shape == (5,)
    assert out[:3].tolist() == [2, 2, 2]


def test_sparse_and_nested_tensors_keep_their_kind(device: torch.device) -> None:
    sparse = torch.eye(3, device=device).to_sparse()
    assert sparse.is_cuda and sparse.is_sparse and sparse.to_dense().sum().item() == 3
    assert (sparse @ torch.ones(3, 2, device=device)).is_cuda
    compressed = torch.eye(3).to_sparse_csr().to(device)
    assert (compressed @ torch.ones(3, 1, device=device)).tolist() == [[1], [1], [1]]
    nested = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], device=device)
    assert nested.is_nested and nested.to_padded_tensor(0.0).sum().item() == 5


def test_complex_views_keep_their_pending_conjugation(device: torch.device) -> None:
    value = torch.tensor([1 + 2j]).to(device)
    assert value.conj().is_conj() and (value.conj() * 1).tolist() == [1 - 2j]


def test_saving_and_loading_go_through_the_device(device: torch.device) -> None:
    buffer = io.BytesIO()
    torch.save({"weight": torch.arange(3.0, device=device)}, buffer)
    buffer.seek(0)
    loaded = torch.load(buffer, map_location="cuda")["weight"]
    assert loaded.is_cuda and loaded.tolist() == [0, 1, 2]


@pytest.mark.parametrize("code", ["x + c", "x @ c", "torch.cat([x, c])", "torch.linalg.solve(A, c)"])
def test_operands_on_two_devices_are_refused(code: str, device: torch.device) -> None:
    with pytest.raises(RuntimeError, match=r"same device|devices"):
        run(code, device)


# --- the table of kernels ------------------------------------------------------------------------------


def test_every_modelled_kernel_is_an_operator_with_the_arguments_that_its_clauses_read() -> None:
    for kernel in kernels.load_kernels():
        schemas = torch._C._jit_get_schemas_for_operator(kernel.operator)
        assert schemas, kernel.operator
        arguments = {argument.name for schema in schemas for argument in schema.arguments}
        for alternative in kernel.alternatives:
            for predicate, names in alternative:
                assert predicate == "uncoalesced" or set(names) <= arguments, (kernel.operator, names)


def test_an_unknown_mechanism_is_refused_by_name(tmp_path: Path) -> None:
    table = tmp_path / "kernels.toml"
    table.write_text('[[kernel]]\noperators = ["aten::sort"]\nmechanism = "magic"\nbecause = "it does"\n')
    with pytest.raises(ValueError, match=r"aten::sort.*unknown mechanism 'magic'"):
        kernels.load_kernels(table)


def test_an_unknown_predicate_is_refused_by_name(device: torch.device) -> None:
    from synclint.verify import simulated

    with pytest.raises(ValueError, match="aten::sort: there is no predicate 'tall'"):
        simulated._native().model_kernel("aten::sort", "scalar-read", [[("tall", ["self"])]])


# --- where it cannot be had ----------------------------------------------------------------------------


def test_without_a_compiler_the_message_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SimulatedDeviceUnavailable, match=r"no C\+\+ compiler .*install one .*CXX"):
        compilation.build()


def test_a_compiler_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(SimulatedDeviceUnavailable, match=r"CXX names 'no-such-compiler'"):
        compilation.build()


def test_a_failing_compiler_leaves_a_log(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CXX", "false")
    monkeypatch.delenv("SYNCLINT_DEVICE_FOLDER")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(SimulatedDeviceUnavailable, match="messages are in") as raised:
        compilation.build()
    (log,) = tmp_path.rglob("build.log")
    assert str(log) in str(raised.value)
    # It takes long enough for somebody to wonder.
    assert re.fullmatch(r"synclint: compiling the simulated device for torch .*\n", capsys.readouterr().err)


def test_what_is_compiled_already_is_used_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    compilation.build()
    capsys.readouterr()
    compilation.build()
    assert capsys.readouterr().err == ""


def test_a_cache_that_cannot_be_written_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("")
    monkeypatch.delenv("SYNCLINT_DEVICE_FOLDER")
    monkeypatch.setenv("XDG_CACHE_HOME", str(occupied))
    with pytest.raises(SimulatedDeviceUnavailable, match="set XDG_CACHE_HOME"):
        compilation.build()


def test_a_build_for_cuda_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.version, "cuda", "12.6")
    with pytest.raises(SimulatedDeviceUnavailable, match=r"built for CUDA 12\.6"), simulated_device():
        pass


def test_an_old_release_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "__version__", "2.3.1")
    with pytest.raises(SimulatedDeviceUnavailable, match=r"2\.3\.1 is too old.*2\.4"), simulated_device():
        pass


def test_a_compiled_device_is_taken_from_the_cache() -> None:
    first = compilation.build()
    modified = first.stat().st_mtime_ns
    assert compilation.build() == first
    assert first.stat().st_mtime_ns == modified
