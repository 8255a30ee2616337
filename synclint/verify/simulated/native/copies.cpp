// Where tensors cross between host and device, and views that only change how memory is seen.

#include "device.h"
#include "fallback.h"
#include "host_views.h"
#include "waits.h"

#include <ATen/EmptyTensor.h>
#include <c10/core/DeviceGuard.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/native/TensorIterator.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/copy_native.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/resize_native.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/view_native.h>
#include <ATen/native/TensorAdvancedIndexingUtils.h>
#include <torch/library.h>

namespace synclint {
namespace {

// --- copies -----------------------------------------------------------------------------------------

bool in_pinned_memory(const at::Tensor& tensor) {
  return is_pinned(tensor.storage().unsafeGetStorageImpl()->data_ptr().get());
}

// One memcpy does it: same type, and the same dense layout on both sides.
bool copies_directly(const at::Tensor& host_self, const at::Tensor& host_source) {
  if (host_self.dtype() != host_source.dtype()) {
    return false;
  }
  const auto iterator = at::TensorIteratorConfig()
                            .add_output(host_self)
                            .add_const_input(host_source)
                            .resize_outputs(false)
                            .check_all_same_dtype(false)
                            .check_all_same_device(false)
                            .build();
  return iterator.is_contiguous();
}

// Whether the host's end of a copy lies in pinned memory once the temporaries are made that CUDA's copy makes:
// contiguous ones, in pageable memory.
bool host_end_is_pinned(const at::Tensor& host_tensor, bool direct) {
  return in_pinned_memory(host_tensor) && (direct || host_tensor.is_contiguous());
}

void judge_copy(const at::Tensor& self, const at::Tensor& source, bool non_blocking, bool direct) {
  if (self.is_cuda() == source.is_cuda() || source.numel() == 0 || self.numel() == 0) {
    return;
  }
  const bool upload = self.is_cuda();
  const char* mechanism = upload ? "host-to-device-copy" : "device-to-host-copy";
  if (!non_blocking) {
    report_wait("aten::copy_", mechanism);
    return;
  }
  if (host_end_is_pinned(upload ? source.expand_as(self) : self, direct)) {
    return;
  }
  // The driver finishes a download into pageable memory before it returns. An upload it stages, and only
  // waits where its staging buffers do not hold the data.
  report_wait("aten::copy_", mechanism, /*certain=*/!upload);
}

at::Tensor& copy_(at::Tensor& self, const at::Tensor& source, bool non_blocking) {
  if (self.is_same(source)) {
    return self;
  }
  HostViews views;
  at::Tensor host_self = views.host(self);
  const at::Tensor host_source = views.host(source);
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  // Before the judgement, because a copy that cannot be broadcast raises and waits for nothing.
  const at::Tensor expanded = host_source.expand_as(host_self);
  count_operator();
  judge_copy(self, source, non_blocking, copies_directly(host_self, expanded));
  host_self.copy_(host_source);
  return self;
}

// --- tensors over existing memory ---------------------------------------------------------------------

at::Tensor empty(
    at::IntArrayRef size,
    std::optional<at::ScalarType> dtype,
    std::optional<at::Layout>,
    std::optional<at::Device> device,
    std::optional<bool> pin_memory,
    std::optional<at::MemoryFormat> memory_format) {
  const c10::DeviceGuard guard(requested_device(device));
  TORCH_CHECK(!pin_memory.value_or(false), "Only dense CPU tensors can be pinned");
  return at::detail::empty_generic(
      size,
      device_allocator(),
      c10::DispatchKeySet(c10::DispatchKey::CUDA),
      c10::dtype_or_default(dtype),
      memory_format);
}

at::Tensor empty_strided(
    at::IntArrayRef size,
    at::IntArrayRef stride,
    std::optional<at::ScalarType> dtype,
    std::optional<at::Layout>,
    std::optional<at::Device> device,
    std::optional<bool> pin_memory) {
  const c10::DeviceGuard guard(requested_device(device));
  TORCH_CHECK(!pin_memory.value_or(false), "Only dense CPU tensors can be pinned");
  return at::detail::empty_strided_generic(
      size, stride, device_allocator(), c10::DispatchKeySet(c10::DispatchKey::CUDA), c10::dtype_or_default(dtype));
}

at::Tensor& set_nothing(at::Tensor& self) {
  const c10::DeviceGuard guard(self.device());
  const c10::Storage none(
      c10::Storage::use_byte_size_t(), 0, device_allocator()->allocate(0), device_allocator(), /*resizable=*/true);
  return at::native::set_storage_cpu_(self, none, 0, {0}, {});
}

at::Tensor& set_storage(at::Tensor& self, at::Storage storage) {
  return at::native::set_(self, std::move(storage));
}

void record_stream(at::Tensor&, at::Stream) {}

// --- writes through indices ---------------------------------------------------------------------------

bool is_mask(const at::Tensor& index) {
  return index.scalar_type() == at::kBool || index.scalar_type() == at::kByte;
}

// Takes the steps that make CUDA's index_put_ wait, on the device, before the host's does the work unobserved.
at::Tensor& index_put(
    at::Tensor& self,
    const c10::List<std::optional<at::Tensor>>& indices,
    const at::Tensor& values,
    bool accumulate,
    bool unsafe) {
  if (!accumulate) {
    const auto [fills, mask] = at::native::canDispatchToMaskedFill(self, indices, values);
    if (fills) {
      return self.masked_fill_(mask, values.item());
    }
  }
  at::Tensor device_values = values;
  if (values.is_cpu() && values.dim() == 0) {
    device_values = values.to(self.device());
  }
  TORCH_CHECK(
      device_values.device() == self.device(),
      "expected values and self to be on the same device, but got values on ", values.device());
  for (const std::optional<at::Tensor>& index : indices) {
    if (!index.has_value() || !index->defined()) {
      continue;
    }
    if (is_mask(*index) && index->is_cuda()) {
      at::nonzero(*index);
    } else if (!is_mask(*index) && index->is_cpu()) {
      index->to(self.device());
    }
  }
  run_on_host("aten::_index_put_impl_", "", {self, indices, device_values, accumulate, unsafe});
  return self;
}

} // namespace

TORCH_LIBRARY_IMPL(aten, CUDA, library) {
  library.impl("copy_", TORCH_FN(copy_));
  library.impl("empty.memory_format", TORCH_FN(empty));
  library.impl("empty_strided", TORCH_FN(empty_strided));
  library.impl("as_strided", TORCH_FN(at::native::as_strided_tensorimpl));
  library.impl("view", TORCH_FN(at::native::view));
  library.impl("_reshape_alias", TORCH_FN(at::native::_reshape_alias));
  library.impl("resize_", TORCH_FN(at::native::resize_));
  library.impl("set_.source_Storage_storage_offset", TORCH_FN(at::native::set_storage_cpu_));
  library.impl("set_.source_Storage", TORCH_FN(set_storage));
  library.impl("set_.source_Tensor", TORCH_FN(at::native::set_tensor_));
  library.impl("set_", TORCH_FN(set_nothing));
  library.impl("record_stream", TORCH_FN(record_stream));
  library.impl("_index_put_impl_", TORCH_FN(index_put));
}

TORCH_LIBRARY_IMPL(aten, SparseCUDA, library) {
  library.impl("copy_", TORCH_FN(at::native::copy_sparse_wrapper_));
}

} // namespace synclint
