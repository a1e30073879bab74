# Warnings as errors, sanitizers and ccache: the switches that every target shares.
option(COHSIM_SANITIZE "Address, undefined-behaviour and leak sanitizers" OFF)
option(COHSIM_FUZZ "The libFuzzer programs of fuzz/; with clang, and COHSIM_SANITIZE" OFF)

add_library(cohsim_options INTERFACE)
target_include_directories(cohsim_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(cohsim_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough -Werror)
# Floating point must round alike everywhere: no fused multiply-add that one compiler makes and another does not.
target_compile_options(cohsim_options INTERFACE -ffp-contract=off)
# GCC 12 sees overlapping copies in `"literal" + std::string` at -O3 where there are none (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(cohsim_options INTERFACE -Wno-restrict)
endif()
if(COHSIM_SANITIZE)
  target_compile_options(cohsim_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(cohsim_options INTERFACE -fsanitize=address,undefined)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # The sloppiness is what ccache's manual asks for where there are precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
