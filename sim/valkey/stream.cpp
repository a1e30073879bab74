#include "sim/valkey/stream.h"

#include <algorithm>

#include "sim/valkey/listpack.h"

namespace cohsim::valkey {

namespace {

std::size_t number_bytes(std::uint64_t number) { return listpack_bytes(std::to_string(static_cast<std::int64_t>(number))); }

/// What stands before the entries: how many live and how many are deleted, the fields of the first, and an end.
std::size_t head_bytes(const StreamNode& node) {
  std::size_t bytes = listpack_frame_bytes + number_bytes(node.entries.size()) +
                      number_bytes(node.count - node.entries.size()) + number_bytes(node.fields.size()) + 2;
  for (const std::string& field : node.fields) bytes += listpack_bytes(field);
  return bytes;
}

bool has_fields_of(const StreamNode& node, const StreamEntry& entry) {
  if (node.fields.size() * 2 != entry.pairs.size()) return false;
  for (std::size_t place = 0; place < node.fields.size(); ++place) {
    if (entry.pairs[place * 2] != node.fields[place]) return false;
  }
  return true;
}

/// Flags, the distance from the node's first id, the fields where they are others, the values, and the number of all.
std::size_t entry_bytes(const StreamNode& node, const StreamEntry& entry) {
  const bool same = has_fields_of(node, entry);
  const std::size_t fields = entry.pairs.size() / 2;
  std::size_t bytes = 2 + number_bytes(entry.id.ms - node.first.ms) + number_bytes(entry.id.sequence - node.first.sequence);
  for (std::size_t place = same ? 1 : 0; place < entry.pairs.size(); place += same ? 2 : 1) {
    bytes += listpack_bytes(entry.pairs[place]);
  }
  return bytes + (same ? number_bytes(fields + 3) : number_bytes(fields) + number_bytes(fields * 2 + 4));
}

bool is_full(const StreamNode& node, const StreamEntry& next, std::int64_t entries_max, std::int64_t bytes_max) {
  constexpr std::size_t any_bytes = std::size_t{1} << 30U;
  std::size_t texts = 0;
  for (const std::string& text : next.pairs) texts += text.size();
  const std::size_t most = bytes_max == 0 ? any_bytes : std::min(static_cast<std::size_t>(bytes_max), any_bytes);
  if (head_bytes(node) + node.bytes + texts >= most) return true;
  return entries_max != 0 && node.count >= static_cast<std::size_t>(entries_max);
}

bool is_before(const StreamEntry& entry, StreamId id) { return entry.id < id; }

}  // namespace

void Stream::append(StreamEntry entry, std::int64_t node_entries, std::int64_t node_bytes) {
  if (nodes.empty() || is_full(nodes.back(), entry, node_entries, node_bytes)) {
    StreamNode& node = nodes.emplace_back();
    node.first = entry.id;
    for (std::size_t place = 0; place < entry.pairs.size(); place += 2) node.fields.push_back(entry.pairs[place]);
  }
  StreamNode& node = nodes.back();
  node.bytes += entry_bytes(node, entry);
  node.last = entry.id;
  ++node.count;
  last = entry.id;
  ++length;
  node.entries.push_back(std::move(entry));
}

bool Stream::remove(StreamId id) {
  for (auto node = nodes.begin(); node != nodes.end(); ++node) {
    if (node->last < id) continue;
    const auto entry = std::lower_bound(node->entries.begin(), node->entries.end(), id, is_before);
    if (entry == node->entries.end() || entry->id != id) return false;
    node->entries.erase(entry);
    --length;
    if (node->entries.empty()) nodes.erase(node);
    return true;
  }
  return false;
}

std::size_t Stream::trim(const StreamTrim& by) {
  const std::size_t before = length;
  const auto is_done = [&] { return by.by == StreamTrim::By::length && length <= by.length; };
  while (!nodes.empty() && by.by != StreamTrim::By::nothing && !is_done()) {
    StreamNode& node = nodes.front();
    const std::size_t entries = node.entries.size();
    if (by.limit != 0 && before - length + entries > by.limit) break;
    if (by.by == StreamTrim::By::length ? length - entries >= by.length : node.last < by.least) {
      length -= entries;
      nodes.pop_front();
      continue;
    }
    if (by.about) break;
    while (!node.entries.empty() && !is_done()) {
      if (by.by == StreamTrim::By::id && node.entries.front().id >= by.least) break;
      node.entries.pop_front();
      --length;
    }
    if (node.entries.empty()) nodes.pop_front();
    break;
  }
  return before - length;
}

std::vector<const StreamEntry*> Stream::range(StreamId first, StreamId last_id, std::int64_t count,
                                              bool reversed) const {
  std::vector<const StreamEntry*> found;
  const auto is_enough = [&] { return count >= 0 && static_cast<std::int64_t>(found.size()) >= count; };
  const auto take = [&](const StreamEntry& entry) {
    if (entry.id >= first && entry.id <= last_id && !is_enough()) found.push_back(&entry);
  };
  if (!reversed) {
    for (auto node = nodes.begin(); node != nodes.end() && !is_enough() && node->first <= last_id; ++node) {
      if (node->last >= first) std::for_each(node->entries.begin(), node->entries.end(), take);
    }
    return found;
  }
  for (auto node = nodes.rbegin(); node != nodes.rend() && !is_enough() && node->last >= first; ++node) {
    if (node->first <= last_id) std::for_each(node->entries.rbegin(), node->entries.rend(), take);
  }
  return found;
}

}  // namespace cohsim::valkey
