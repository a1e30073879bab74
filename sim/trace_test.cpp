#include "sim/trace.h"

#include <fmt/format.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "testing/catch.h"

namespace cohsim {
namespace {

struct Calm final : Strategy {
  std::uint64_t pick(const Question&) override { return 0; }
};

struct Bench {
  Calm calm;
  Choices choices{calm};
  Scheduler scheduler{choices};
  Trace trace{scheduler};
};

struct Stored {
  static constexpr std::string_view name = "stored";
  std::string_view id = "USR0KHTOWnGLuC";
  std::int64_t size = 12;
  bool fresh = true;
  std::optional<std::uint32_t> token = 3;
  std::optional<std::string_view> value = "bytes";
  template <class V>
  void fields(V&& visit) const {
    visit("id", id);
    visit("size", size);
    visit("fresh", fresh);
    visit("token", token);
    visit("value", value);
  }
};

struct Renamed : Stored {
  static constexpr std::string_view name = "kept";
};

constexpr When first{1, 500, actor_first_node, {}};

template <class Event>
std::uint64_t hash_of(const Event& event, const When& when = first) {
  Bench b;
  CHECK(b.trace.note(when, event));
  return b.trace.hash();
}

TEST_CASE("the same events give the same hash, which is pinned") {
  CHECK(hash_of(Stored{}) == hash_of(Stored{}));
  CHECK(hash_of(Stored{}) == 0x570dbda720320081ULL);
}

TEST_CASE("the hash depends on every field, on their absence, and on name, step, time and actor") {
  std::set<std::uint64_t> hashes{hash_of(Stored{}), hash_of(Renamed{})};
  const std::vector<std::function<void(Stored&)>> changes{
      [](Stored& e) { e.id = "USR0KHTOWnGLuD"; },
      [](Stored& e) { e.id = "USR"; },
      [](Stored& e) { e.size = 13; },
      [](Stored& e) { e.size = -12; },
      [](Stored& e) { e.fresh = false; },
      [](Stored& e) { e.token = 4; },
      [](Stored& e) { e.token = 0; },
      [](Stored& e) { e.token.reset(); },
      [](Stored& e) { e.value = ""; },
      [](Stored& e) { e.value = std::string_view("bytes\0", 6); },
      [](Stored& e) { e.value.reset(); },
  };
  for (const auto& change : changes) {
    Stored event;
    change(event);
    hashes.insert(hash_of(event));
  }
  hashes.insert(hash_of(Stored{}, {2, 500, actor_first_node, {}}));
  hashes.insert(hash_of(Stored{}, {1, 501, actor_first_node, {}}));
  hashes.insert(hash_of(Stored{}, {1, 500, actor_server, {}}));
  CHECK(hashes.size() == changes.size() + 5);
}

TEST_CASE("the hash depends on the order of events and on every one of them") {
  Stored other;
  other.size = 99;
  const auto run = [](const std::vector<Stored>& events) {
    Bench b;
    for (const Stored& event : events) b.trace.note(first, event);
    CHECK(b.trace.events() == events.size());
    return b.trace.hash();
  };
  const std::set<std::uint64_t> hashes{run({}),           run({Stored{}}),        run({Stored{}, Stored{}}),
                                       run({Stored{}, other}), run({other, Stored{}}), run({other})};
  CHECK(hashes.size() == 6);
}

TEST_CASE("bytes move from one field to the next only under another hash") {
  Stored a, b;
  a.id = "ab", a.value = "c";
  b.id = "a", b.value = "bc";
  CHECK(hash_of(a) != hash_of(b));
}

TEST_CASE("fields longer than the buffer count whole, wherever they differ") {
  std::set<std::uint64_t> hashes;
  std::size_t variants = 0;
  for (const std::size_t size : {400, 480, 500, 512, 513, 600, 5'000}) {
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
      std::string bytes(size, 'x');
      bytes[at] = 'y';
      Stored in_value, in_id;
      in_value.value = bytes;
      in_id.id = bytes;
      hashes.insert(hash_of(in_value));
      hashes.insert(hash_of(in_id));
      CHECK(hash_of(in_id) == hash_of(in_id));
      variants += 2;
    }
  }
  // Fields behind a long one count too.
  const std::string bytes(511, 'x');
  for (const std::int64_t number : {1, 2}) {
    Stored event;
    event.id = bytes;
    event.size = number;
    hashes.insert(hash_of(event));
    ++variants;
  }
  CHECK(hashes.size() == variants);
}

struct Lines final : TraceSink {
  std::vector<std::string> seen;
  void event(const When& when, std::string_view name, std::span<const Field> fields) override {
    std::string line = fmt::format("{} {}", when.step, name);
    for (const Field& field : fields) {
      line.append(" ").append(field.key).append("=");
      switch (field.kind) {
        case Field::Kind::integer: line += std::to_string(field.integer); break;
        case Field::Kind::boolean: line += field.integer != 0 ? "yes" : "no"; break;
        case Field::Kind::bytes: line.append("'").append(field.bytes).append("'"); break;
        case Field::Kind::absent: line += "absent"; break;
      }
    }
    seen.push_back(line);
  }
};

TEST_CASE("a sink gets every field in order, and listening changes no hash") {
  Bench silent, heard;
  Lines lines;
  heard.trace.listen(&lines);
  Stored event;
  event.token.reset();
  silent.trace.note(first, event);
  heard.trace.note(first, event);
  heard.trace.listen(nullptr);
  silent.trace.note(first, Stored{});
  heard.trace.note(first, Stored{});
  CHECK(silent.trace.hash() == heard.trace.hash());
  CHECK(lines.seen ==
        std::vector<std::string>{"1 stored id='USR0KHTOWnGLuC' size=12 fresh=yes token=absent value='bytes'"});
}

struct NotesAtDeath {
  Bench* bench;
  explicit NotesAtDeath(Bench* b) : bench(b) {}
  NotesAtDeath(const NotesAtDeath&) = delete;
  NotesAtDeath& operator=(const NotesAtDeath&) = delete;
  ~NotesAtDeath() { CHECK_FALSE(bench->trace.note(bench->trace.when(actor_first_node), Stored{})); }
};

Task<void> sleeper(Bench& b) {
  const NotesAtDeath guard(&b);
  co_await b.scheduler.sleep(1'000);
}

TEST_CASE("guards of a dying frame note nothing") {
  Bench b;
  const FiberId fiber = b.scheduler.spawn(actor_first_node, sleeper(b));
  while (b.scheduler.step(10)) {
  }
  const std::uint64_t before = b.trace.hash();
  b.scheduler.kill(fiber);
  CHECK(b.trace.hash() == before);
  CHECK(b.trace.events() == 0);
}

Task<void> nothing() { co_return; }

TEST_CASE("the hash covers the schedule, even where no event is noted") {
  Bench a, b;
  a.scheduler.spawn(actor_first_node, nothing());
  a.scheduler.step(10);
  CHECK(a.trace.hash() != b.trace.hash());
}

// A field whose text is made on the spot must outlive the visit: the sink sees all fields at once.
struct MadeTexts {
  static constexpr std::string_view name = "made";
  template <class V>
  void fields(V&& visit) const {
    visit("first", std::string(40, 'a'));
    visit("second", std::string(40, 'b'));
  }
};

TEST_CASE("texts made for a field live until the sink has seen them") {
  struct Sink final : TraceSink {
    void event(const When&, std::string_view, std::span<const Field> fields) override {
      for (const Field& field : fields) seen += std::string(field.bytes);
    }
    std::string seen;
  };
  Bench b;
  Sink sink;
  b.trace.listen(&sink);
  b.trace.note(b.trace.when(actor_first_node), MadeTexts{});
  CHECK(sink.seen == std::string(40, 'a') + std::string(40, 'b'));
}

}  // namespace
}  // namespace cohsim
