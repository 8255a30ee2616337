// What makes the host wait, and who is told about it.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <functional>
#include <string>
#include <vector>

namespace synclint {

// One wait of the host. `certain` is false where the CUDA driver decides by itself, from size and load.
struct Wait {
  std::string op;
  std::string mechanism;
  bool certain = true;
  // The operators being run on this thread, outermost first.
  std::vector<std::string> operators;
};

using Listener = std::function<void(const Wait&)>;

// There is one listener for the process; it is called on the thread that would have waited.
void set_listener(Listener listener);

// While off, nothing is reported and operators run unobserved.
void set_recording(bool on);

// How many operators ran on the device, copies included, since the process began.
uint64_t operators_run();
void count_operator();

void report_wait(const std::string& op, const std::string& mechanism, bool certain = true);

// One clause of a modelled kernel's condition: a predicate's name and the names of the arguments it reads.
struct Clause {
  std::string predicate;
  std::vector<std::string> arguments;
};

using Conjunction = std::vector<Clause>;

// Says that the kernel of `op` ("aten::nonzero", every overload) waits when one of `alternatives` holds, or
// always where there are none. Raises for a predicate that is not known.
void model_kernel(const std::string& op, const std::string& mechanism, const std::vector<Conjunction>& alternatives);

// Reports the wait of a kernel that cannot be observed, if its arguments make it wait.
void judge_kernel(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);

} // namespace synclint
