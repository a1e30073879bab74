// The library `struct`: binary records by a format string. Integers are little-endian unless '>' says otherwise.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <limits>
#include <lua5.1/lua.hpp>

#include "lua/bounded_text.h"
#include "lua/engine.h"

namespace cohsim::lua {

namespace {

constexpr int integer_bytes_max = 32;
constexpr int default_alignment = 8;

/// Goes through a format: options one by one, with the alignment and byte order in force.
class Format {
 public:
  explicit Format(lua_State* state) : state_(state), rest_(luaL_checkstring(state, 1)) {}

  /// Reads the next option; false at the end.
  bool next() {
    if (*rest_ == '\0') return false;
    option_ = *rest_++;
    bytes_ = bytes_of_option();
    return true;
  }
  /// Bytes of padding in front of the option's value when it comes at `place`.
  [[nodiscard]] std::size_t padding(std::size_t place) const {
    if (bytes_ == 0 || option_ == 'c') return 0;
    const std::size_t step = std::min(bytes_, static_cast<std::size_t>(alignment_));
    return (step - (place & (step - 1))) & (step - 1);
  }
  /// Obeys an option that has no value: byte order, alignment, blank. Every other is an error.
  void control() {
    switch (option_) {
      case ' ': return;
      case '>': big_ = true; return;
      case '<': big_ = false; return;
      case '!':
        alignment_ = number(default_alignment);
        if (alignment_ <= 0 || (alignment_ & (alignment_ - 1)) != 0) {
          luaL_error(state_, "alignment %d is not a power of 2", alignment_);
        }
        return;
      default: luaL_argerror(state_, 1, lua_pushfstring(state_, "invalid format option '%c'", option_));
    }
  }
  [[nodiscard]] char option() const { return option_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] bool big() const { return big_; }

 private:
  [[nodiscard]] bool at_digit() const { return *rest_ >= '0' && *rest_ <= '9'; }

  int number(int otherwise) {
    if (!at_digit()) return otherwise;
    std::int64_t value = 0;
    while (at_digit()) {
      value = value * 10 + (*rest_ - '0');
      if (value > std::numeric_limits<int>::max()) luaL_error(state_, "integral size overflow");
      ++rest_;
    }
    return static_cast<int>(value);
  }

  std::size_t bytes_of_option() {
    switch (option_) {
      case 'b':
      case 'B':
      case 'x': return 1;
      case 'h':
      case 'H': return 2;
      case 'f': return 4;
      case 'l':
      case 'L':
      case 'T':
      case 'd': return 8;
      case 'c': return static_cast<std::size_t>(number(1));
      case 'i':
      case 'I': {
        const int bytes = number(4);
        if (bytes > integer_bytes_max) {
          luaL_error(state_, "integral size %d is larger than limit of %d", bytes, integer_bytes_max);
        }
        return static_cast<std::size_t>(bytes);
      }
      default: return 0;
    }
  }

  lua_State* state_;
  const char* rest_;
  char option_ = 0;
  std::size_t bytes_ = 0;
  int alignment_ = 1;
  bool big_ = false;
};

/// What the server's compiled conversion gives on x86, out of range too.
std::uint64_t integer_of(lua_Number number) {
  if (number < 0) {
    return number >= -0x1p63 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(number)) : std::uint64_t{1} << 63U;
  }
  if (number < 0x1p64) return static_cast<std::uint64_t>(number);
  return number >= 0x1p64 ? 0 : std::uint64_t{1} << 63U;  // NaN
}

void put_integer(BoundedText& out, std::uint64_t value, const Format& format) {
  std::array<char, integer_bytes_max> buffer{};
  for (std::size_t i = 0; i < format.bytes(); ++i, value >>= 8U) {
    buffer[format.big() ? format.bytes() - 1 - i : i] = static_cast<char>(value & 0xFFU);
  }
  out.append({buffer.data(), format.bytes()});
}

template <class Real>
void put_real(BoundedText& out, Real value, const Format& format) {
  std::array<char, sizeof(Real)> buffer{};
  std::memcpy(buffer.data(), &value, sizeof value);
  if (format.big()) std::reverse(buffer.begin(), buffer.end());
  out.append({buffer.data(), buffer.size()});
}

/// Appends a string of the option's length (or its own) and answers how many bytes that were.
std::size_t put_string(lua_State* state, BoundedText& out, int index, const Format& format) {
  std::size_t length = 0;
  const char* const text = luaL_checklstring(state, index, &length);
  const std::size_t bytes = format.bytes() == 0 ? length : format.bytes();
  luaL_argcheck(state, length >= bytes, index + 1, "string too short");
  out.append({text, bytes});
  if (format.option() != 's') return bytes;
  out.append('\0');
  return bytes + 1;
}

int struct_pack(lua_State* state) {
  Format format(state);
  BoundedText out(state);
  int index = 2;
  for (std::size_t total = 0; format.next();) {
    const std::size_t padding = format.padding(total);
    out.append(padding, '\0');
    std::size_t bytes = format.bytes();
    switch (format.option()) {
      case 'b':
      case 'B':
      case 'h':
      case 'H':
      case 'l':
      case 'L':
      case 'T':
      case 'i':
      case 'I': put_integer(out, integer_of(luaL_checknumber(state, index++)), format); break;
      case 'x': out.append('\0'); break;
      case 'f': put_real(out, static_cast<float>(luaL_checknumber(state, index++)), format); break;
      case 'd': put_real(out, luaL_checknumber(state, index++), format); break;
      case 'c':
      case 's': bytes = put_string(state, out, index++, format); break;
      default: format.control();
    }
    total += padding + bytes;
  }
  out.push();
  return 1;
}

lua_Number integer_in(std::string_view data, bool big, bool is_signed) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    value = (value << 8U) | static_cast<unsigned char>(data[big ? i : data.size() - 1 - i]);
  }
  if (!is_signed) return static_cast<lua_Number>(value);
  // Of wider integers the server keeps 64 bits, and the place of the sign goes round with them.
  const std::uint64_t signs = ~std::uint64_t{0} << ((data.size() * 8 - 1) & 63U);
  if ((value & signs) != 0) value |= signs;
  return static_cast<lua_Number>(static_cast<std::int64_t>(value));
}

