// Collectives over tensors of the device, done by a backend of the host on the same memory.
//
// They are finished when they return, as all work of the device is.

#ifdef SYNCLINT_DISTRIBUTED

#include "collectives.h"

#include "host_views.h"

#include <ATen/core/jit_type.h>
#include <torch/csrc/distributed/c10d/Work.hpp>
#include <torch/csrc/distributed/c10d/reducer_timer.hpp>

namespace synclint {
namespace {

using Tensors = std::vector<at::Tensor>;

at::Tensor on_host(const at::Tensor& tensor) {
  HostViews views;
  return views.host(tensor);
}

Tensors on_host(const Tensors& tensors) {
  Tensors views;
  for (const at::Tensor& tensor : tensors) {
    views.push_back(on_host(tensor));
  }
  return views;
}

std::vector<Tensors> on_host(const std::vector<Tensors>& lists) {
  std::vector<Tensors> views;
  for (const Tensors& tensors : lists) {
    views.push_back(on_host(tensors));
  }
  return views;
}

// Who asks for the results gets tensors of the device, as from the backend that is stood in for.
c10::intrusive_ptr<c10d::Work> finished(const Tensors& results) {
  std::vector<c10::Device> devices;
  for (const at::Tensor& tensor : results) {
    if (tensor.is_cuda() && std::find(devices.begin(), devices.end(), tensor.device()) == devices.end()) {
      devices.push_back(tensor.device());
    }
  }
  auto future = c10::make_intrusive<c10::ivalue::Future>(c10::ListType::ofTensors(), devices);
  future->markCompleted(c10::IValue(results));
  return c10d::Work::create_from_future(future);
}

struct OnHost final : c10d::Backend {
  explicit OnHost(c10::intrusive_ptr<c10d::Backend> backend)
      : c10d::Backend(backend->getRank(), backend->getSize()), backend_(std::move(backend)) {}

  const std::string getBackendName() const {
    return backend_->getBackendName();
  }
  void setSequenceNumberForGroup() {
    backend_->setSequenceNumberForGroup();
  }
  uint64_t getSequenceNumberForGroup() {
    return backend_->getSequenceNumberForGroup();
  }

