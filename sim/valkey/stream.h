// A stream as a server packs it: entries in nodes, which is what trimming by "about" goes by (t_stream.c).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace cohsim::valkey {

struct StreamId {
  std::uint64_t ms = 0;
  std::uint64_t sequence = 0;
  friend auto operator<=>(const StreamId&, const StreamId&) = default;
};

struct StreamEntry {
  StreamId id;
  std::vector<std::string> pairs;  ///< field, value, field, value …
  friend bool operator==(const StreamEntry&, const StreamEntry&) = default;
};

/// What XTRIM is to leave: so many entries, or those from an id on.
struct StreamTrim {
  enum class By : std::uint8_t { nothing, length, id };
  By by = By::nothing;
  bool about = false;  ///< whole nodes only
  std::uint64_t length = 0;
  StreamId least;
  std::uint64_t limit = 0;  ///< of entries to take away; 0: any number
};

/// Entries that lie together; the deleted ones among them still take their room.
struct StreamNode {
  std::deque<StreamEntry> entries;  ///< those that live
  StreamId first;                   ///< of the first entry that it got, and of the last, deleted or not
  StreamId last;
  std::vector<std::string> fields;  ///< of the first entry: who has the same does not repeat them
  std::size_t count = 0;            ///< entries with the deleted ones
  std::size_t bytes = 0;            ///< as a listpack would hold them
  friend bool operator==(const StreamNode&, const StreamNode&) = default;
};

/// Its entries change by `append`, `remove` and `trim` only.
struct Stream {
  std::deque<StreamNode> nodes;
  std::size_t length = 0;
  StreamId last;  ///< the highest that there has been
  /// A stream stays when its entries are gone.
  [[nodiscard]] bool empty() const { return false; }
  /// `entry.id` must be higher than `last`. A node takes so many entries and bytes; 0: any number.
  void append(StreamEntry entry, std::int64_t node_entries, std::int64_t node_bytes);
  bool remove(StreamId id);
  /// How many entries have gone.
  std::size_t trim(const StreamTrim& by);
  /// The entries from one id up to another, at most `count` of them (negative: all), or backward.
  [[nodiscard]] std::vector<const StreamEntry*> range(StreamId first, StreamId last_id, std::int64_t count,
                                                      bool reversed) const;
  friend bool operator==(const Stream&, const Stream&) = default;
};

}  // namespace cohsim::valkey
