// Device tensors seen as host tensors over the same memory, and results seen as device tensors again.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <unordered_map>
#include <vector>

namespace synclint {

// The views of one operator call. Storages are mapped, not tensors, so that aliases stay aliases; a tensor that
// is passed twice has one view.
class HostViews {
 public:
  at::Tensor host(const at::Tensor& tensor);
  c10::IValue host(const c10::IValue& value);

  at::Tensor device(const at::Tensor& tensor);
  c10::IValue device(const c10::IValue& value);

  // What the call did to its arguments besides writing into their memory: resizes, in-place changes of shape,
  // new storages. To be called after the operator and before its results are mapped.
  void carry_back();

 private:
  struct Pair {
    at::Tensor device;
    at::Tensor host;
  };

  enum class Side { host, device };

  at::Tensor view(const at::Tensor& tensor, Side side);
  c10::Storage host_storage(const c10::Storage& storage);
  c10::Storage device_storage(const c10::Storage& storage);

  std::unordered_map<c10::StorageImpl*, c10::Storage> host_of_device_;
  std::unordered_map<c10::StorageImpl*, c10::Storage> device_of_host_;
  std::unordered_map<c10::TensorImpl*, size_t> pair_of_device_;
  std::unordered_map<c10::TensorImpl*, size_t> pair_of_host_;
  std::unordered_map<c10::TensorImpl*, at::Tensor> untouched_;
  std::vector<Pair> pairs_;
};

} // namespace synclint
