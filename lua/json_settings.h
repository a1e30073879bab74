// What scripts can set in the library `cjson`, and what stays set from script to script on a real server.
#pragma once

namespace cohsim::lua {

/// One for each server: kept until its scripts are flushed. Starts with the server's defaults.
struct JsonSettings {
  enum class InvalidNumbers { refuse = 0, as_is = 1, as_null = 2 };
  bool sparse_as_object = false;  ///< an excessively sparse array becomes an object, not an error
  int sparse_ratio = 2;           ///< excessive: more than so many places per item (0: never) …
  int sparse_safe = 10;           ///< … and a larger index than this
  int encode_depth_max = 1000;
  int decode_depth_max = 1000;
  int precision = 14;  ///< significant digits of numbers
  bool keep_buffer = false;
  InvalidNumbers encode_invalid = InvalidNumbers::refuse;
  bool decode_invalid = true;  ///< reads hexadecimal numbers, infinity, NaN and leading zeros
};

}  // namespace cohsim::lua