template <class Real>
lua_Number real_in(std::string_view data, bool big) {
  std::array<char, sizeof(Real)> buffer{};
  std::copy(data.begin(), data.end(), buffer.begin());
  if (big) std::reverse(buffer.begin(), buffer.end());
  Real value = 0;
  std::memcpy(&value, buffer.data(), sizeof value);
  return static_cast<lua_Number>(value);
}

bool fits(std::string_view data, std::size_t place, std::size_t bytes) {
  return bytes <= data.size() && place <= data.size() - bytes;
}

/// Takes the length of a 'c0' from the value before it.
std::size_t take_length(lua_State* state, int& results) {
  if (results == 0 || lua_isnumber(state, -1) == 0) luaL_error(state, "format 'c0' needs a previous size");
  const std::uint64_t length = integer_of(lua_tonumber(state, -1));
  lua_pop(state, 1);
  --results;
  return length;
}

/// Pushes the option's value at `place`, if it has one, and answers its bytes.
std::size_t unpack_value(lua_State* state, Format& format, std::string_view data, std::size_t place, int& results) {
  const std::string_view bytes = data.substr(place, format.bytes());
  switch (format.option()) {
    case 'b':
    case 'B':
    case 'h':
    case 'H':
    case 'l':
    case 'L':
    case 'T':
    case 'i':
    case 'I': lua_pushnumber(state, integer_in(bytes, format.big(), std::islower(format.option()) != 0)); break;
    case 'x': return 1;
    case 'f': lua_pushnumber(state, real_in<float>(bytes, format.big())); break;
    case 'd': lua_pushnumber(state, real_in<double>(bytes, format.big())); break;
    case 'c': {
      std::size_t length = bytes.size();
      if (length == 0) {
        length = take_length(state, results);
        luaL_argcheck(state, fits(data, place, length), 2, "data string too short");
      }
      lua_pushlstring(state, data.data() + place, length);
      ++results;
      return length;
    }
    case 's': {
      const std::size_t end = data.find('\0', place);
      if (end == std::string_view::npos) luaL_error(state, "unfinished string in data");
      lua_pushlstring(state, data.data() + place, end - place);
      ++results;
      return end - place + 1;
    }
    default: format.control(); return 0;
  }
  ++results;
  return bytes.size();
}

int struct_unpack(lua_State* state) {
  Format format(state);
  std::size_t length = 0;
  const char* const text = luaL_checklstring(state, 2, &length);
  auto place = static_cast<std::size_t>(luaL_optinteger(state, 3, 1));
  luaL_argcheck(state, place > 0, 3, "offset must be 1 or greater");
  --place;
  int results = 0;
  while (format.next()) {
    place += format.padding(place);
    luaL_argcheck(state, fits({text, length}, place, format.bytes()), 2, "data string too short");
    luaL_checkstack(state, 2, "too many results");
    place += unpack_value(state, format, {text, length}, place, results);
  }
  lua_pushinteger(state, static_cast<lua_Integer>(place + 1));
  return results + 1;
}

int struct_size(lua_State* state) {
  Format format(state);
  std::size_t total = 0;
  while (format.next()) {
    total += format.padding(total);
    if (format.option() == 's') luaL_argerror(state, 1, "option 's' has no fixed size");
    if (format.option() == 'c' && format.bytes() == 0) luaL_argerror(state, 1, "option 'c0' has no fixed size");
    if (std::isalnum(static_cast<unsigned char>(format.option())) == 0) format.control();
    total += format.bytes();
  }
  lua_pushinteger(state, static_cast<lua_Integer>(total));
  return 1;
}

}  // namespace

void open_struct(lua_State* state) {
  static const luaL_Reg functions[] = {
      {"pack", struct_pack}, {"unpack", struct_unpack}, {"size", struct_size}, {nullptr, nullptr}};
  luaL_register(state, nullptr, functions);
}

}  // namespace cohsim::lua
