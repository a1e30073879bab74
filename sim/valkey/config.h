// What CONFIG can read and change (config.c): the parameters that the simulation knows, checked as a real server would.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/valkey/personality.h"
#include "sim/valkey/request_parser.h"

namespace cohsim::valkey {

/// client-output-buffer-limit, kept but without effect here: hard, soft and seconds of normal, slave and pubsub clients.
using BufferLimits = std::array<std::array<std::int64_t, 3>, 3>;
inline constexpr BufferLimits default_buffers = {{{0, 0, 0}, {268435456, 67108864, 60}, {33554432, 8388608, 60}}};

struct ConfigEntry {
  enum class Kind : std::uint8_t { boolean, number, memory, text, choice, events, save, buffers };
  std::string_view name{};
  std::string_view alias{};   ///< empty: none
  Kind kind = Kind::text;
  std::string_view initial{};
  std::int64_t least = 0;    ///< of a number
  std::int64_t most = 0;
  std::string_view choices{}; ///< "a, b", as error texts list them
  bool immutable = false;
  bool valkey_only = false;
};

/// Kinds of keyspace events, as `notify-keyspace-events` spells them.
enum EventKind : int {
  events_keyspace = 1,   ///< K
  events_keyevent = 2,   ///< E
  events_generic = 4,    ///< g
  events_string = 8,     ///< $
  events_list = 16,      ///< l
  events_set = 32,       ///< s
  events_hash = 64,      ///< h
  events_sorted = 128,   ///< z
  events_expired = 256,  ///< x
  events_evicted = 512,  ///< e
  events_stream = 1024,  ///< t
  events_miss = 2048,    ///< m
  events_module = 4096,  ///< d
  events_new = 8192,     ///< n
};

/// Up to where values keep their small forms.
struct FormLimits {
  std::int64_t hash_entries = 512;
  std::int64_t hash_value = 64;
  std::int64_t intset_entries = 512;
  std::int64_t set_entries = 128;
  std::int64_t set_value = 64;
  std::int64_t sorted_entries = 128;
  std::int64_t sorted_value = 64;
  std::int64_t list_size = -2;  ///< positive: items, negative: a class of bytes
  std::int64_t stream_node_entries = 100;
  std::int64_t stream_node_bytes = 4096;
  bool has_set_listpack = false;  ///< the personality's
};

class Config {
 public:
  explicit Config(const Personality& personality);

  [[nodiscard]] static std::span<const ConfigEntry> entries();
  /// The place of a parameter, by name or alias in any case; nullopt where this server has none of it.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  [[nodiscard]] bool has(std::size_t place) const;
  [[nodiscard]] const std::string& value(std::size_t place) const { return values_[place]; }
  [[nodiscard]] const std::string& value(std::string_view name) const { return values_[*find(name)]; }
  [[nodiscard]] bool has_collation() const { return personality_->has_valkey_config; }
  /// Why the server would refuse the value; empty where it takes it.
  [[nodiscard]] std::string check(std::size_t place, std::string_view value) const;
  /// Takes a value that `check` has passed.
  void set(std::size_t place, std::string_view value);

  // What others look at often.
  std::int64_t maxmemory = 0;
  std::int64_t busy_reply_threshold_ms = 5000;  ///< 0: scripts are never slow
  int notify_events = 0;
  std::string requirepass;
  FormLimits limits;
  RequestLimits requests;

 private:
  const Personality* personality_;
  BufferLimits buffers_ = default_buffers;
  std::vector<std::string> values_;
};

}  // namespace cohsim::valkey
