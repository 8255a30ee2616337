// A CUDA device whose memory is the host's: allocators, guard, hooks, generators.
#pragma once

#include <ATen/core/Generator.h>
#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/core/Stream.h>

#include <optional>

namespace synclint {

inline c10::Device simulated_device() {
  return {c10::kCUDA, 0};
}

// Raises for cuda:1 and beyond, as CUDA does on a machine with one device.
void check_exists(std::optional<c10::Device> device);

c10::Allocator* device_allocator();

// Whether the address lies in memory that was allocated as pinned.
bool is_pinned(const void* address);

// The generator of the host that stands behind one of the device.
at::Generator host_generator(const at::Generator& generator);

// The stream of this thread. Streams are numbers here: work is done by the time a call returns.
c10::StreamId selected_stream();
void select_stream(c10::StreamId id);

// Makes the device known to PyTorch, once for the process.
void install_device();

} // namespace synclint
