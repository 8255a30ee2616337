// A process group's backend for tensors of the device.
#pragma once

#ifdef SYNCLINT_DISTRIBUTED

#include <torch/csrc/distributed/c10d/Backend.hpp>

namespace synclint {

// A backend that hands tensors of the device to `backend` as tensors of the host, over the same memory.
c10::intrusive_ptr<c10d::Backend> with_host_memory(c10::intrusive_ptr<c10d::Backend> backend);

// Gives DistributedDataParallel a clock for the device. To be called once.
void install_timer();

} // namespace synclint

#endif
