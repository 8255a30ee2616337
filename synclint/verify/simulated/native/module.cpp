// The Python module: installs the device, hands over the model of the kernels, and passes waits on.

#include "collectives.h"
#include "device.h"
#include "fallback.h"
#include "waits.h"

#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#ifdef SYNCLINT_DISTRIBUTED
PYBIND11_DECLARE_HOLDER_TYPE(T, c10::intrusive_ptr<T>, true)
#endif

namespace py = pybind11;

namespace synclint {

void install_attention();

namespace {

// The function takes (op, mechanism, certain, operators from the outside in).
void listen(py::function function) {
  // Kept until the process ends: waits may come from threads that outlive the interpreter's modules.
  auto* callback = new py::function(std::move(function));
  set_listener([callback](const Wait& wait) {
    if (Py_IsInitialized() == 0) {
      return;
    }
    const py::gil_scoped_acquire gil;
    try {
      (*callback)(wait.op, wait.mechanism, wait.certain, wait.operators);
    } catch (py::error_already_set& error) {
      error.discard_as_unraisable("synclint's record of a wait");
    }
  });
}

using PythonClause = std::pair<std::string, std::vector<std::string>>;

void model(
    const std::string& op, const std::string& mechanism, const std::vector<std::vector<PythonClause>>& alternatives) {
  std::vector<Conjunction> converted;
  for (const auto& alternative : alternatives) {
    Conjunction conjunction;
    for (const auto& [predicate, arguments] : alternative) {
      conjunction.push_back({predicate, arguments});
    }
    converted.push_back(std::move(conjunction));
  }
  model_kernel(op, mechanism, converted);
}

} // namespace
} // namespace synclint

PYBIND11_MODULE(SYNCLINT_MODULE_NAME, module) {
  module.def("install", [] {
    synclint::install_device();
    synclint::install_fallbacks();
    synclint::install_attention();
#ifdef SYNCLINT_DISTRIBUTED
    synclint::install_timer();
#endif
  });
  module.def("listen", &synclint::listen);
  module.def("model_kernel", &synclint::model);
  module.def("set_recording", &synclint::set_recording);
  module.def("operators_run", &synclint::operators_run);
  module.def("report_wait", &synclint::report_wait);
  module.def("selected_stream", &synclint::selected_stream);
  module.def("select_stream", &synclint::select_stream);
  module.def("selected_device", [] { return int(synclint::selected_device()); });
  module.def("select_device", [](int index) {
    synclint::check_exists(synclint::simulated_device(static_cast<c10::DeviceIndex>(index)));
    synclint::select_device(static_cast<c10::DeviceIndex>(index));
  });
  module.def("device_count", [] { return int(synclint::device_count()); });
  module.def("set_device_count", [](int count) {
    synclint::set_device_count(static_cast<c10::DeviceIndex>(count));
  });
  // Bytes: in use, at most, allocated and freed altogether.
  module.def("memory_use", [](int index) {
    const auto use = synclint::memory_use(static_cast<c10::DeviceIndex>(index));
    return py::make_tuple(use.current, use.peak, use.allocated, use.freed);
  });
#ifdef SYNCLINT_DISTRIBUTED
  module.def("with_host_memory", &synclint::with_host_memory);
#endif
  module.def("reset_peak", [](int index) { synclint::reset_peak(static_cast<c10::DeviceIndex>(index)); });
}
