// INFO (server.c): the fields that mean something here, in the order of a real server. Those are not all.
#include <algorithm>
#include <fmt/format.h>

#include "sim/valkey/commands/introspection.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

std::string server_section(const ServerState& server) {
  const Personality& personality = server.personality();
  std::string text = "# Server\r\n";
  // Valkey names itself beside the version of Redis that it is compatible with.
  if (personality.has_valkey_config) {
    text += fmt::format("redis_version:7.2.4\r\nserver_name:{}\r\nvalkey_version:{}\r\n", personality.server,
                        personality.version);
  } else {
    text += fmt::format("redis_version:{}\r\n", personality.version);
  }
  return text + fmt::format("redis_mode:{}\r\narch_bits:64\r\ntcp_port:6379\r\nserver_time_usec:{}\r\nconfig_file:\r\n",
                            server.settings.cluster ? "cluster" : "standalone", server.now_us);
}

std::string clients_section(const ServerState& server) {
  const auto blocked = std::count_if(server.clients.begin(), server.clients.end(),
                                     [](const auto& entry) { return entry.second.blocked; });
  return fmt::format(
      "# Clients\r\nconnected_clients:{}\r\ncluster_connections:0\r\nmaxclients:{}\r\nblocked_clients:{}\r\n"
      "tracking_clients:{}\r\n",
      server.clients.size(), server.config.value("maxclients"), blocked, server.tracking.clients);
}

std::string memory_section(const ServerState& server) {
  return fmt::format("# Memory\r\nused_memory:{}\r\nmaxmemory:{}\r\nmaxmemory_policy:{}\r\n", server.used_memory(),
                     server.config.value("maxmemory"), server.config.value("maxmemory-policy"));
}

std::string persistence_section(const ServerState&) {
  return "# Persistence\r\nloading:0\r\nrdb_bgsave_in_progress:0\r\naof_enabled:0\r\n";
}

std::string stats_section(const ServerState& server) {
  return fmt::format(
      "# Stats\r\ntotal_commands_processed:{}\r\npubsub_channels:{}\r\npubsub_patterns:{}\r\n"
      "pubsubshard_channels:{}\r\ntracking_total_keys:{}\r\ntracking_total_prefixes:{}\r\n",
      server.commands_run, server.subscriptions.active(Listening::channel).size(),
      server.subscriptions.active(Listening::pattern).size(), server.subscriptions.active(Listening::shard).size(),
      server.tracking.keys(), server.tracking.prefixes());
}

std::string replication_section(const ServerState&) {
  return "# Replication\r\nrole:master\r\nconnected_slaves:0\r\nmaster_failover_state:no-failover\r\n";
}

std::string cluster_section(const ServerState& server) {
  return fmt::format("# Cluster\r\ncluster_enabled:{}\r\n", server.settings.cluster ? 1 : 0);
}

std::string keyspace_section(const ServerState& server) {
  std::string text = "# Keyspace\r\n";
  for (int database = 0; database < Keyspace::databases; ++database) {
    const Keyspace::Rows& rows = server.keyspace.rows(database);
    const auto volatile_rows =
        std::count_if(rows.begin(), rows.end(), [](const auto& entry) { return entry.second.deadline_ms.has_value(); });
    if (!rows.empty()) {
      text += fmt::format("db{}:keys={},expires={},avg_ttl=0\r\n", database, rows.size(), volatile_rows);
    }
  }
  return text;
}

struct Section {
  std::string_view name;
  std::string (*text)(const ServerState&);
};

constexpr std::array sections = {
    Section{"SERVER", server_section},           Section{"CLIENTS", clients_section},
    Section{"MEMORY", memory_section},           Section{"PERSISTENCE", persistence_section},
    Section{"STATS", stats_section},             Section{"REPLICATION", replication_section},
    Section{"CLUSTER", cluster_section},         Section{"KEYSPACE", keyspace_section},
};

bool is_wanted(std::span<const std::string_view> words, std::string_view name) {
  if (words.empty()) return true;
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return is_word(word, name) || is_word(word, "DEFAULT") || is_word(word, "ALL") || is_word(word, "EVERYTHING");
  });
}

}  // namespace

void run_info(CommandCall& call) {
  std::string text;
  for (const Section& section : sections) {
    if (!is_wanted(call.args.subspan(1), section.name)) continue;
    if (!text.empty()) text += "\r\n";
    text += section.text(call.server);
  }
  // A real server ends with the empty line of the last section where there is any.
  call.reply.verbatim(call.reply.keep("txt:" + text));
}

}  // namespace cohsim::valkey
