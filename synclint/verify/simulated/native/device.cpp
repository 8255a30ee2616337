#include "device.h"

#include "waits.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/alloc_cpu.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

namespace synclint {
namespace {

// Methods without `override`, here and below, are virtual in some of the supported releases only.

// --- devices ----------------------------------------------------------------------------------------

// As many as CUDA's caching allocator keeps books for.
constexpr size_t most_devices = 64;

std::atomic<c10::DeviceIndex> devices{1};
thread_local c10::DeviceIndex current_device_index = 0;

// --- memory -----------------------------------------------------------------------------------------

struct Usage {
  std::atomic<int64_t> current{0};
  std::atomic<int64_t> peak{0};
  std::atomic<int64_t> allocated{0};
  std::atomic<int64_t> freed{0};
};
std::array<Usage, most_devices> usage_of;

struct Block {
  void* memory;
  int64_t bytes;
  c10::DeviceIndex device;
};

void free_block(void* context) {
  auto* block = static_cast<Block*>(context);
  c10::free_cpu(block->memory);
  count_memory(block->device, -block->bytes);
  delete block;
}

struct DeviceAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    const c10::DeviceIndex device = current_device_index;
    void* memory = c10::alloc_cpu(bytes);
    count_memory(device, static_cast<int64_t>(bytes));
    return {memory, new Block{memory, static_cast<int64_t>(bytes), device}, &free_block, simulated_device(device)};
  }
  // Memory and what frees it are two things here.
  c10::DeleterFnPtr raw_deleter() const override {
    return nullptr;
  }
  void copy_data(void* destination, const void* source, std::size_t bytes) const override {
    std::memcpy(destination, source, bytes);
  }
};

// Remembers what it gave out, so that `is_pinned` can answer truthfully.
struct PinnedRanges {
  std::mutex mutex;
  std::map<const char*, size_t> size_of;
};

PinnedRanges& pinned_ranges() {
  // Pinned tensors may outlive every static object of this library, so it is never destroyed.
  static auto* ranges = new PinnedRanges();
  return *ranges;
}

void free_pinned(void* memory) {
  {
    const std::lock_guard<std::mutex> lock(pinned_ranges().mutex);
    pinned_ranges().size_of.erase(static_cast<const char*>(memory));
  }
  c10::free_cpu(memory);
}

struct PinnedAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    void* memory = c10::alloc_cpu(bytes);
    if (memory != nullptr) {
      const std::lock_guard<std::mutex> lock(pinned_ranges().mutex);
      pinned_ranges().size_of[static_cast<const char*>(memory)] = bytes;
    }
    return {memory, memory, &free_pinned, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override {
    return &free_pinned;
  }
  void copy_data(void* destination, const void* source, std::size_t bytes) const override {
    std::memcpy(destination, source, bytes);
  }
};

PinnedAllocator* pinned_allocator() {
  static PinnedAllocator allocator;
  return &allocator;
}

// --- random numbers -----------------------------------------------------------------------------------

// A generator that says it is on the device and draws from one of the host.
struct DeviceGenerator final : c10::GeneratorImpl {
  explicit DeviceGenerator(at::Generator host)
      : c10::GeneratorImpl(simulated_device(0), c10::DispatchKeySet(c10::DispatchKey::CUDA)), host_(std::move(host)) {}

  void set_current_seed(uint64_t seed) override {
    host_.set_current_seed(seed);
  }
  // CUDA's generators count what they have drawn; the host's do not, and start again where they are.
  void set_offset(uint64_t) override {}
  uint64_t get_offset() const override {
    return 0;
  }
  uint64_t current_seed() const override {
    return host_.current_seed();
  }
  uint64_t seed() override {
    return host_.seed();
  }
  void set_state(const c10::TensorImpl& state) override {
    host_.unsafeGetGeneratorImpl()->set_state(state);
  }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    return host_.unsafeGetGeneratorImpl()->get_state();
  }
  const at::Generator& host() const {
    return host_;
  }

 private:
  DeviceGenerator* clone_impl() const override {
    return new DeviceGenerator(host_.clone());
  }

  at::Generator host_;
};

const at::Generator& default_generator() {
  static const at::Generator generator = at::make_generator<DeviceGenerator>(at::detail::getDefaultCPUGenerator());
  return generator;
}

