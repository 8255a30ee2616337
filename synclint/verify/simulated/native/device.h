// A CUDA device whose memory is the host's: allocators, guard, hooks, generators.
#pragma once

#include <ATen/core/Generator.h>
#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/core/Stream.h>

#include <optional>

namespace synclint {

// The device that this thread has selected.
c10::DeviceIndex selected_device();
void select_device(c10::DeviceIndex index);

// How many devices there are: one, unless processes of a distributed run ask for one each.
c10::DeviceIndex device_count();
void set_device_count(c10::DeviceIndex count);

inline c10::Device simulated_device(c10::DeviceIndex index) {
  return {c10::kCUDA, index};
}

// Raises for devices beyond those there are, as CUDA does.
void check_exists(std::optional<c10::Device> device);

// The device that a factory function was asked for, or the selected one. Raises like `check_exists`.
c10::Device requested_device(std::optional<c10::Device> device);

// Bytes in use on one device, and the most there have been since the peak was reset.
struct MemoryUse {
  int64_t current = 0;
  int64_t peak = 0;
  int64_t allocated = 0;
  int64_t freed = 0;
};
MemoryUse memory_use(c10::DeviceIndex index);
void reset_peak(c10::DeviceIndex index);
void count_memory(c10::DeviceIndex index, int64_t bytes);

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