  c10::intrusive_ptr<c10d::Work> broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) {
    auto host = on_host(tensors);
    backend_->broadcast(host, options)->wait();
    return finished(tensors);
  }
  c10::intrusive_ptr<c10d::Work> allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) {
    auto host = on_host(tensors);
    c10d::AllreduceOptions summed = options;
    const bool averages = take_sum(summed.reduceOp);
    backend_->allreduce(host, summed)->wait();
    average(host, averages);
    return finished(tensors);
  }
  c10::intrusive_ptr<c10d::Work> allreduce_coalesced(Tensors& tensors, const c10d::AllreduceCoalescedOptions& options) {
    for (at::Tensor& tensor : tensors) {
      Tensors one{tensor};
      allreduce(one, options);
    }
    return finished(tensors);
  }
  c10::intrusive_ptr<c10d::Work> reduce(Tensors& tensors, const c10d::ReduceOptions& options) {
    auto host = on_host(tensors);
    c10d::ReduceOptions summed = options;
    const bool averages = take_sum(summed.reduceOp);
    backend_->reduce(host, summed)->wait();
    average(host, averages && options.rootRank == rank_);
    return finished(tensors);
  }
  c10::intrusive_ptr<c10d::Work> allgather(
      std::vector<Tensors>& outputs, Tensors& inputs, const c10d::AllgatherOptions& options) {
    auto host_outputs = on_host(outputs);
    auto host_inputs = on_host(inputs);
    backend_->allgather(host_outputs, host_inputs, options)->wait();
    return finished(outputs.at(0));
  }
  c10::intrusive_ptr<c10d::Work> _allgather_base(
      at::Tensor& output, at::Tensor& input, const c10d::AllgatherOptions& options) {
    std::vector<Tensors> parts{parts_of(on_host(output))};
    Tensors host_input{on_host(input)};
    for (at::Tensor& part : parts[0]) {
      part = part.view(host_input[0].sizes());
    }
    backend_->allgather(parts, host_input, options)->wait();
    return finished({output});
  }
  c10::intrusive_ptr<c10d::Work> allgather_into_tensor_coalesced(
      Tensors& outputs, Tensors& inputs, const c10d::AllgatherOptions& options) {
    for (size_t i = 0; i < outputs.size(); ++i) {
      _allgather_base(outputs[i], inputs[i], options);
    }
    return finished(outputs);
  }
  c10::intrusive_ptr<c10d::Work> gather(
      std::vector<Tensors>& outputs, Tensors& inputs, const c10d::GatherOptions& options) {
    auto host_outputs = on_host(outputs);
    auto host_inputs = on_host(inputs);
    backend_->gather(host_outputs, host_inputs, options)->wait();
    return finished(outputs.empty() ? Tensors{} : outputs[0]);
  }
  c10::intrusive_ptr<c10d::Work> scatter(
      Tensors& outputs, std::vector<Tensors>& inputs, const c10d::ScatterOptions& options) {
    auto host_outputs = on_host(outputs);
    auto host_inputs = on_host(inputs);
    backend_->scatter(host_outputs, host_inputs, options)->wait();
    return finished(outputs);
  }
  c10::intrusive_ptr<c10d::Work> reduce_scatter(
      Tensors& outputs, std::vector<Tensors>& inputs, const c10d::ReduceScatterOptions& options) {
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Tensors host_inputs = on_host(inputs[i]);
      Tensors sums;
      for (const at::Tensor& input : host_inputs) {
        sums.push_back(reduced(input, options.reduceOp));
      }
      on_host(outputs[i]).copy_(sums.at(rank_));
    }
    return finished(outputs);
  }
  c10::intrusive_ptr<c10d::Work> _reduce_scatter_base(
      at::Tensor& output, at::Tensor& input, const c10d::ReduceScatterOptions& options) {
    const at::Tensor host_output = on_host(output);
    const at::Tensor sum = reduced(on_host(input), options.reduceOp);
    host_output.copy_(parts_of(sum).at(rank_).view(host_output.sizes()));
    return finished({output});
  }
  c10::intrusive_ptr<c10d::Work> reduce_scatter_tensor_coalesced(
      Tensors& outputs, Tensors& inputs, const c10d::ReduceScatterOptions& options) {
    for (size_t i = 0; i < outputs.size(); ++i) {
      _reduce_scatter_base(outputs[i], inputs[i], options);
    }
    return finished(outputs);
  }
  c10::intrusive_ptr<c10d::Work> alltoall_base(
      at::Tensor& output,
      at::Tensor& input,
      std::vector<int64_t>& output_sizes,
      std::vector<int64_t>& input_sizes,
      const c10d::AllToAllOptions& options) {
    auto host_output = on_host(output);
    auto host_input = on_host(input);
    backend_->alltoall_base(host_output, host_input, output_sizes, input_sizes, options)->wait();
    return finished({output});
  }
  // These may need their counterpart before they end, which the same process may be about to call.
  c10::intrusive_ptr<c10d::Work> send(Tensors& tensors, int rank, int tag) {
    auto host = on_host(tensors);
    return backend_->send(host, rank, tag);
  }
  c10::intrusive_ptr<c10d::Work> recv(Tensors& tensors, int rank, int tag) {
    auto host = on_host(tensors);
    return backend_->recv(host, rank, tag);
  }
  c10::intrusive_ptr<c10d::Work> recvAnysource(Tensors& tensors, int tag) {
    auto host = on_host(tensors);
    return backend_->recvAnysource(host, tag);
  }
  c10::intrusive_ptr<c10d::Work> barrier(const c10d::BarrierOptions& options) {
    return backend_->barrier(options);
  }

 private:
  // NCCL takes means, the host's backends do not. Whether `operation` was one.
  static bool take_sum(c10d::ReduceOp& operation) {
    const bool averages = operation == c10d::ReduceOp::AVG;
    if (averages) {
      operation = c10d::ReduceOp::SUM;
    }
    return averages;
  }
  void average(const Tensors& tensors, bool wanted) const {
    for (const at::Tensor& tensor : tensors) {
      if (wanted) {
        tensor.div_(size_);
      }
    }
  }
  at::Tensor reduced(const at::Tensor& host_input, const c10d::ReduceOp& operation) {
    Tensors copy{host_input.clone()};
    c10d::AllreduceOptions options;
    options.reduceOp = operation;
    const bool averages = take_sum(options.reduceOp);
    backend_->allreduce(copy, options)->wait();
    average(copy, averages);
    return copy[0];
  }
  Tensors parts_of(const at::Tensor& whole) const {
    return whole.flatten().chunk(size_);
  }

  c10::intrusive_ptr<c10d::Backend> backend_;
};

// DistributedDataParallel times its phases with one of the device's.
struct HostClock final : c10d::Timer {
  explicit HostClock(c10::Device) {}

  std::optional<int64_t> measureDifference(Event start, Event end) override {
    const auto began = getTimestamp(start);
    const auto ended = getTimestamp(end);
    return began && ended && *ended >= *began ? std::optional<int64_t>(*ended - *began) : std::nullopt;
  }
};

} // namespace

void install_timer() {
  c10d::TimerRegistry()->Register(
      c10::kCUDA, [](c10::Device device) -> std::unique_ptr<c10d::Timer> { return std::make_unique<HostClock>(device); });
}

c10::intrusive_ptr<c10d::Backend> with_host_memory(c10::intrusive_ptr<c10d::Backend> backend) {
  return c10::make_intrusive<OnHost>(std::move(backend));
}

} // namespace synclint

#endif
