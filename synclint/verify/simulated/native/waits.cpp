#include "waits.h"

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>

#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace synclint {
namespace {

Listener& listener() {
  static Listener instance;
  return instance;
}

std::atomic<bool> recording{false};
std::atomic<uint64_t> operators{0};

// --- the operators being run on this thread -------------------------------------------------------

// Names outlive the operators: those of schemas are kept, others belong to the record of the running function.
thread_local std::vector<const char*> running_operators;

std::unique_ptr<at::ObserverContext> enter_operator(const at::RecordFunction& function) {
  running_operators.push_back(function.name());
  return nullptr;
}

void leave_operator(const at::RecordFunction&, at::ObserverContext*) {
  // Recording may have begun inside this operator, whose entry was then not seen.
  if (!running_operators.empty()) {
    running_operators.pop_back();
  }
}

// --- conditions of the modelled kernels -----------------------------------------------------------

struct Call {
  const c10::FunctionSchema& schema;
  c10::ArrayRef<c10::IValue> values;

  const c10::IValue* find(const std::string& name) const {
    const auto index = schema.argumentIndexWithName(name);
    return index.has_value() ? &values[*index] : nullptr;
  }

  // The argument of that name, where it is a tensor that was given.
  std::optional<at::Tensor> tensor(const std::string& name) const {
    const c10::IValue* value = find(name);
    if (value == nullptr || !value->isTensor() || !value->toTensor().defined()) {
      return std::nullopt;
    }
    return value->toTensor();
  }
};

using Arguments = std::vector<std::string>;
using Predicate = bool (*)(const Call&, const Arguments&);

bool absent(const Call& call, const Arguments& names) {
  const c10::IValue* value = call.find(names[0]);
  return value == nullptr || value->isNone();
}

bool given(const Call& call, const Arguments& names) {
  return !absent(call, names);
}

bool is_false(const Call& call, const Arguments& names) {
  const c10::IValue* value = call.find(names[0]);
  return value != nullptr && value->isBool() && !value->toBool();
}

bool is_true(const Call& call, const Arguments& names) {
  const c10::IValue* value = call.find(names[0]);
  return value != nullptr && value->isBool() && value->toBool();
}

bool on_device(const Call& call, const Arguments& names) {
  const auto tensor = call.tensor(names[0]);
  return tensor && tensor->is_cuda();
}

bool host_scalar(const Call& call, const Arguments& names) {
  const auto tensor = call.tensor(names[0]);
  return tensor && tensor->is_cpu() && tensor->dim() == 0;
}

bool of_integers(const Call& call, const Arguments& names) {
  const auto tensor = call.tensor(names[0]);
  return tensor && !tensor->is_floating_point() && !tensor->is_complex();
}

bool not_empty(const Call& call, const Arguments& names) {
  const auto tensor = call.tensor(names[0]);
  return tensor && tensor->numel() > 0;
}

// The two numbers are the same.
bool equal_numbers(const Call& call, const Arguments& names) {
  const c10::IValue* left = call.find(names[0]);
  const c10::IValue* right = call.find(names[1]);
  return left != nullptr && right != nullptr && left->toScalar().to<double>() == right->toScalar().to<double>();
}

// A square matrix, or a batch of them, larger than one by one.
bool larger_than_one_by_one(const Call& call, const Arguments& names) {
  const auto tensor = call.tensor(names[0]);
  return tensor && tensor->numel() > 0 && tensor->size(-1) > 1;
}

// Sorting and merging entries is left out for fewer than two of them.
bool uncoalesced(const Call& call, const Arguments& names) {
  const auto tensor = call.tensor(names[0]);
  return tensor && tensor->is_sparse() && !tensor->is_coalesced() && tensor->_nnz() >= 2;
}

// The values of two tensors have to be read to tell whether they are equal.
bool comparable(const Call& call, const Arguments& names) {
  const auto left = call.tensor(names[0]);
  const auto right = call.tensor(names[1]);
  if (!left || !right || left->sizes() != right->sizes() || left->numel() == 0) {
    return false;
  }
  const bool same_memory = left->storage().is_alias_of(right->storage()) &&
      left->storage_offset() == right->storage_offset() && left->strides() == right->strides() &&
      left->dtype() == right->dtype();
  return !same_memory;
}

// isin compares element by element for a small test set, and sorts for a large one.
bool large_test_set(const Call& call, const Arguments& names) {
  const auto elements = call.tensor(names[0]);
  const auto tests = call.tensor(names[1]);
  if (!elements || !tests || elements->numel() == 0) {
    return false;
  }
  const auto limit = static_cast<int64_t>(10.0 * std::pow(static_cast<double>(elements->numel()), 0.145));
  return tests->numel() >= limit;
}

// mode counts slices of up to 2048 elements in one kernel, and sorts longer ones with thrust.
bool long_slices(const Call& call, const Arguments& names) {
  constexpr int64_t fused_kernel_limit = 2048;
  const auto tensor = call.tensor(names[0]);
  const c10::IValue* dim = call.find(names[1]);
  if (!tensor || dim == nullptr || tensor->dim() == 0) {
    return false;
  }
  return tensor->numel() > 0 && tensor->size(dim->toInt()) > fused_kernel_limit;
}

struct NamedPredicate {
  Predicate holds;
  size_t arguments;
};

const std::unordered_map<std::string, NamedPredicate>& predicates() {
  static const std::unordered_map<std::string, NamedPredicate> table = {
      {"absent", {absent, 1}},
      {"given", {given, 1}},
      {"false", {is_false, 1}},
      {"true", {is_true, 1}},
      {"device", {on_device, 1}},
      {"host-scalar", {host_scalar, 1}},
      {"integer", {of_integers, 1}},
      {"not-empty", {not_empty, 1}},
      {"equal", {equal_numbers, 2}},
      {"larger-than-one-by-one", {larger_than_one_by_one, 1}},
      {"uncoalesced", {uncoalesced, 1}},
      {"comparable", {comparable, 2}},
      {"large-test-set", {large_test_set, 2}},
      {"long-slices", {long_slices, 2}},
  };
  return table;
}

struct ModelledKernel {
  std::string mechanism;
  std::vector<Conjunction> alternatives;
};

std::unordered_map<std::string, std::vector<ModelledKernel>>& modelled_kernels() {
  static std::unordered_map<std::string, std::vector<ModelledKernel>> table;
  return table;
}

bool holds(const Conjunction& conjunction, const Call& call) {
  for (const Clause& clause : conjunction) {
    if (!predicates().at(clause.predicate).holds(call, clause.arguments)) {
      return false;
    }
  }
  return true;
}

bool waits(const ModelledKernel& kernel, const Call& call) {
  if (kernel.alternatives.empty()) {
    return true;
  }
  for (const Conjunction& conjunction : kernel.alternatives) {
    if (holds(conjunction, call)) {
      return true;
    }
  }
  return false;
}

} // namespace

