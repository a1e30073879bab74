// The keys of scenario files, each declared once.
#include "model/scenario_fields.h"

namespace cohsim::scenario_file {

namespace {

constexpr std::uint32_t million = 1'000'000;

Specs<TableSettings> table_specs() {
  using T = TableSettings;
  Specs<T> specs;
  specs.push_back({"kind", "three letters A-Z", "Namespace of the table's ids. Must be given.",
                   [](Reading& r, const std::string& key, const lua::Value& v, T& into) {
                     const std::string* text = v.string();
                     if (text == nullptr || !is_kind(*text)) return r.wrong_type(key, "three letters A-Z", v);
                     if (*text == "JOB") return r.problem(key, "\"JOB\" is the namespace of job ids; take another");
                     into.kind = *text;
                   }});
  specs.push_back(choice("lane", &T::lane, {{"none", Lane::none}, {"broadcast", Lane::broadcast}, {"job", Lane::job}},
                         "How nodes hear of writes: not at all, at most once, or at least once."));
  specs.push_back(duration("ttl", &T::ttl_us, us_per_ms, "Life of a row in L1 (give or take jitter) and in L2."));
  specs.push_back(probability("jitter", &T::jitter_ppm, "A row of L1 lives ttl ± ttl·jitter."));
  specs.push_back(count("max_size", &T::max_size, 1, million, "Rows that one node's L1 holds at most."));
  specs.push_back(duration("sweep", &T::sweep_us, us_per_ms, "How often expired rows are swept from L1."));
  specs.push_back(count("ring_capacity", &T::ring_capacity, 1, million, "Messages that a node's ring holds at most."));
  specs.push_back(count("names", &T::names, 1, million, "How many names the workload uses."));
  return specs;
}

Specs<Mix> mix_specs() {
  const auto weight = [](std::string name, std::uint32_t Mix::*member, const std::string& meaning) {
    return count(std::move(name), member, 0, million, meaning + " (a weight; 0 for what a given mix does not name)");
  };
  return {weight("put", &Mix::put, "Mint, commit, put, announce."),
          weight("fetch", &Mix::fetch, "Read a name through both layers."),
          weight("invalidate", &Mix::invalidate, "The admin override: DEL and removal."),
          weight("replay", &Mix::replay, "Replay a journal."),
          weight("compact", &Mix::compact, "Compact a journal."),
          weight("drop_l2", &Mix::drop_l2, "Run the script with a version seen before or minted now."),
          weight("message", &Mix::message, "A message by hand: an old one again, or bytes that are none."),
          weight("corrupt", &Mix::corrupt, "A raw SET of a short or mangled frame.")};
}

Specs<WorkloadSettings> workload_specs() {
  using T = WorkloadSettings;
  Specs<T> specs;
  specs.push_back(count("operations", &T::operations, 0, million, "How many operations are drawn."));
  specs.push_back(duration("over", &T::over_us, us_per_ms, "The span of virtual time that they are spread over."));
  Spec<T> mix = section("mix", &T::mix, mix_specs(), "Weights of the operations.");
  mix.read = [](Reading& r, const std::string& key, const lua::Value& v, T& into) {
    into.mix = Mix{0, 0, 0, 0, 0, 0, 0, 0};  // a mix that is given is the whole mix
    read_section(r, key, v, mix_specs(), into.mix);
  };
  specs.push_back(std::move(mix));
  return specs;
}

Specs<LoaderSettings> loader_specs() {
  return {range("latency", &LoaderSettings::latency, false, "How long the source of truth takes to answer.")};
}

Specs<Expectation> expect_specs() {
  using T = Expectation;
  Specs<T> specs;
  specs.push_back({"violates", "property", "The property that at least one seed must violate.",
                   [](Reading& r, const std::string& key, const lua::Value& v, T& into) {
                     std::string name;
                     if (read_identifier(r, key, v, name)) into.violates = name;
                   }});
  specs.push_back(
      {"also", "list of properties", "Properties that may be violated along with it.",
       [](Reading& r, const std::string& key, const lua::Value& v, T& into) { read_texts(r, key, v, into.also); }});
  return specs;
}

Specs<Quarantine> quarantine_specs() {
  using T = Quarantine;
  Specs<T> specs;
  specs.push_back({"until", "date", "The last day on which a failure does not fail the gate.",
                   [](Reading& r, const std::string& key, const lua::Value& v, T& into) {
                     const std::string* text = v.string();
                     if (text == nullptr || text->size() != 10 || !parse_date(*text)) {
                       return r.wrong_type(key, "a date \"YYYY-MM-DD\"", v);
                     }
                     into.until = *text;
                   }});
  specs.push_back(text("because", &T::because, "Why."));
  return specs;
}

/// A spec of a member's member, so that keys of one struct can stand at the top level of a file.
template <class S>
Specs<Scenario> lifted(const Specs<S>& specs, S Scenario::*member) {
  Specs<Scenario> all;
  for (const Spec<S>& spec : specs) {
    Spec<Scenario> up{spec.name, spec.type, spec.meaning, {}, {}, spec.built};
    up.read = [member, read = spec.read](Reading& r, const std::string& key, const lua::Value& v, Scenario& into) {
      read(r, key, v, into.*member);
    };
    if (spec.show) up.show = [member, show = spec.show](const Scenario& defaults) { return show(defaults.*member); };
    all.push_back(std::move(up));
  }
  return all;
}

void read_numbers(Reading& reading, const std::string& key, const lua::Value& value, Design& into) {
  const lua::Table* table = value.table();
  if (table == nullptr) return reading.wrong_type(key, "a list of whole numbers, as in { 1, 2 }", value);
  std::uint32_t place = 0;
  for (const auto& [index, item] : table->entries) {
    ++place;
    if (index.number() == nullptr || *index.number() != place) {
      return reading.wrong_type(key, "a list of whole numbers, as in { 1, 2 }", value);
    }
    std::uint32_t number = 0;
    constexpr std::uint32_t number_max = 1023;  // ten bits of a snowflake
    if (!read_count(reading, key + "[" + std::to_string(place) + "]", item, 0, number_max, number)) return;
    into.node_numbers.push_back(number);
  }
}

Specs<Design> design_specs() {
  using T = Design;
  Specs<T> specs;
  specs.push_back(text("script", &T::script, "A script of lua/scripts, a file, or file.ex:name."));
  specs.push_back(text("collate", &T::collate, "Locale of string comparison in scripts; \"C\" compares bytes."));
  specs.push_back(choice("receiver", &T::receiver, {{"l1+l2", Receiver::l1_and_l2}, {"l1", Receiver::l1}},
                         "What a coherence message does at its receiver."));
  specs.push_back(choice("fanout", &T::fanout, {{"shared", Fanout::shared}, {"per_node", Fanout::per_node}},
                         "One queue a table, or one a node."));
  specs.push_back(choice("fill_write", &T::fill_write,
                         {{"unconditional", FillWrite::unconditional}, {"newer_only", FillWrite::newer_only},
                          {"lease", FillWrite::lease}},
                         "How a fill writes: over anything, over older rows, or while its lease stands."));
  specs.push_back(choice("fill_version", &T::fill_version,
                         {{"start", FillVersion::start}, {"source", FillVersion::source}},
                         "A fill's version: minted as it starts, or the one that the source of truth holds."));
  specs.push_back(choice("put_write", &T::put_write,
                         {{"unconditional", PutWrite::unconditional}, {"newer_only", PutWrite::newer_only}},
                         "How a put writes: over anything, or over older rows."));
  specs.push_back(choice("after_drop", &T::after_drop, {{"nothing", AfterDrop::nothing}, {"floor", AfterDrop::floor}},
                         "What a drop leaves in L2: nothing, or for 10 s a floor that no older \"newer_only\" write passes."));
  specs.push_back(choice("journal", &T::journal, {{"model", JournalKind::model}, {"sqlite", JournalKind::sqlite}},
                         "What keeps the journal: a log of our own, or SQLite itself; both answer alike."));
  specs.push_back(not_yet<T>("bus", {"model", "lua"}, "What runs the job lane."));
  specs.push_back(choice("mint", &T::mint, {{"volatile", MintCell::volatile_}, {"persisted", MintCell::persisted}},
                         "Whether a node's generator of versions survives its restarts."));
  specs.push_back(choice("token", &T::token, {{"attempts", JobToken::attempts}, {"unique", JobToken::unique}},
                         "What fences a claim of a job: its attempts, or a number used once."));
  specs.push_back({"node_numbers", "list of whole numbers",
                   "What the nodes mint with, in their order; without it 1, 2, … Two may share one.", read_numbers});
  specs.push_back({"start", "date", "Wall clock at the beginning: \"YYYY-MM-DD\" or \"YYYY-MM-DDTHH:MM:SSZ\".",
                   [](Reading& r, const std::string& key, const lua::Value& v, T& into) {
                     const std::string* text = v.string();
                     const auto date = text == nullptr ? std::nullopt : parse_date(*text);
                     if (!date) {
                       return r.wrong_type(key, "a date from 2024 to 2090, \"YYYY-MM-DD\" or \"YYYY-MM-DDTHH:MM:SSZ\"",
                                           v);
                     }
                     into.start = *text;
                     into.start_unix_ms = *date;
                   },
                   [](const T& defaults) { return "\"" + defaults.start + "\""; }});
  specs.push_back(
      {"version_kinds", "list of kinds", "Namespaces that versions are minted in; without it the table's own.",
       [](Reading& r, const std::string& key, const lua::Value& v, T& into) {
         if (!read_texts(r, key, v, into.version_kinds)) return;
         for (std::size_t i = 0; i < into.version_kinds.size(); ++i) {
           if (is_kind(into.version_kinds[i])) continue;
           r.wrong_type(key + "[" + std::to_string(i + 1) + "]", "three letters A-Z", into.version_kinds[i]);
         }
       }});
  specs.push_back(
      count("burst", &T::burst, 0, 100'000, "Mints per millisecond that the workload aims at; 0: no bursts."));
  return specs;
}

void read_tables(Reading& reading, const std::string& key, const lua::Value& value, Scenario& into) {
  static const Specs<TableSettings> specs = table_specs();
  const lua::Table* table = value.table();
  if (table == nullptr) return reading.wrong_type(key, "a table { name = { kind = … } }", value);
  for (const auto& [name, settings] : table->entries) {
    TableSettings read;
    if (name.string() == nullptr) {
      reading.problem(key, "a table without a name; write { users = { kind = \"USR\" } }");
      continue;
    }
    if (!read_identifier(reading, key, name, read.name)) continue;
    const std::string path = key + "." + read.name;
    reading.given.insert(path);
    read_section(reading, path, settings, specs, read);
    if (settings.table() != nullptr && settings.table()->find("kind") == nullptr) {
      reading.problem(path, "needs a kind, as in kind = \"USR\"");
    }
    into.tables.push_back(std::move(read));
  }
  constexpr std::size_t tables_max = 32;
  if (into.tables.size() > tables_max) reading.problem(key, "at most " + std::to_string(tables_max) + " tables");
}

void read_nodes(Reading& reading, const std::string& key, const lua::Value& value, Scenario& into) {
  read_texts(reading, key, value, into.nodes);
  for (std::size_t i = 0; i < into.nodes.size(); ++i) {
    if (into.nodes[i] != "world" && into.nodes[i] != "server" && into.nodes[i] != "valkey") continue;
    reading.problem(key + "[" + std::to_string(i + 1) + "]",
                    "'" + into.nodes[i] + "' is not a node; take another name");
  }
  constexpr std::size_t nodes_max = max_actors - actor_first_node;
  if (into.nodes.size() > nodes_max) reading.problem(key, "at most " + std::to_string(nodes_max) + " nodes");
}

void read_expect(Reading& reading, const std::string& key, const lua::Value& value, Scenario& into) {
  if (const std::string* text = value.string(); text != nullptr && *text == "holds") return;
  if (value.table() == nullptr) return reading.wrong_type(key, "\"holds\" or { violates = NAME, also = { … } }", value);
  read_section(reading, key, value, expect_specs(), into.expect);
  if (value.table()->find("violates") == nullptr) reading.problem(key, "needs violates = NAME, or is \"holds\"");
}

void read_quarantine(Reading& reading, const std::string& key, const lua::Value& value, Scenario& into) {
  Quarantine read;
  read_section(reading, key, value, quarantine_specs(), read);
  if (value.table() == nullptr) return;
  for (const char* wanted : {"until", "because"}) {
    if (value.table()->find(wanted) == nullptr) reading.problem(key, std::string("needs ") + wanted + " = \"…\"");
  }
  into.quarantine = std::move(read);
}

void read_invariants(Reading& reading, const std::string& key, const lua::Value& value, Scenario& into) {
  if (value.table() == nullptr) return reading.wrong_type(key, "a table { name = function(w) … end }", value);
  for (const auto& [name, function] : value.table()->entries) {
    std::string read;
    if (!read_identifier(reading, key, name, read)) continue;
    if (function.function() == nullptr) {
      reading.wrong_type(key + "." + read, "a function of the world", function);
    } else {
      into.invariants.push_back(std::move(read));
    }
  }
}

void read_bounds(Reading& reading, const std::string& key, const lua::Value& value, Scenario& into) {
  constexpr const char* wanted = "a table { [\"measure\"] = { least, most } }";
  if (value.table() == nullptr) return reading.wrong_type(key, wanted, value);
  for (const auto& [name, range] : value.table()->entries) {
    const std::string* const measure = name.string();
    if (measure == nullptr) return reading.problem(key, std::string("is ") + wanted);
    const std::string place = key + "[" + lua::quoted(*measure) + "]";
    const std::vector<std::string>& known = reading.known.measures;
    if (!known.empty() && std::find(known.begin(), known.end(), *measure) == known.end()) {
      reading.problem(place, "is nothing that is counted" + hint(*measure, known));
      continue;
    }
    const lua::Table* const ends = range.table();
    if (ends == nullptr || !ends->is_list() || ends->entries.size() != 2) {
      reading.wrong_type(place, "{ least, most }, two whole numbers", range);
      continue;
    }
    Bound bound{*measure, 0, 0};
    constexpr std::uint32_t most = 4'000'000'000;
    if (!read_count(reading, place + "[1]", ends->entries[0].second, 0, most, bound.low)) continue;
    if (!read_count(reading, place + "[2]", ends->entries[1].second, bound.low, most, bound.high)) continue;
    into.bounds.push_back(std::move(bound));
  }
}

/// A section whose value is read by hand and whose keys are listed all the same.
template <class S>
Spec<Scenario> by_hand(std::string name, const std::string& prefix, Specs<S> specs, S defaults,
                       void (*read)(Reading&, const std::string&, const lua::Value&, Scenario&)) {
  Spec<Scenario> spec{std::move(name), "table", "", read, {}, true, {}};
  spec.list = [prefix, specs = std::move(specs), defaults](const std::string&, const Scenario&,
                                                           std::vector<SettingInfo>& out) {
    list_section(prefix, specs, defaults, out);
  };
  return spec;
}

Specs<Scenario> make_scenario_specs() {
  using T = Scenario;
  Specs<T> specs;
  specs.push_back({"name", "name",
                   "What the scenario is called; without it the file's stem. A list of scenarios needs it.",
                   [](Reading& r, const std::string& key, const lua::Value& v, T& into) {
                     read_identifier(r, key, v, into.name);
                   }});
  specs.push_back(text("about", &T::about, "One sentence: what happens here."));
  specs.push_back(text("source", &T::source, "Where the failure was described first."));
  specs.push_back({"nodes", "list of names", "The nodes. Must be given.", read_nodes});
  specs.push_back(by_hand("tables", "tables.NAME", table_specs(), TableSettings(), read_tables));
  specs.push_back(section("workload", &T::workload, workload_specs(), "Operations that are drawn."));
  specs.push_back(section("faults", &T::faults, fault_specs(), "What goes wrong, and how often."));
  specs.push_back(section("loader", &T::loader, loader_specs(), "The loader behind the caches."));
  specs.push_back(
      {"check", "list of properties", "Properties to check beyond the guarantees.",
       [](Reading& r, const std::string& key, const lua::Value& v, T& into) { read_texts(r, key, v, into.check); }});
  specs.push_back({"bounds", "table of { least, most }",
                   "What measures, faults and branches of every run must lie within; outside it `expectation` is violated.",
                   read_bounds});
  Spec<T> expect = by_hand("expect", "expect", expect_specs(), Expectation(), read_expect);
  expect.list = [list = expect.list](const std::string& key, const T& defaults, std::vector<SettingInfo>& out) {
    out.push_back({key, "\"holds\" or a table", "\"holds\"", "What must come out.", true});
    list(key, defaults, out);
  };
  specs.push_back(std::move(expect));
  specs.push_back(by_hand("quarantine", "quarantine", quarantine_specs(), Quarantine(), read_quarantine));
  specs.push_back({"steps", "function(s)", "What is done, step by step.",
                   [](Reading& r, const std::string& key, const lua::Value& v, T& into) {
                     if (v.function() == nullptr) return r.wrong_type(key, "a function of the steps", v);
                     into.has_steps = true;
                   }});
  specs.push_back({"invariants", "table of functions(w)", "Checked after every step: true, or false and a sentence.",
                   read_invariants});
  for (Spec<T>& spec : lifted(design_specs(), &T::design)) specs.push_back(std::move(spec));
  Spec<T> bound = duration("staleness_bound", &T::staleness_bound_us, us_per_ms,
                           "The bound of staleness_bounded, in place of ttl·(2 + jitter) and the longest flight.");
  bound.show = [](const T&) { return std::string("what the ttl gives"); };
  specs.push_back(std::move(bound));
  return specs;
}

}  // namespace

const Specs<Scenario>& scenario_specs() {
  static const Specs<Scenario> specs = make_scenario_specs();
  return specs;
}

}  // namespace cohsim::scenario_file

namespace cohsim {

std::vector<SettingInfo> settings_table() {
  std::vector<SettingInfo> settings;
  scenario_file::list_section(std::string(), scenario_file::scenario_specs(), Scenario(), settings);
  return settings;
}

}  // namespace cohsim
