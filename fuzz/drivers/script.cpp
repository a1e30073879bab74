// libFuzzer's entry for the target "script".
#include <cstddef>
#include <cstdint>

#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  cohsim::fuzz::run_script({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
