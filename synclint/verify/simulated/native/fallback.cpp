#include "fallback.h"

#include "host_views.h"
#include "waits.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/library.h>

#include <unordered_set>

namespace synclint {
namespace {

// Operators that CUDA lets take tensors of the host beside those of the device.
bool takes_both_devices(const std::string& name) {
  static const std::unordered_set<std::string> names = {
      "aten::index",
      "aten::_index_put_impl_",
      "aten::_ctc_loss",
      "aten::_ctc_loss_backward",
      "aten::set_",
      "aten::_nested_view_from_buffer",
  };
  return names.count(name) != 0;
}

void visit_tensors(const c10::IValue& value, const std::function<void(const at::Tensor&)>& visit) {
  if (value.isTensor()) {
    visit(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) {
      visit(tensor);
    }
  }
}

// CUDA's kernels refuse what the host's would not notice. Tensors without dimensions are numbers to them.
void check_devices(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  const std::string& name = op.schema().name();
  bool device = false;
  bool host = false;
  for (const c10::IValue& argument : arguments) {
    visit_tensors(argument, [&](const at::Tensor& tensor) {
      if (tensor.defined()) {
        device = device || tensor.is_cuda();
        host = host || (tensor.is_cpu() && tensor.dim() > 0);
      }
    });
  }
  TORCH_CHECK(
      !(device && host) || takes_both_devices(name),
      "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (in ", name, ")");
}

// The composite kernel of indexing expands masks and moves indices, all of it on the device, where it is seen.
bool computes_on_device_first(const c10::OperatorName& name) {
  return name.name == "aten::index" && name.overload_name == "Tensor";
}

void run_boxed(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
  run_on_host(op, stack);
}

// Where the host has a kernel of its own beside a composite one, so has CUDA; but a fallback comes after
// composite kernels, and would not be reached.
void prefer_host_kernels(c10::DispatchKey host, c10::DispatchKey device) {
  // Registrations last as long as their library, which is for ever.
  auto* library = new torch::Library(torch::Library::IMPL, "aten", device, __FILE__, __LINE__);
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto op = c10::Dispatcher::singleton().findOp(name);
    if (!op || name.getNamespace() != "aten" || !op->hasKernelForDispatchKey(host) ||
        op->hasKernelForDispatchKey(device) || computes_on_device_first(name)) {
      continue;
    }
    if (op->hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd) ||
        op->hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutogradNonFunctional)) {
      library->impl(c10::toString(name).c_str(), torch::CppFunction::makeFromBoxedFunction<&run_boxed>());
    }
  }
}

// Their composite kernels pick an implementation by device, and pick one of cuDNN or CUDA.
constexpr const char* chosen_by_device[] = {
    "convolution",
    "convolution_backward",
};

} // namespace

void install_fallbacks() {
  prefer_host_kernels(c10::DispatchKey::CPU, c10::DispatchKey::CUDA);
  prefer_host_kernels(c10::DispatchKey::SparseCPU, c10::DispatchKey::SparseCUDA);
  prefer_host_kernels(c10::DispatchKey::SparseCsrCPU, c10::DispatchKey::SparseCsrCUDA);
  prefer_host_kernels(c10::DispatchKey::NestedTensorCPU, c10::DispatchKey::NestedTensorCUDA);
}

void run_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const size_t argument_count = op.schema().arguments().size();
  const auto arguments = torch::jit::last(*stack, argument_count);
  check_devices(op, arguments);
  count_operator();
  judge_kernel(op, arguments);

  HostViews views;
  for (size_t i = stack->size() - argument_count; i < stack->size(); ++i) {
    (*stack)[i] = views.host((*stack)[i]);
  }
  {
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    const c10::impl::ExcludeDispatchKeyGuard without_autocast(c10::autocast_dispatch_keyset);
    op.callBoxed(stack);
  }
  views.carry_back();
  for (size_t i = stack->size() - op.schema().returns().size(); i < stack->size(); ++i) {
    (*stack)[i] = views.device((*stack)[i]);
  }
}

torch::jit::Stack run_on_host(const char* name, const char* overload, torch::jit::Stack arguments) {
  run_on_host(c10::Dispatcher::singleton().findSchemaOrThrow(name, overload), &arguments);
  return arguments;
}

TORCH_LIBRARY_IMPL(_, CUDA, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&run_boxed>());
}

TORCH_LIBRARY_IMPL(_, SparseCUDA, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&run_boxed>());
}

TORCH_LIBRARY_IMPL(_, SparseCsrCUDA, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&run_boxed>());
}

TORCH_LIBRARY_IMPL(_, NestedTensorCUDA, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&run_boxed>());
}

TORCH_LIBRARY_IMPL(aten, CUDA, library) {
  for (const char* name : chosen_by_device) {
    library.impl(name, torch::CppFunction::makeFromBoxedFunction<&run_boxed>());
  }
}

} // namespace synclint
