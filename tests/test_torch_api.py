"""What the table of torch's interface says, that torch says the same, and that reading it takes no torch."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from synclint.catalog.torch_api import Overload, TorchApi, alternatives, items, load_torch_api

ROOT = Path(__file__).resolve().parent.parent
GENERATOR = ROOT / "scripts" / "generate_torch_api.py"

VALUES = {
    "Tensor",
    "number",
    "int",
    "float",
    "bool",
    "True",
    "False",
    "str",
    "None",
    "Size",
    "array",
    "any",
    "self",
}
DESCRIPTIONS = {"dtype", "device", "layout", "generator"}
SEQUENCES = {"Tensors", "size", "numbers", "floats", "bools", "strs", "devices"}
KINDS_WITHOUT_BRACKETS = VALUES | DESCRIPTIONS | SEQUENCES | {"..."}


@pytest.fixture(scope="module")
def api() -> TorchApi:
    return load_torch_api()


def results(overloads: tuple[Overload, ...]) -> list[str]:
    return [overload.returns for overload in overloads]


def kinds_of(overloads: tuple[Overload, ...], name: str) -> set[str]:
    return {parameter.kind for overload in overloads for parameter in overload.parameters if parameter.name == name}


def test_the_table_is_what_the_installed_torch_says_whatever_the_order_of_sets() -> None:
    for seed in ("0", "1"):
        check = subprocess.run(
            [sys.executable, "-W", "ignore", str(GENERATOR), "--check"],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=False,
        )
        assert check.returncode == 0, check.stdout + check.stderr


def test_reading_the_table_does_not_import_torch() -> None:
    program = (
        "import sys; from synclint.catalog.torch_api import load_torch_api; "
        "load_torch_api().function('torch.nonzero'); print('torch' in sys.modules)"
    )
    output = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert output.stdout.strip() == "False"


def test_the_table_is_read_once() -> None:
    assert load_torch_api() is load_torch_api()


def test_the_table_stays_below_a_megabyte() -> None:
    assert (ROOT / "synclint" / "catalog" / "torch_api.json").stat().st_size < 1_000_000


def test_every_kind_is_of_the_documented_grammar(api: TorchApi) -> None:
    overloads = [
        *(overload for name in api.function_names() for overload in api.function(name)),
        *(overload for name in api.method_names() for overload in api.method(name)),
    ]
    kinds = {api.property(name) for name in api.property_names()}
    for name in api.class_names():
        row = api.class_(name)
        assert row is not None
        overloads += row.constructor
        overloads += [overload for method in row.methods.values() for overload in method]
        kinds.update(row.attributes.values())
    kinds.update(overload.returns for overload in overloads)
    kinds.update(parameter.kind for overload in overloads for parameter in overload.parameters)

    def strange(kind: str) -> bool:
        inner = items(kind)
        if inner:
            shape = kind[: kind.index("[")]
            return shape not in {"tuple", "list", "dict", "iterator"} or any(map(any_strange, inner))
        return kind not in KINDS_WITHOUT_BRACKETS and api.class_(kind) is None

    def any_strange(kind: str) -> bool:
        return any(map(strange, alternatives(kind)))

    assert {kind for kind in kinds if kind is not None and any_strange(kind)} == set()


def test_nonzero_returns_a_tensor_or_with_as_tuple_one_for_each_dimension(api: TorchApi) -> None:
    assert results(api.function("torch.nonzero")) == ["Tensor", "tuple[Tensor,...]"]
    assert kinds_of(api.function("torch.nonzero"), "as_tuple") == {"False", "True"}
    assert results(api.method("nonzero")) == ["Tensor", "tuple[Tensor,...]"]


def test_max_has_three_overloads_of_which_the_one_along_a_dimension_returns_two_tensors(
    api: TorchApi,
) -> None:
    along = {
        tuple(parameter.name for parameter in overload.parameters if not parameter.keyword_only): overload.returns
        for overload in api.function("torch.max")
    }
    assert along == {
        ("input",): "Tensor",
        ("input", "other"): "Tensor",
        ("input", "dim", "keepdim"): "tuple[Tensor,Tensor]",
    }


def test_reductions_of_a_tensor_stay_tensors(api: TorchApi) -> None:
    for name in ("any", "all", "sum", "mean", "norm", "isnan", "__eq__", "__lt__", "__getitem__"):
        assert results(api.method(name))[0] == "Tensor", name


def test_what_leaves_the_device_returns_python_values(api: TorchApi) -> None:
    assert results(api.method("item")) == ["number"]
    assert results(api.method("tolist")) == ["list[any]"]
    assert results(api.method("numpy")) == ["array"]
    assert results(api.method("__bool__")) == ["bool"]
    assert results(api.function("torch.equal")) == ["bool"]
    assert results(api.function("torch.allclose")) == ["bool"]
    assert results(api.function("torch.is_tensor")) == ["bool"]


def test_sizes_are_known_without_the_device(api: TorchApi) -> None:
    assert results(api.method("size")) == ["Size", "int"]
    assert results(api.method("__len__")) == ["int"]
    assert api.property("shape") == "Size"
    assert api.property("ndim") == "int"
    assert api.property("is_cuda") == "bool"
    assert api.property("grad") == "Tensor?"
    assert api.property("nonzero") is None


def test_one_hot_counts_classes_itself_by_default(api: TorchApi) -> None:
    (overload,) = api.function("torch.nn.functional.one_hot")
    classes = overload.parameters[1]
    assert (classes.name, classes.kind, classes.default) == ("num_classes", "int", "-1")


def test_defaults_that_stubs_omit_are_those_of_the_function(api: TorchApi) -> None:
    (overload,) = api.function("torch.nn.functional.cross_entropy")
    defaults = {parameter.name: parameter.default for parameter in overload.parameters}
    assert defaults["label_smoothing"] == "0.0"
    assert defaults["reduction"] == "'mean'"


def test_functions_built_in_without_stubs_come_from_their_operators(api: TorchApi) -> None:
    (inverse,) = api.function("torch.linalg.inv")
    assert [(parameter.name, parameter.kind) for parameter in inverse.parameters] == [
        ("A", "Tensor"),
        ("out", "Tensor?"),
    ]
    assert inverse.returns == "Tensor"
    assert results(api.function("torch.linalg.svd")) == ["tuple[Tensor,Tensor,Tensor]"]
    assert results(api.function("torch.fft.fft")) == ["Tensor"]
    assert results(api.function("torch.special.expit")) == ["Tensor"]


def test_an_argument_that_takes_tensors_or_numbers_is_told_from_one_that_takes_numbers_alone(
    api: TorchApi,
) -> None:
    assert kinds_of(api.function("torch.add"), "other") == {"Tensor", "Tensor|number"}
    assert kinds_of(api.method("__add__"), "other") == {"Tensor|number"}
    assert kinds_of(api.method("masked_fill"), "value") == {"Tensor", "number"}
    assert kinds_of(api.function("torch.full"), "fill_value") == {"number"}
    assert kinds_of(api.function("torch.arange"), "end") == {"number"}
    assert kinds_of(api.function("torch.topk"), "k") == {"int"}
    assert kinds_of(api.method("split"), "split_size") == {"int", "size"}


def test_sizes_may_be_given_as_one_sequence_or_one_by_one(api: TorchApi) -> None:
    whole, single = api.function("torch.zeros")
    assert (whole.parameters[0].kind, whole.parameters[0].variadic) == ("size", False)
    assert (single.parameters[0].kind, single.parameters[0].variadic) == ("int", True)
    assert all(parameter.keyword_only for parameter in single.parameters[1:])


def test_unique_returns_as_many_tensors_as_its_flags_ask_for(api: TorchApi) -> None:
    for overload in (*api.function("torch.unique"), *api.method("unique")):
        asked = [parameter.kind for parameter in overload.parameters].count("True")
        assert overload.returns == ("Tensor", "tuple[Tensor,Tensor]", "tuple[Tensor,Tensor,Tensor]")[asked]


def test_pooling_returns_indices_only_where_asked(api: TorchApi) -> None:
    by_flag = {
        parameter.kind: overload.returns
        for overload in api.function("torch.nn.functional.max_pool2d")
        for parameter in overload.parameters
        if parameter.name == "return_indices"
    }
    assert by_flag == {"False": "Tensor", "True": "tuple[Tensor,Tensor]"}


def test_a_linear_layer_is_a_module_that_makes_tensors_of_its_tensors(api: TorchApi) -> None:
    linear = api.class_("torch.nn.Linear")
    assert linear is not None
    assert linear.bases == ("torch.nn.Module",)
    assert [parameter.name for parameter in linear.constructor[0].parameters[:3]] == [
        "in_features",
        "out_features",
        "bias",
    ]
    assert results(api.class_method("torch.nn.Linear", "forward")) == ["Tensor"]
    assert api.class_attribute("torch.nn.Linear", "weight") == "Tensor"
    assert api.class_attribute("torch.nn.Linear", "bias") == "Tensor?"
    assert api.class_attribute("torch.nn.Linear", "training") == "bool"


def test_buffers_registered_by_a_private_base_are_attributes(api: TorchApi) -> None:
    assert api.class_attribute("torch.nn.BatchNorm2d", "running_mean") == "Tensor?"


def test_modules_return_themselves_from_conversions(api: TorchApi) -> None:
    assert set(results(api.class_method("torch.nn.Linear", "to"))) == {"self"}
    assert results(api.class_method("torch.nn.Linear", "parameters")) == ["iterator[Tensor]"]


def test_recurrent_and_attention_layers_return_tuples(api: TorchApi) -> None:
    assert results(api.class_method("torch.nn.LSTM", "forward"))[0] == "tuple[Tensor,tuple[Tensor,Tensor]]"
    assert results(api.class_method("torch.nn.GRU", "forward"))[0] == "tuple[Tensor,Tensor]"
    assert results(api.class_method("torch.nn.MultiheadAttention", "forward")) == ["tuple[Tensor,Tensor?]"]
    assert results(api.class_method("torch.nn.Sequential", "forward")) == ["any"]


def test_a_layer_without_annotated_forward_is_rare(api: TorchApi) -> None:
    unknown = {
        name
        for name in api.class_names()
        if name.startswith("torch.nn.") and "any" in results(api.class_method(name, "forward"))
    }
    assert unknown == {
        "torch.nn.DataParallel",
        "torch.nn.Sequential",
        "torch.nn.parallel.DistributedDataParallel",
    }


def test_the_parameters_of_distributions_are_tensors_and_so_are_samples(api: TorchApi) -> None:
    assert api.class_attribute("torch.distributions.Normal", "loc") == "Tensor"
    assert api.class_attribute("torch.distributions.Categorical", "logits") == "Tensor"
    assert results(api.class_method("torch.distributions.Normal", "sample")) == ["Tensor"]
    assert results(api.class_method("torch.distributions.Normal", "log_prob")) == ["Tensor"]


def test_an_override_without_annotations_takes_what_it_overrides_is_annotated_to_take(api: TorchApi) -> None:
    assert kinds_of(api.class_method("torch.distributions.Normal", "log_prob"), "value") == {"Tensor"}
    assert kinds_of(api.class_method("torch.distributions.Normal", "sample"), "sample_shape") == {"size"}


def test_a_parameter_has_the_methods_and_properties_of_a_tensor(api: TorchApi) -> None:
    assert api.class_method("torch.nn.Parameter", "item") == api.method("item")
    assert api.class_attribute("torch.nn.Parameter", "shape") == "Size"


def test_streams_of_cuda_are_streams_although_this_build_of_torch_may_lack_cuda(api: TorchApi) -> None:
    stream = api.class_("torch.cuda.Stream")
    assert stream is not None
    assert stream.bases == ("torch.Stream",)
    assert stream.attributes["cuda_stream"] == "int"


def test_names_of_private_homes_lead_to_public_names(api: TorchApi) -> None:
    assert api.canonical("torch.nn.modules.linear.Linear") == "torch.nn.Linear"
    assert api.canonical("torch.nn.parameter.Parameter") == "torch.nn.Parameter"
    assert api.canonical("torch.functional.norm") == "torch.norm"
    assert api.canonical("torch.functional.unique") == "torch.unique"
    assert api.canonical("torch.nn.utils.clip_grad.clip_grad_norm_") == "torch.nn.utils.clip_grad_norm_"
    assert api.canonical("torch.distributions.normal.Normal") == "torch.distributions.Normal"
    assert api.canonical("torch.autograd.Variable") == "torch.Tensor"
    assert api.canonical("torch.nn.Linear") == "torch.nn.Linear"
    assert api.class_("torch.nn.modules.linear.Linear") is api.class_("torch.nn.Linear")


def test_aliases_lead_to_entries_and_are_none_themselves(api: TorchApi) -> None:
    names = {*api.function_names(), *api.class_names()}
    targets = {api.canonical(alias) for alias in api.alias_names()}
    assert targets <= names
    assert names.isdisjoint(api.alias_names())


def test_unknown_names_are_unknown(api: TorchApi) -> None:
    assert api.function("torch.no_such_function") == ()
    assert api.method("no_such_method") == ()
    assert api.class_("torch.nn.NoSuchLayer") is None
    assert api.class_method("torch.nn.NoSuchLayer", "forward") == ()
    assert api.class_attribute("torch.nn.Linear", "no_such_attribute") is None


def test_methods_that_arrays_or_modules_have_do_not_tell_a_tensor(api: TorchApi) -> None:
    assert {"masked_fill", "unsqueeze", "detach", "logsumexp", "is_cuda"} <= api.tensor_only
    assert api.tensor_only.isdisjoint({"sum", "mean", "to", "cuda", "float", "item", "values", "where", "backward"})
    assert {"sum", "shape", "reshape"} <= api.numpy_shared


def test_unions_split_outside_brackets_only() -> None:
    assert alternatives("Tensor?") == ("Tensor", "None")
    assert alternatives("Tensor|number|None") == ("Tensor", "number", "None")
    assert alternatives("tuple[Tensor,Tensor|number]") == ("tuple[Tensor,Tensor|number]",)
    assert items("tuple[Tensor,tuple[int,str]]") == ("Tensor", "tuple[int,str]")
    assert items("Tensor") == ()


def test_names_in_the_table_are_public_and_of_torch(api: TorchApi) -> None:
    without_any = {"torch._C._nn.cross_entropy_loss", "torch._VF.unique_dim"}
    for name in {*api.function_names(), *api.class_names()} - without_any:
        assert re.fullmatch(r"torch(\.[A-Za-z]\w*)*\.\w+", name), name


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("torch._VF.unique_consecutive", "torch.unique_consecutive"),
        ("torch._C._VariableFunctions.nonzero", "torch.nonzero"),
        ("torch._C._linalg.linalg_eigh", "torch.linalg.eigh"),
        ("torch._C._nn.gelu", "torch.nn.functional.gelu"),
        ("torch._C._special.special_erf", "torch.special.erf"),
        ("torch.ops.aten.linalg_inv.default", "torch.linalg.inv"),
        ("torch.ops.aten.one_hot", "torch.nn.functional.one_hot"),
        ("torch.ops.aten.unique_dim", "torch._VF.unique_dim"),
        ("torch.ops.aten.no_such_operator.out", "torch.ops.aten.no_such_operator.out"),
        ("torch._no_such_function", "torch._no_such_function"),
    ],
)
def test_an_operator_has_its_public_name_wherever_it_is_taken_from(api: TorchApi, name: str, public: str) -> None:
    assert api.canonical(name) == public


def test_whatever_the_functional_module_has_is_known(api: TorchApi) -> None:
    script = (
        "import inspect, torch.nn.functional as F\n"
        "print(*[n for n, v in vars(F).items() if n[0] != '_' and inspect.isroutine(v)"
        " and (inspect.isbuiltin(v) or v.__module__ == F.__name__)])"
    )
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    names = [f"torch.nn.functional.{name}" for name in printed.split()]
    unknown = {name.rpartition(".")[2] for name in names if not api.function(api.canonical(name))}
    assert unknown <= {"boolean_dispatch", "has_torch_function_unary", "has_torch_function_variadic"}
    assert "torch.nn.functional.conv2d" in names
