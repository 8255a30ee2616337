// Running a device operator as the host's.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace synclint {

// Takes the operator's arguments off `stack` and puts its results there, as every boxed kernel does.
void run_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack);

// The same for kernels that do something of their own before: returns the results.
torch::jit::Stack run_on_host(const char* name, const char* overload, torch::jit::Stack arguments);

// Sends operators to the host that a fallback alone would not reach. To be called once.
void install_fallbacks();

} // namespace synclint
