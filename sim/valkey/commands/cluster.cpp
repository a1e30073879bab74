// CLUSTER and its kin (cluster.c): one node that has every slot, where `Settings::cluster` says so.
#include <array>
#include <fmt/format.h>

#include "sim/valkey/command.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"
#include "sim/valkey/slots.h"

namespace cohsim::valkey {

namespace {

constexpr std::string_view node_id = "0000000000000000000000000000000000000001";

/// False, with the error written, where the server is no cluster's.
bool is_cluster(CommandCall& call) {
  if (!call.server.settings.cluster) call.reply.error("ERR This instance has cluster support disabled");
  return call.server.settings.cluster;
}

void run_info(CommandCall& call) {
  if (!is_cluster(call)) return;
  call.reply.verbatim(
      "txt:cluster_state:ok\r\ncluster_slots_assigned:16384\r\ncluster_slots_ok:16384\r\ncluster_slots_pfail:0\r\n"
      "cluster_slots_fail:0\r\ncluster_known_nodes:1\r\ncluster_size:1\r\ncluster_current_epoch:0\r\n"
      "cluster_my_epoch:0\r\ncluster_stats_messages_sent:0\r\ncluster_stats_messages_received:0\r\n"
      "total_cluster_links_buffer_limit_exceeded:0\r\n");
}

void run_keyslot(CommandCall& call) {
  if (is_cluster(call)) call.reply.integer(key_slot(call.args[2]));
}

void run_myid(CommandCall& call) {
  if (is_cluster(call)) call.reply.bulk(node_id);
}

bool is_slot(std::int64_t slot) { return slot >= 0 && slot < slot_count; }

void run_countkeysinslot(CommandCall& call) {
  if (!is_cluster(call)) return;
  const auto slot = read_integer(call.args[2]);
  if (!slot) return call.reply.error(errors::not_integer);
  if (!is_slot(*slot)) return call.reply.error("ERR Invalid slot");
  std::int64_t found = 0;
  for (const auto& [key, row] : call.server.keyspace.rows(0)) found += key_slot(key) == *slot ? 1 : 0;
  call.reply.integer(found);
}

void run_getkeysinslot(CommandCall& call) {
  if (!is_cluster(call)) return;
  const auto slot = read_integer(call.args[2]);
  const auto count = read_integer(call.args[3]);
  if (!slot || !count) return call.reply.error(errors::not_integer);
  if (!is_slot(*slot) || *count < 0) return call.reply.error("ERR Invalid slot or number of keys");
  const std::size_t place = call.reply.size();
  call.reply.array(0);
  std::int64_t found = 0;
  for (const auto& [key, row] : call.server.keyspace.rows(0)) {
    if (found == *count) break;
    if (key_slot(key) != *slot) continue;
    call.reply.bulk(key);
    ++found;
  }
  call.reply.set_items(place, static_cast<std::size_t>(found));
}

void run_slots(CommandCall& call) {
  if (!is_cluster(call)) return;
  call.reply.array(1);
  call.reply.array(3);
  call.reply.integer(0);
  call.reply.integer(slot_count - 1);
  call.reply.array(4);
  call.reply.bulk("127.0.0.1");
  call.reply.integer(6379);
  call.reply.bulk(node_id);
  call.reply.array(0);
}

void run_nodes(CommandCall& call) {
  if (!is_cluster(call)) return;
  call.reply.verbatim(call.reply.keep(
      fmt::format("txt:{} 127.0.0.1:6379@16379 myself,master - 0 0 0 connected 0-16383\n", node_id)));
}

/// READONLY, READWRITE, ASKING: nothing to do where one node has all.
void run_mode(CommandCall& call) {
  if (is_cluster(call)) call.reply.status("OK");
}

void run_other(CommandCall& call) {
  if (!is_cluster(call)) return;
  call.server.remember_not_simulated(call.command.name, "");
  call.reply.error(call.reply.keep(fmt::format("ERR '{}' is not simulated", call.command.name)));
}

constexpr Command other(std::string_view name, int arity) { return {name, arity, flag_none, no_keys, run_other}; }

constexpr std::array cluster_table = {
    other("CLUSTER|ADDSLOTS", -3), other("CLUSTER|ADDSLOTSRANGE", -4), other("CLUSTER|BUMPEPOCH", 2),
    other("CLUSTER|COUNT-FAILURE-REPORTS", 3), other("CLUSTER|DELSLOTS", -3), other("CLUSTER|DELSLOTSRANGE", -4),
    other("CLUSTER|FAILOVER", -2), other("CLUSTER|FLUSHSLOTS", 2), other("CLUSTER|FORGET", 3), other("CLUSTER|HELP", 2),
    other("CLUSTER|LINKS", 2), other("CLUSTER|MEET", -4), other("CLUSTER|REPLICAS", 3), other("CLUSTER|REPLICATE", 3),
    other("CLUSTER|RESET", -2), other("CLUSTER|SAVECONFIG", 2), other("CLUSTER|SET-CONFIG-EPOCH", 3),
    other("CLUSTER|SETSLOT", -4), other("CLUSTER|SHARDS", 2), other("CLUSTER|SLAVES", 3),
    Command{"CLUSTER|COUNTKEYSINSLOT", 3, flag_none, no_keys, run_countkeysinslot},
    Command{"CLUSTER|GETKEYSINSLOT", 4, flag_none, no_keys, run_getkeysinslot},
    Command{"CLUSTER|INFO", 2, flag_none, no_keys, run_info},
    Command{"CLUSTER|KEYSLOT", 3, flag_none, no_keys, run_keyslot},
    Command{"CLUSTER|MYID", 2, flag_none, no_keys, run_myid},
    Command{"CLUSTER|NODES", 2, flag_none, no_keys, run_nodes},
    Command{"CLUSTER|SLOTS", 2, flag_none, no_keys, run_slots},
};

constexpr std::array table = {
    Command{"ASKING", 1, flag_none, no_keys, run_mode},
    Command{"CLUSTER", -2, flag_none, no_keys, nullptr, cluster_table},
    Command{"READONLY", 1, flag_none, no_keys, run_mode},
    Command{"READWRITE", 1, flag_none, no_keys, run_mode},
};

}  // namespace

std::span<const Command> cluster_commands() { return table; }

}  // namespace cohsim::valkey
