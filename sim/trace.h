// The trace: one typed event a line, hashed always, written only where somebody listens.
//
// An event is a plain struct with `static constexpr std::string_view name` and
//   template <class V> void fields(V&& visit) const { visit("key", key); … }
// whose fields are integers, booleans, strings of bytes, or std::optional of these.
#pragma once

#include <xxhash.h>

#include <concepts>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "sim/actor.h"
#include "sim/scheduler.h"
#include "sim/time.h"

namespace cohsim {

/// Where in the run an event happened.
struct When {
  std::uint64_t step;  ///< the scheduler's step that it belongs to
  TimeUs at;
  Actor actor;         ///< who did it
  FiberId fiber;       ///< in which fiber; generation 0 outside of one
};

/// One field of an event, for those who write traces.
struct Field {
  enum class Kind : std::uint8_t { integer, boolean, bytes, absent };
  std::string_view key;
  Kind kind;
  std::int64_t integer;
  std::string_view bytes;  ///< valid during the call only
};

/// Receives every event as names and values, in order.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void event(const When& when, std::string_view name, std::span<const Field> fields) = 0;
};

class Trace {
 public:
  explicit Trace(const Scheduler& scheduler) : scheduler_(scheduler) {}

  /// The sink gets what is noted from now on; null for none. It must outlive the trace.
  void listen(TraceSink* sink) { sink_ = sink; }

  /// The rolling hash over every event noted so far: name, step, time, actor and all fields, and over the schedule.
  [[nodiscard]] std::uint64_t hash() const { return mix64(hash_ ^ scheduler_.schedule_hash()); }
  [[nodiscard]] std::uint64_t events() const { return events_; }

  /// Notes an event; false while frames die, when nothing is noted.
  template <class Event>
  bool note(const When& when, const Event& event) {
    if (scheduler_.dying()) return false;
    Packer packer;
    packer.bytes(Event::name);
    packer.integer(static_cast<std::int64_t>(when.step));
    packer.integer(when.at);
    packer.integer(when.actor);
    event.fields(packer);
    hash_ = XXH3_64bits_withSeed(packer.buffer, packer.size, packer.fold(hash_));
    ++events_;
    if (sink_ != nullptr) {
      Collector collector;
      event.fields(collector);
      sink_->event(when, Event::name, std::span<const Field>(collector.fields, collector.size));
    }
    return true;
  }

  [[nodiscard]] When when(Actor actor) const {
    return {scheduler_.steps(), scheduler_.now(), actor, scheduler_.current()};
  }

 private:
  // Little endian on every machine we support; long fields are folded in by their own hash.
  struct Packer {
    char buffer[512];
    std::size_t size = 0;
    std::uint64_t folded = 0;

    std::uint64_t fold(std::uint64_t seed) const { return folded == 0 ? seed : mix64(seed ^ folded); }
    void integer(std::int64_t value) {
      if (size + sizeof value > sizeof buffer) return spill(&value, sizeof value);
      std::memcpy(buffer + size, &value, sizeof value);
      size += sizeof value;
    }
    void bytes(std::string_view value) {
      integer(static_cast<std::int64_t>(value.size()));
      if (size + value.size() > sizeof buffer) return spill(value.data(), value.size());
      std::memcpy(buffer + size, value.data(), value.size());
      size += value.size();
    }
    void spill(const void* data, std::size_t length) { folded = XXH3_64bits_withSeed(data, length, folded + 1); }

    template <std::integral T>
    void operator()(std::string_view, T value) {
      integer(static_cast<std::int64_t>(value));
    }
    void operator()(std::string_view, std::string_view value) { bytes(value); }
    void operator()(std::string_view, std::string&& value) { bytes(value); }
    template <class T>
    void operator()(std::string_view key, const std::optional<T>& value) {
      integer(value.has_value());
      if (value) (*this)(key, *value);
    }
  };

  struct Collector {
    Field fields[24];
    std::size_t size = 0;
    std::deque<std::string> made;
    template <std::integral T>
    void operator()(std::string_view key, T value) {
      add({key, std::is_same_v<T, bool> ? Field::Kind::boolean : Field::Kind::integer,
           static_cast<std::int64_t>(value), {}});
    }
    void operator()(std::string_view key, std::string_view value) { add({key, Field::Kind::bytes, 0, value}); }
    // A text made for the occasion: kept until the sink has seen it.
    void operator()(std::string_view key, std::string&& value) {
      made.push_back(std::move(value));
      (*this)(key, std::string_view(made.back()));
    }
    template <class T>
    void operator()(std::string_view key, const std::optional<T>& value) {
      if (value) {
        (*this)(key, *value);
      } else {
        add({key, Field::Kind::absent, 0, {}});
      }
    }
    void add(const Field& field) {
      if (size < std::size(fields)) fields[size++] = field;
    }
  };

  const Scheduler& scheduler_;
  TraceSink* sink_ = nullptr;
  std::uint64_t hash_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace cohsim
