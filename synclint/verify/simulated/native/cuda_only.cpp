// Kernels that exist for CUDA only, written with ordinary operators, and what PyTorch asks of cuDNN.

#include "fallback.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/transformers/attention.h>
#include <ATen/native/transformers/sdp_utils_cpp.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/histc.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tanh.h>
#include <torch/library.h>

#include <tuple>

namespace synclint {
namespace {

at::Tensor with_bias(const at::Tensor& gates, const std::optional<at::Tensor>& bias) {
  return bias.has_value() && bias->defined() ? gates + *bias : gates;
}

at::Tensor sigmoid_gradient(const at::Tensor& output) {
  return output * (1 - output);
}

at::Tensor tanh_gradient(const at::Tensor& output) {
  return 1 - output * output;
}

// Returns the new hidden and cell state, and the activated gates (in, forget, cell, out) for the backward pass.
std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm_cell(
    const at::Tensor& input_gates,
    const at::Tensor& hidden_gates,
    const at::Tensor& cell,
    const std::optional<at::Tensor>& input_bias,
    const std::optional<at::Tensor>& hidden_bias) {
  const auto gates = with_bias(input_gates, input_bias) + with_bias(hidden_gates, hidden_bias);
  const auto parts = gates.chunk(4, 1);
  const auto in = at::sigmoid(parts[0]);
  const auto forget = at::sigmoid(parts[1]);
  const auto candidate = at::tanh(parts[2]);
  const auto out = at::sigmoid(parts[3]);
  const auto new_cell = forget * cell + in * candidate;
  return {out * at::tanh(new_cell), new_cell, at::cat({in, forget, candidate, out}, 1)};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm_cell_backward(
    const std::optional<at::Tensor>& grad_hidden,
    const std::optional<at::Tensor>& grad_cell,
    const at::Tensor& cell,
    const at::Tensor& new_cell,
    const at::Tensor& workspace,
    bool has_bias) {
  if (!(grad_hidden && grad_hidden->defined()) && !(grad_cell && grad_cell->defined())) {
    return {};
  }
  const auto parts = workspace.chunk(4, 1);
  const auto& in = parts[0];
  const auto& forget = parts[1];
  const auto& candidate = parts[2];
  const auto& out = parts[3];
  const auto squashed = at::tanh(new_cell);
  const auto hidden =
      grad_hidden && grad_hidden->defined() ? *grad_hidden : at::Tensor(new_cell.new_zeros(new_cell.sizes()));
  auto through_cell = hidden * out * tanh_gradient(squashed);
  if (grad_cell && grad_cell->defined()) {
    through_cell = through_cell + *grad_cell;
  }
  const auto grad_gates = at::cat(
      {through_cell * candidate * sigmoid_gradient(in),
       through_cell * cell * sigmoid_gradient(forget),
       through_cell * in * tanh_gradient(candidate),
       hidden * squashed * sigmoid_gradient(out)},
      1);
  return {grad_gates, through_cell * forget, has_bias ? grad_gates.sum(0) : at::Tensor()};
}

// Returns the new hidden state, and (reset, update, candidate, old hidden, hidden part of the candidate).
std::tuple<at::Tensor, at::Tensor> gru_cell(
    const at::Tensor& input_gates,
    const at::Tensor& hidden_gates,
    const at::Tensor& hidden,
    const std::optional<at::Tensor>& input_bias,
    const std::optional<at::Tensor>& hidden_bias) {
  const auto from_input = with_bias(input_gates, input_bias).chunk(3, 1);
  const auto from_hidden = with_bias(hidden_gates, hidden_bias).chunk(3, 1);
  const auto reset = at::sigmoid(from_input[0] + from_hidden[0]);
  const auto update = at::sigmoid(from_input[1] + from_hidden[1]);
  const auto candidate = at::tanh(from_input[2] + reset * from_hidden[2]);
  return {
      candidate + update * (hidden - candidate),
      at::cat({reset, update, candidate, hidden, from_hidden[2]}, 1)};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> gru_cell_backward(
    const at::Tensor& grad, const at::Tensor& workspace, bool has_bias) {
  const auto parts = workspace.chunk(5, 1);
  const auto& reset = parts[0];
  const auto& update = parts[1];
  const auto& candidate = parts[2];
  const auto& hidden = parts[3];
  const auto& hidden_candidate = parts[4];
  const auto grad_candidate = grad * (1 - update) * tanh_gradient(candidate);
  const auto grad_update = grad * (hidden - candidate) * sigmoid_gradient(update);
  const auto grad_reset = grad_candidate * hidden_candidate * sigmoid_gradient(reset);
  const auto grad_input = at::cat({grad_reset, grad_update, grad_candidate}, 1);
  const auto grad_hidden = at::cat({grad_reset, grad_update, grad_candidate * reset}, 1);
  return {
      grad_input,
      grad_hidden,
      grad * update,
      has_bias ? grad_input.sum(0) : at::Tensor(),
      has_bias ? grad_hidden.sum(0) : at::Tensor()};
}

// The host's histc counts floating-point numbers only.
at::Tensor histc(const at::Tensor& self, int64_t bins, const at::Scalar& low, const at::Scalar& high) {
  if (at::isIntegralType(self.scalar_type(), /*includeBool=*/false)) {
    return at::histc(self.to(at::kDouble), bins, low, high).to(self.scalar_type());
  }
  return run_on_host("aten::histc", "", {self, bins, low, high})[0].toTensor();
}

// CUDA's kernels of softmax turn half into float on the way, the host's refuse to.
at::Tensor in_float(const char* name, const at::Tensor& self, int64_t dim, bool half_to_float) {
  const at::Tensor input = half_to_float ? self.to(at::kFloat) : self;
  return run_on_host(name, "", {input, dim, false})[0].toTensor();
}

at::Tensor back_to_half(
    const char* name, const at::Tensor& grad, const at::Tensor& output, int64_t dim, at::ScalarType input_dtype) {
  return run_on_host(name, "", {grad, output, dim, grad.scalar_type()})[0].toTensor().to(input_dtype);
}

at::Tensor softmax(const at::Tensor& self, int64_t dim, bool half_to_float) {
  return in_float("aten::_softmax", self, dim, half_to_float);
}

at::Tensor log_softmax(const at::Tensor& self, int64_t dim, bool half_to_float) {
  return in_float("aten::_log_softmax", self, dim, half_to_float);
}

at::Tensor softmax_backward(
    const at::Tensor& grad, const at::Tensor& output, int64_t dim, at::ScalarType input_dtype) {
  return back_to_half("aten::_softmax_backward_data", grad, output, dim, input_dtype);
}

at::Tensor log_softmax_backward(
    const at::Tensor& grad, const at::Tensor& output, int64_t dim, at::ScalarType input_dtype) {
  return back_to_half("aten::_log_softmax_backward_data", grad, output, dim, input_dtype);
}

bool without_cudnn(
    const at::Tensor&, const at::Tensor&, at::IntArrayRef, at::IntArrayRef, int64_t) {
  return false;
}

bool without_cudnn_for_tensors(
    const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&, int64_t) {
  return false;
}

// Attention is computed from its definition: the fused kernels are CUDA's. What is asked differs by release.
template <class... Question>
int64_t by_definition(Question...) {
  return static_cast<int64_t>(sdp::SDPBackend::math);
}

constexpr at::native::fused_sdp_choice_fn choose_attention = &by_definition;

} // namespace

void install_attention() {
  at::native::_fused_sdp_choice_stub.set_cuda_dispatch_ptr(choose_attention);
}

TORCH_LIBRARY_IMPL(aten, CUDA, library) {
  library.impl("_thnn_fused_lstm_cell", TORCH_FN(lstm_cell));
  library.impl("_thnn_fused_lstm_cell_backward_impl", TORCH_FN(lstm_cell_backward));
  library.impl("_thnn_fused_gru_cell", TORCH_FN(gru_cell));
  library.impl("_thnn_fused_gru_cell_backward", TORCH_FN(gru_cell_backward));
  library.impl("histc", TORCH_FN(histc));
  library.impl("_softmax", TORCH_FN(softmax));
  library.impl("_log_softmax", TORCH_FN(log_softmax));
  library.impl("_softmax_backward_data", TORCH_FN(softmax_backward));
  library.impl("_log_softmax_backward_data", TORCH_FN(log_softmax_backward));
  library.impl("_use_cudnn_ctc_loss", TORCH_FN(without_cudnn));
  library.impl("_use_cudnn_ctc_loss.Tensor", TORCH_FN(without_cudnn_for_tensors));
  library.impl("_use_miopen_ctc_loss", TORCH_FN(without_cudnn));
  library.impl("_use_miopen_ctc_loss.Tensor", TORCH_FN(without_cudnn_for_tensors));
  library.impl("_fused_sdp_choice", choose_attention);
}

} // namespace synclint
