// A scenario as data: what runs, what goes wrong, what is checked and what is expected. Loaded from a Lua file by
// scenario_loader.h; printed first in every replay.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/faults.h"
#include "sim/choices.h"
#include "sim/time.h"

namespace cohsim {

enum class Lane : std::uint8_t { none, broadcast, job };
enum class Receiver : std::uint8_t { l1_and_l2, l1 };
enum class Fanout : std::uint8_t { shared, per_node };
enum class FillWrite : std::uint8_t { unconditional, newer_only, lease };
enum class FillVersion : std::uint8_t { start, source };
enum class PutWrite : std::uint8_t { unconditional, newer_only };
enum class AfterDrop : std::uint8_t { nothing, floor };
enum class MintCell : std::uint8_t { volatile_, persisted };
enum class JobToken : std::uint8_t { attempts, unique };
enum class JournalKind : std::uint8_t { model, sqlite };

/// One cached table. Defaults are EchoStore's (domain.md section 3).
struct TableSettings {
  std::string name;
  std::string kind;                       ///< namespace of its ids, three of A-Z
  Lane lane = Lane::broadcast;
  DurationUs ttl_us = 5 * us_per_s;
  Ppm jitter_ppm = 100'000;               ///< row lifetime = ttl ± ttl·jitter
  std::uint32_t max_size = 100'000;
  DurationUs sweep_us = us_per_s;
  std::uint32_t ring_capacity = 4096;
  std::uint32_t names = 1;                ///< how many names the workload uses
};

/// Weights of the workload's operations; 0: never.
struct Mix {
  std::uint32_t put = 3;
  std::uint32_t fetch = 10;
  std::uint32_t invalidate = 0;
  std::uint32_t replay = 0;
  std::uint32_t compact = 0;
  std::uint32_t drop_l2 = 0;    ///< run :coherence_drop with a version seen before or minted now
  std::uint32_t message = 0;    ///< a hand-made message: an old one again, or bytes that are none
  std::uint32_t corrupt = 0;    ///< a raw SET of a short or mangled frame
};

struct WorkloadSettings {
  std::uint32_t operations = 0;
  DurationUs over_us = 60 * us_per_s;
  Mix mix;
};

struct LoaderSettings {
  DurationRange latency{us_per_ms, 20 * us_per_ms};
};

struct Expectation {
  std::optional<std::string> violates;    ///< nullopt: "holds"
  std::vector<std::string> also;
};

struct Quarantine {
  std::string until;                      ///< ISO date, inclusive
  std::string because;
};

/// Settings of the system under test (scenario-format.md). Those that are not built yet have no field; the loader says so.
struct Design {
  /// Name of a bundled script, or a file's path. The loader names the variant that `after_drop` or `fill_write` needs
  /// where the scenario names none.
  std::string script = "coherence_drop";
  std::string collate = "C";
  std::string emulate = "valkey-8";       ///< --emulate: a name of valkey/personality.h; no key of scenarios
  Receiver receiver = Receiver::l1_and_l2;
  Fanout fanout = Fanout::shared;
  FillWrite fill_write = FillWrite::unconditional;
  FillVersion fill_version = FillVersion::start;
  PutWrite put_write = PutWrite::unconditional;
  AfterDrop after_drop = AfterDrop::nothing;
  MintCell mint = MintCell::volatile_;
  JobToken token = JobToken::attempts;
  std::vector<std::uint32_t> node_numbers;  ///< of the nodes, in their order; empty: 1, 2, …
  JournalKind journal = JournalKind::model;
  std::string start = "2026-01-01";       ///< wall clock at the beginning of the run: "YYYY-MM-DD" or "YYYY-MM-DDTHH:MM:SSZ"
  std::int64_t start_unix_ms = 1'767'225'600'000;  ///< the same in Unix milliseconds
  std::vector<std::string> version_kinds; ///< empty: the table's own kind
  std::uint32_t burst = 0;                ///< mints per millisecond that a workload aims at; 0: no bursts
};

/// What a measure of every run must lie within, both ends included.
struct Bound {
  std::string measure;
  std::uint32_t low = 0, high = 0;
  friend bool operator==(const Bound&, const Bound&) = default;
};

struct Scenario {
  std::string name;
  std::string path;                       ///< as given on the command line, for messages and reproduction commands
  int line = 0;                           ///< where `scenario {` stands
  std::shared_ptr<const std::string> text;  ///< the whole file, from which ScenarioScript is made; null: made by hand
  std::size_t place = 0;                  ///< among the scenarios of its file, from 0
  std::string about;
  std::string source;
  std::vector<std::string> nodes;
  std::vector<TableSettings> tables;      ///< in name order
  WorkloadSettings workload;
  Faults faults;
  LoaderSettings loader;
  Design design;
  std::vector<std::string> check;         ///< properties beyond the guarantees
  DurationUs staleness_bound_us = 0;      ///< of staleness_bounded, in place of what the ttl gives; 0: that
  std::vector<Bound> bounds;              ///< in name order
  Expectation expect;
  std::optional<Quarantine> quarantine;
  bool has_steps = false;
  std::vector<std::string> invariants;    ///< names, in name order
};

}  // namespace cohsim
