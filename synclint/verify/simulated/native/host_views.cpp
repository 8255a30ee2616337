#include "host_views.h"

#include "device.h"

#include <ATen/NestedTensorImpl.h>
#include <ATen/SparseCsrTensorImpl.h>
#include <ATen/SparseTensorImpl.h>
#include <ATen/native/SparseTensorUtils.h>
#include <ATen/core/List.h>
#include <c10/core/TensorImpl.h>

namespace synclint {
namespace {

// What stands behind memory that is seen from the other side: the storage that owns it.
struct Keeper {
  c10::Storage storage;
  int64_t device_bytes = 0;
  c10::DeviceIndex device = 0;
};

void release(void* context) {
  auto* keeper = static_cast<Keeper*>(context);
  if (keeper->device_bytes != 0) {
    count_memory(keeper->device, -keeper->device_bytes);
  }
  delete keeper;
}

// Memory of `storage`, kept alive by the pointer itself, as memory of another device.
c10::DataPtr shared_memory(const c10::Storage& storage, c10::Device device) {
  auto* keeper = new Keeper{storage};
  if (device.is_cuda()) {
    keeper->device_bytes = static_cast<int64_t>(storage.nbytes());
    keeper->device = device.index();
    count_memory(keeper->device, keeper->device_bytes);
  }
  void* memory = storage.unsafeGetStorageImpl()->mutable_data_ptr().get();
  return {memory, keeper, &release, device};
}

c10::Storage shared_storage(const c10::Storage& storage, c10::Device device) {
  return c10::Storage(
      c10::Storage::use_byte_size_t(),
      storage.nbytes(),
      shared_memory(storage, device),
      c10::GetAllocator(device.type()),
      storage.unsafeGetStorageImpl()->resizable());
}

// The storage of the host behind one of the device, where it was allocated there and is unchanged since.
const c10::Storage* kept_storage(const c10::Storage& storage) {
  const c10::DataPtr& pointer = storage.unsafeGetStorageImpl()->data_ptr();
  if (pointer.get_deleter() != &release) {
    return nullptr;
  }
  const c10::Storage& kept = static_cast<Keeper*>(pointer.get_context())->storage;
  const bool unchanged = kept.data() == pointer.get() && kept.nbytes() == storage.nbytes() && kept.device().is_cpu();
  return unchanged ? &kept : nullptr;
}

void copy_metadata(const at::Tensor& from, const at::Tensor& to) {
  auto* impl = to.unsafeGetTensorImpl();
  impl->set_sizes_and_strides(from.sizes(), from.strides(), from.storage_offset());
}

void copy_bits(const at::Tensor& from, const at::Tensor& to) {
  to._set_conj(from.is_conj());
  to._set_neg(from.is_neg());
  if (from.unsafeGetTensorImpl()->is_wrapped_number()) {
    to.unsafeGetTensorImpl()->set_wrapped_number(true);
  }
}

bool same_metadata(const at::Tensor& left, const at::Tensor& right) {
  return left.sizes() == right.sizes() && left.strides() == right.strides() &&
      left.storage_offset() == right.storage_offset();
}

at::Tensor tensor_over(const c10::Storage& storage, c10::DispatchKey key, const at::Tensor& like) {
  c10::DispatchKeySet keys(key);
  if (like._is_zerotensor()) {
    keys = keys | c10::DispatchKeySet(c10::DispatchKey::ZeroTensor);
  }
  auto tensor = at::detail::make_tensor<c10::TensorImpl>(c10::Storage(storage), keys, like.dtype());
  copy_metadata(like, tensor);
  copy_bits(like, tensor);
  return tensor;
}

// The kinds of tensors that can be viewed from the other side.
enum class Kind { dense, sparse, compressed, nested };

Kind kind_of(const at::Tensor& tensor) {
  if (tensor.is_nested()) {
    return Kind::nested;
  }
  if (tensor.layout() == c10::kSparse) {
    return Kind::sparse;
  }
  if (tensor.layout() == c10::kSparseCsr) {
    return Kind::compressed;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(
      tensor.layout() == c10::kStrided && !tensor.is_quantized(),
      "the simulated device knows strided, nested, COO and CSR tensors, and this one is ",
      tensor.is_quantized() ? "quantized" : c10::str(tensor.layout()));
  return Kind::dense;
}

} // namespace

c10::Device HostViews::device_of_operator() const {
  return simulated_device(index_.value_or(selected_device()));
}

c10::Storage HostViews::host_storage(const c10::Storage& storage) {
  auto* key = storage.unsafeGetStorageImpl();
  if (const c10::Storage* known = host_of_device_.find(key)) {
    return *known;
  }
  const c10::Storage* kept = kept_storage(storage);
  c10::Storage view = kept != nullptr ? *kept : shared_storage(storage, c10::Device(c10::kCPU));
  host_of_device_.add(key, view);
  device_of_host_.add(view.unsafeGetStorageImpl(), storage);
  return view;
}

c10::Storage HostViews::device_storage(const c10::Storage& storage) {
  auto* key = storage.unsafeGetStorageImpl();
  if (const c10::Storage* known = device_of_host_.find(key)) {
    return *known;
  }
  c10::Storage view = shared_storage(storage, device_of_operator());
  device_of_host_.add(key, view);
  host_of_device_.add(view.unsafeGetStorageImpl(), storage);
  return view;
}

at::Tensor HostViews::view(const at::Tensor& tensor, Side side) {
  const bool to_host = side == Side::host;
  const auto part = [&](const at::Tensor& member) { return to_host ? host(member) : device(member); };
  const auto storage = [&] { return to_host ? host_storage(tensor.storage()) : device_storage(tensor.storage()); };
  switch (kind_of(tensor)) {
    case Kind::dense:
      return tensor_over(storage(), to_host ? c10::DispatchKey::CPU : c10::DispatchKey::CUDA, tensor);
    case Kind::nested: {
      // The sizes of its parts are on the host in either case.
      auto* from = static_cast<at::native::NestedTensorImpl*>(tensor.unsafeGetTensorImpl());
      return at::detail::make_tensor<at::native::NestedTensorImpl>(
          storage(),
          c10::DispatchKeySet(to_host ? c10::DispatchKey::NestedTensorCPU : c10::DispatchKey::NestedTensorCUDA),
          tensor.dtype(),
          from->get_nested_sizes(),
          from->get_nested_strides(),
          from->get_storage_offsets());
    }
    case Kind::compressed: {
      auto* from = static_cast<at::SparseCsrTensorImpl*>(tensor.unsafeGetTensorImpl());
      auto view = at::detail::make_tensor<at::SparseCsrTensorImpl>(
          c10::DispatchKeySet(to_host ? c10::DispatchKey::SparseCsrCPU : c10::DispatchKey::SparseCsrCUDA),
          to_host ? c10::Device(c10::kCPU) : device_of_operator(),
          c10::kSparseCsr,
          tensor.dtype());
      static_cast<at::SparseCsrTensorImpl*>(view.unsafeGetTensorImpl())
          ->set_member_tensors(
              part(from->compressed_indices()), part(from->plain_indices()), part(from->values()), tensor.sizes());
      return view;
    }
    case Kind::sparse: {
      auto* from = at::sparse::get_sparse_impl(tensor);
      auto view = at::detail::make_tensor<at::SparseTensorImpl>(
          c10::DispatchKeySet(to_host ? c10::DispatchKey::SparseCPU : c10::DispatchKey::SparseCUDA), tensor.dtype());
      auto* impl = at::sparse::get_sparse_impl(view);
      impl->raw_resize_(from->sparse_dim(), from->dense_dim(), tensor.sizes());
      impl->set_indices_and_values_unsafe(part(from->indices()), part(from->values()));
      impl->set_coalesced(from->coalesced());
      return view;
    }
  }
  return {};
}

at::Tensor HostViews::host(const at::Tensor& tensor) {
  if (!tensor.defined()) {
    return tensor;
  }
  auto* impl = tensor.unsafeGetTensorImpl();
  if (!tensor.is_cuda()) {
    if (untouched_.find(impl) == nullptr) {
      untouched_.add(impl, tensor);
    }
    return tensor;
  }
  if (const size_t* known = pair_of_device_.find(impl)) {
    return pairs_[*known].host;
  }
  if (!index_.has_value()) {
    index_ = tensor.device().index();
  }
  at::Tensor of_host = view(tensor, Side::host);
  pair_of_device_.add(impl, pairs_.size());
  pair_of_host_.add(of_host.unsafeGetTensorImpl(), pairs_.size());
  pairs_.push_back({tensor, of_host});
  return of_host;
}

at::Tensor HostViews::device(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.is_cpu() || untouched_.find(tensor.unsafeGetTensorImpl()) != nullptr) {
    return tensor;
  }
  const size_t* known = pair_of_host_.find(tensor.unsafeGetTensorImpl());
  return known != nullptr ? pairs_[*known].device : view(tensor, Side::device);
}

void HostViews::carry_back() {
  for (auto& [device_impl, host_storage] : host_of_device_) {
    const bool moved = device_impl->data_ptr().get() != host_storage.data() ||
        device_impl->nbytes() != host_storage.nbytes();
    if (moved) {
      device_impl->set_data_ptr_noswap(shared_memory(host_storage, device_impl->device()));
      device_impl->set_nbytes(host_storage.nbytes());
    }
  }
  // Members of sparse tensors are paired as they are met, so the list may grow while it is walked.
  for (size_t i = 0; i < pairs_.size(); ++i) {
    const Pair pair = pairs_[i];
    const Kind kind = kind_of(pair.device);
    if (kind == Kind::sparse) {
      auto* from = at::sparse::get_sparse_impl(pair.host);
      auto* to = at::sparse::get_sparse_impl(pair.device);
      to->raw_resize_(from->sparse_dim(), from->dense_dim(), pair.host.sizes());
      to->set_indices_and_values_unsafe(device(from->indices()), device(from->values()));
      to->set_coalesced(from->coalesced());
    } else if (kind == Kind::dense) {
      const c10::Storage storage = device_storage(pair.host.storage());
      if (!storage.is_alias_of(pair.device.storage())) {
        pair.device.unsafeGetTensorImpl()->set_storage_keep_dtype(storage);
      }
      if (!same_metadata(pair.host, pair.device)) {
        copy_metadata(pair.host, pair.device);
      }
    }
  }
}

c10::IValue HostViews::host(const c10::IValue& value) {
  if (value.isTensor()) {
    return host(value.toTensor());
  }
  if (value.isTensorList()) {
    c10::List<at::Tensor> views;
    for (const at::Tensor& tensor : value.toTensorVector()) {
      views.push_back(host(tensor));
    }
    return views;
  }
  if (value.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> views;
    for (const auto& tensor : value.toOptionalTensorVector()) {
      views.push_back(tensor.has_value() ? std::optional<at::Tensor>(host(*tensor)) : std::nullopt);
    }
    return views;
  }
  if (value.isDevice() && value.toDevice().is_cuda()) {
    index_ = requested_device(value.toDevice()).index();
    return c10::Device(c10::kCPU);
  }
  if (value.isGenerator() && value.toGenerator().defined()) {
    return host_generator(value.toGenerator());
  }
  if (value.isStorage() && value.toStorage().device().is_cuda()) {
    return host_storage(value.toStorage());
  }
  return value;
}

c10::IValue HostViews::device(const c10::IValue& value) {
  if (value.isTensor()) {
    return device(value.toTensor());
  }
  if (value.isTensorList()) {
    c10::List<at::Tensor> views;
    for (const at::Tensor& tensor : value.toTensorVector()) {
      views.push_back(device(tensor));
    }
    return views;
  }
  return value;
}

} // namespace synclint
