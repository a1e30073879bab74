#include "sim/valkey/collection.h"

#include <cstdlib>

#include "sim/valkey/integer_text.h"

namespace cohsim::valkey {

namespace {

constexpr std::size_t listpack_bytes_max = 8192;  // list-max-listpack-size -2

/// What a listpack takes for an item: its header and data, and its length behind it (listpack.c).
std::size_t listpack_bytes(std::string_view item) {
  std::size_t bytes = item.size() < 64 ? 1 + item.size() : item.size() < 4096 ? 2 + item.size() : 5 + item.size();
  if (const auto integer = read_integer(item)) {
    const std::int64_t value = *integer;
    const auto fits = [value](int bits) {
      return value >= -(std::int64_t{1} << (bits - 1)) && value < std::int64_t{1} << (bits - 1);
    };
    bytes = value >= 0 && value < 128 ? 1 : fits(13) ? 2 : fits(16) ? 3 : fits(24) ? 4 : fits(32) ? 5 : 9;
  }
  constexpr std::size_t seven_bits = 128;
  std::size_t length_bytes = 1;
  for (std::size_t rest = bytes; rest >= seven_bits; rest /= seven_bits) ++length_bytes;
  return bytes + length_bytes;
}

}  // namespace

void List::grow(std::string_view item) {
  constexpr std::size_t frame = 7;  // a listpack's header and end
  if (frame + bytes + item.size() > listpack_bytes_max) encoding = Encoding::large;
  bytes += listpack_bytes(item);
}

void List::shrink(std::size_t fewer_bytes) {
  bytes -= fewer_bytes;
  if (bytes <= listpack_bytes_max / 2) encoding = Encoding::small;
}

void List::push(End end, std::string_view item) {
  grow(item);
  if (end == End::left) {
    items.emplace_front(item);
  } else {
    items.emplace_back(item);
  }
}

std::string List::pop(End end) {
  std::string item = std::move(end == End::left ? items.front() : items.back());
  if (end == End::left) {
    items.pop_front();
  } else {
    items.pop_back();
  }
  shrink(listpack_bytes(item));
  return item;
}

void List::insert(std::size_t place, std::string_view item) {
  grow(item);
  items.emplace(items.begin() + static_cast<std::ptrdiff_t>(place), item);
}

void List::set(std::size_t place, std::string_view item) {
  bytes -= listpack_bytes(items[place]);
  grow(item);
  items[place] = item;
  shrink(0);
}

void List::erase(std::size_t place, std::size_t count) {
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(place);
  const auto last = first + static_cast<std::ptrdiff_t>(count);
  std::size_t fewer = 0;
  for (auto item = first; item != last; ++item) fewer += listpack_bytes(*item);
  items.erase(first, last);
  shrink(fewer);
}

}  // namespace cohsim::valkey