// --- streams and events: one device, whose work is done by the time a call returns --------------------

// An event's handle is the time at which it was recorded.
using Clock = std::chrono::steady_clock;

thread_local c10::StreamId current_stream = 0;

struct DeviceGuard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override {
    return c10::kCUDA;
  }
  c10::Device exchangeDevice(c10::Device device) const override {
    const c10::Device before = getDevice();
    setDevice(device);
    return before;
  }
  c10::Device getDevice() const override {
    return simulated_device(current_device_index);
  }
  void setDevice(c10::Device device) const override {
    check_exists(device);
    uncheckedSetDevice(device);
  }
  void uncheckedSetDevice(c10::Device device) const noexcept override {
    if (device.index() >= 0) {
      current_device_index = device.index();
    }
  }
  c10::DeviceIndex deviceCount() const noexcept override {
    return devices;
  }

  c10::Stream getStream(c10::Device device) const noexcept override {
    return stream(device, current_stream);
  }
  c10::Stream getDefaultStream(c10::Device device) const override {
    return stream(device, 0);
  }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool) const override {
    return new_stream(device);
  }
  c10::Stream getNewStream(c10::Device device, int) const override {
    return new_stream(device);
  }
  c10::Stream exchangeStream(c10::Stream next) const noexcept override {
    const c10::StreamId previous = current_stream;
    current_stream = next.id();
    return stream(next.device(), previous);
  }
  bool queryStream(const c10::Stream&) const override {
    return true;
  }
  void synchronizeStream(const c10::Stream&) const override {
    report_wait("cudaStreamSynchronize", "explicit");
  }
  void synchronizeDevice(const c10::DeviceIndex) const {
    report_wait("cudaDeviceSynchronize", "explicit");
  }

  void record(void** event, const c10::Stream&, const c10::DeviceIndex, const c10::EventFlag) const override {
    destroyEvent(*event, 0);
    *event = new Clock::time_point(Clock::now());
  }
  void destroyEvent(void* event, const c10::DeviceIndex) const noexcept override {
    delete static_cast<Clock::time_point*>(event);
  }
  void block(void*, const c10::Stream&) const override {}
  bool queryEvent(void*) const override {
    return true;
  }
  void synchronizeEvent(void*) const override {
    report_wait("cudaEventSynchronize", "explicit");
  }
  // Milliseconds, as CUDA's.
  double elapsedTime(void* start, void* end, const c10::DeviceIndex) const override {
    const auto elapsed = *static_cast<Clock::time_point*>(end) - *static_cast<Clock::time_point*>(start);
    return std::chrono::duration<double, std::milli>(elapsed).count();
  }

 private:
  static c10::Stream stream(c10::Device device, c10::StreamId id) {
    const auto index = device.has_index() ? device.index() : current_device_index;
    return c10::Stream(c10::Stream::UNSAFE, simulated_device(index), id);
  }
  static c10::Stream new_stream(c10::Device device) {
    static std::atomic<c10::StreamId> last{0};
    return stream(device, ++last);
  }
};

// --- what PyTorch asks the CUDA library ---------------------------------------------------------------

struct Hooks : at::CUDAHooksInterface {
  void init() const {}
  void initCUDA() const {}
  bool isBuilt() const { return true; }
  bool isAvailable() const { return true; }
  bool hasCUDA() const override { return true; }
  bool hasCUDART() const override { return true; }
  bool hasCuSOLVER() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  int getNumGPUs() const override { return devices; }
  c10::DeviceIndex deviceCount() const { return devices; }
  c10::DeviceIndex current_device() const override { return current_device_index; }
  c10::DeviceIndex getCurrentDevice() const { return current_device_index; }
  void setCurrentDevice(c10::DeviceIndex index) const {
    check_exists(simulated_device(index));
    select_device(index);
  }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex index) const {
    const auto before = current_device_index;
    setCurrentDevice(index);
    return before;
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex index) const {
    return exchangeDevice(index);
  }
  const at::Generator& getDefaultGenerator(c10::DeviceIndex) const { return default_generator(); }
  const at::Generator& getDefaultCUDAGenerator(c10::DeviceIndex) const { return default_generator(); }
  at::Generator getNewGenerator(c10::DeviceIndex) const {
    return at::make_generator<DeviceGenerator>(at::detail::createCPUGenerator());
  }
  at::Allocator* getPinnedMemoryAllocator() const override { return pinned_allocator(); }
  at::Allocator* getCUDADeviceAllocator() const override { return device_allocator(); }
  bool isPinnedPtr(const void* data) const override { return is_pinned(data); }
  at::Device getDeviceFromPtr(void*) const override { return simulated_device(current_device_index); }
  std::string showConfig() const override { return "  - CUDA: simulated by synclint\n"; }
  void deviceSynchronize(c10::DeviceIndex) const override {
    report_wait("cudaDeviceSynchronize", "explicit");
  }
};

