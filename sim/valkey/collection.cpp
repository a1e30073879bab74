#include "sim/valkey/collection.h"

#include <algorithm>

#include "sim/valkey/listpack.h"

namespace cohsim::valkey {

namespace {

struct Limit {
  std::size_t bytes;
  std::size_t items;
};

/// A positive size counts items, with no more bytes than are safe; a negative one chooses bytes (quicklist.c).
Limit limit_of(std::int64_t listpack_size) {
  constexpr std::size_t safe_bytes = 8192;
  constexpr std::size_t least_bytes = 4096;
  constexpr std::size_t any = ~std::size_t{0};
  if (listpack_size >= 0) return {safe_bytes, static_cast<std::size_t>(std::max(listpack_size, std::int64_t{1}))};
  return {least_bytes << static_cast<unsigned>(std::min(-listpack_size, std::int64_t{5}) - 1), any};
}

}  // namespace

void List::make_room(std::size_t more_bytes, std::size_t more_items, std::int64_t listpack_size) {
  const Limit limit = limit_of(listpack_size);
  if (listpack_frame_bytes + bytes + more_bytes > limit.bytes || items.size() + more_items > limit.items) encoding = Encoding::large;
}

void List::settle(std::int64_t listpack_size) {
  const Limit limit = limit_of(listpack_size);
  const bool small = listpack_size >= 0 || listpack_frame_bytes + bytes <= limit.bytes / 2;
  if (small && items.size() <= limit.items / 2) encoding = Encoding::small;
}

void List::push(End end, std::string_view item) {
  bytes += listpack_bytes(item);
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
  bytes -= listpack_bytes(item);
  return item;
}

void List::insert(std::size_t place, std::string_view item) {
  bytes += listpack_bytes(item);
  items.emplace(items.begin() + static_cast<std::ptrdiff_t>(place), item);
}

void List::set(std::size_t place, std::string_view item) {
  bytes += listpack_bytes(item);
  bytes -= listpack_bytes(items[place]);
  items[place] = item;
}

void List::erase(std::size_t place, std::size_t count) {
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(place);
  const auto last = first + static_cast<std::ptrdiff_t>(count);
  for (auto item = first; item != last; ++item) bytes -= listpack_bytes(*item);
  items.erase(first, last);
}

}  // namespace cohsim::valkey