void set_listener(Listener new_listener) {
  listener() = std::move(new_listener);
}

void set_recording(bool on) {
  static std::mutex mutex;
  static at::CallbackHandle observer = 0;
  const std::lock_guard<std::mutex> lock(mutex);
  if (on == recording.load()) {
    return;
  }
  if (on) {
    running_operators.clear();
    observer = at::addGlobalCallback(at::RecordFunctionCallback(enter_operator, leave_operator)
                                         .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
  } else {
    at::removeCallback(observer);
  }
  recording = on;
}

uint64_t operators_run() {
  return operators.load(std::memory_order_relaxed);
}

void count_operator() {
  operators.fetch_add(1, std::memory_order_relaxed);
}

void report_wait(const std::string& op, const std::string& mechanism, bool certain) {
  if (recording && listener()) {
    listener()(Wait{op, mechanism, certain, {running_operators.begin(), running_operators.end()}});
  }
}

void model_kernel(const std::string& op, const std::string& mechanism, const std::vector<Conjunction>& alternatives) {
  for (const Conjunction& conjunction : alternatives) {
    for (const Clause& clause : conjunction) {
      const auto known = predicates().find(clause.predicate);
      TORCH_CHECK_VALUE(known != predicates().end(), op, ": there is no predicate '", clause.predicate, "'");
      TORCH_CHECK_VALUE(
          known->second.arguments == clause.arguments.size(),
          op, ": '", clause.predicate, "' takes ", known->second.arguments, " argument name(s)");
    }
  }
  modelled_kernels()[op].push_back({mechanism, alternatives});
}

void judge_kernel(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  if (!recording) {
    return;
  }
  const auto& name = op.schema().name();
  const auto kernels = modelled_kernels().find(name);
  if (kernels == modelled_kernels().end()) {
    return;
  }
  const Call call{op.schema(), arguments};
  for (const ModelledKernel& kernel : kernels->second) {
    if (waits(kernel, call)) {
      report_wait(name, kernel.mechanism);
    }
  }
}

} // namespace synclint