void install_hooks() {
  const auto make = [](const at::CUDAHooksArgs&) -> std::unique_ptr<at::CUDAHooksInterface> {
    return std::make_unique<Hooks>();
  };
  at::CUDAHooksRegistry()->Register("CUDAHooks", make);
  const at::CUDAHooksInterface& hooks = at::detail::getCUDAHooks();
  if (!hooks.hasCUDA()) {
    // PyTorch looks once, and something asked it before (pinned memory is enough): its answer, an object
    // without state that lives for ever, is replaced where it stands.
    static_assert(sizeof(Hooks) == sizeof(at::CUDAHooksInterface));
    new (const_cast<at::CUDAHooksInterface*>(&hooks)) Hooks();
  }
}

} // namespace

void check_exists(std::optional<c10::Device> device) {
  TORCH_CHECK(
      !device.has_value() || !device->is_cuda() || device->index() < devices,
      "CUDA error: invalid device ordinal (",
      devices == 1 ? "the simulated device is cuda:0" : c10::str("there are ", int(devices), " simulated devices"),
      ", and there is no ", *device, ")");
}

c10::Device requested_device(std::optional<c10::Device> device) {
  check_exists(device);
  const bool named = device.has_value() && device->has_index();
  return simulated_device(named ? device->index() : current_device_index);
}

c10::DeviceIndex selected_device() {
  return current_device_index;
}

void select_device(c10::DeviceIndex index) {
  current_device_index = index;
}

c10::DeviceIndex device_count() {
  return devices;
}

void set_device_count(c10::DeviceIndex count) {
  TORCH_CHECK_VALUE(count >= 1 && static_cast<size_t>(count) <= most_devices, "from 1 to ", most_devices, " devices");
  devices = count;
}

MemoryUse memory_use(c10::DeviceIndex index) {
  const Usage& usage = usage_of.at(index);
  return {usage.current, usage.peak, usage.allocated, usage.freed};
}

void reset_peak(c10::DeviceIndex index) {
  Usage& usage = usage_of.at(index);
  usage.peak = usage.current.load();
}

void count_memory(c10::DeviceIndex index, int64_t bytes) {
  Usage& usage = usage_of[index];
  const int64_t now = usage.current.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  (bytes > 0 ? usage.allocated : usage.freed).fetch_add(std::abs(bytes), std::memory_order_relaxed);
  int64_t peak = usage.peak.load(std::memory_order_relaxed);
  while (now > peak && !usage.peak.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

c10::Allocator* device_allocator() {
  static DeviceAllocator allocator;
  return &allocator;
}

bool is_pinned(const void* address) {
  auto& ranges = pinned_ranges();
  const auto* byte = static_cast<const char*>(address);
  const std::lock_guard<std::mutex> lock(ranges.mutex);
  auto after = ranges.size_of.upper_bound(byte);
  if (after == ranges.size_of.begin()) {
    return false;
  }
  const auto& [start, size] = *std::prev(after);
  return byte < start + size;
}

at::Generator host_generator(const at::Generator& generator) {
  auto* of_device = dynamic_cast<DeviceGenerator*>(generator.unsafeGetGeneratorImpl());
  return of_device == nullptr ? generator : of_device->host();
}

c10::StreamId selected_stream() {
  return current_stream;
}

void select_stream(c10::StreamId id) {
  current_stream = id;
}

void install_device() {
  c10::SetAllocator(c10::kCUDA, device_allocator());
  // PyTorch keeps the guard until the process ends.
  const c10::impl::DeviceGuardImplRegistrar registered(c10::kCUDA, new DeviceGuard());
  install_hooks();
}

} // namespace synclint
