// Device tensors seen as host tensors over the same memory, and results seen as device tensors again.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <c10/util/SmallVector.h>

#include <optional>
#include <unordered_map>
#include <utility>

namespace synclint {

// A map for a few entries, as most operators have; with many, as the fused ones over lists, it keeps an index.
template <class Key, class Value>
class Map {
 public:
  Value* find(Key key) {
    if (!index_.empty()) {
      const auto found = index_.find(key);
      return found == index_.end() ? nullptr : &entries_[found->second].second;
    }
    for (auto& entry : entries_) {
      if (entry.first == key) {
        return &entry.second;
      }
    }
    return nullptr;
  }

  // The key must be new.
  void add(Key key, Value value) {
    entries_.emplace_back(key, std::move(value));
    if (entries_.size() == few + 1) {
      for (size_t i = 0; i < entries_.size(); ++i) {
        index_.emplace(entries_[i].first, i);
      }
    } else if (entries_.size() > few) {
      index_.emplace(key, entries_.size() - 1);
    }
  }

  auto begin() {
    return entries_.begin();
  }
  auto end() {
    return entries_.end();
  }

 private:
  static constexpr size_t few = 8;
  c10::SmallVector<std::pair<Key, Value>, few> entries_;
  std::unordered_map<Key, size_t> index_;
};

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

  // The device of the operator: that of its first device argument, or the one it was asked for.
  c10::Device device_of_operator() const;

  Map<c10::StorageImpl*, c10::Storage> host_of_device_;
  Map<c10::StorageImpl*, c10::Storage> device_of_host_;
  Map<c10::TensorImpl*, size_t> pair_of_device_;
  Map<c10::TensorImpl*, size_t> pair_of_host_;
  Map<c10::TensorImpl*, at::Tensor> untouched_;
  c10::SmallVector<Pair, 8> pairs_;
  std::optional<c10::DeviceIndex> index_;
};

} // namespace synclint
