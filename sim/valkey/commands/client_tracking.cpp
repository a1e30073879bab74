// CLIENT TRACKING, CACHING, TRACKINGINFO, GETREDIR (networking.c, tracking.c).
#include <algorithm>
#include <fmt/format.h>

#include "sim/valkey/commands/client_commands.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

/// Reads what follows ON or OFF; false with the error written.
bool read_options(CommandCall& call, TrackingState& wanted) {
  for (std::size_t place = 3; place < call.args.size(); ++place) {
    const std::string_view word = call.args[place];
    const bool more = place + 1 < call.args.size();
    if (is_word(word, "REDIRECT") && more) {
      if (wanted.redirect != 0) {
        call.reply.error("ERR A client can only redirect to a single other client");
        return false;
      }
      const auto id = read_integer(call.args[++place]);
      if (!id) {
        call.reply.error(errors::not_integer);
        return false;
      }
      wanted.redirect = static_cast<ClientId>(*id);
      if (!call.server.clients.contains(wanted.redirect)) {
        call.reply.error("ERR The client ID you want redirect to does not exist");
        return false;
      }
    } else if (is_word(word, "BCAST")) {
      wanted.broadcast = true;
    } else if (is_word(word, "OPTIN")) {
      wanted.opt_in = true;
    } else if (is_word(word, "OPTOUT")) {
      wanted.opt_out = true;
    } else if (is_word(word, "NOLOOP")) {
      wanted.no_loop = true;
    } else if (is_word(word, "PREFIX") && more) {
      wanted.prefixes.emplace_back(call.args[++place]);
    } else {
      call.reply.error(errors::syntax);
      return false;
    }
  }
  return true;
}

bool overlap(std::string_view one, std::string_view other) { return one.starts_with(other) || other.starts_with(one); }

std::string collision(const std::vector<std::string>& wanted, const std::vector<std::string>& existing) {
  constexpr std::string_view ending = "Prefixes for a single client must not overlap.";
  for (std::size_t place = 0; place < wanted.size(); ++place) {
    for (const std::string& prefix : existing) {
      if (overlap(wanted[place], prefix)) {
        return fmt::format("ERR Prefix '{}' overlaps with an existing prefix '{}'. {}", wanted[place], prefix, ending);
      }
    }
    for (std::size_t other = place + 1; other < wanted.size(); ++other) {
      if (overlap(wanted[place], wanted[other])) {
        return fmt::format("ERR Prefix '{}' overlaps with another provided prefix '{}'. {}", wanted[place],
                           wanted[other], ending);
      }
    }
  }
  return {};
}

/// Why tracking cannot be switched on so, in the order of networking.c; empty where it can.
std::string objection(const TrackingState& now, const TrackingState& wanted) {
  if (!wanted.broadcast && !wanted.prefixes.empty()) return "ERR PREFIX option requires BCAST mode to be enabled";
  if (now.on && now.broadcast != wanted.broadcast) {
    return "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and then re-enabling it "
           "with a different mode.";
  }
  if (wanted.broadcast && (wanted.opt_in || wanted.opt_out)) return "ERR OPTIN and OPTOUT are not compatible with BCAST";
  if (wanted.opt_in && wanted.opt_out) return "ERR You can't specify both OPTIN mode and OPTOUT mode";
  if ((wanted.opt_in && now.opt_out) || (wanted.opt_out && now.opt_in)) {
    return "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then re-enabling it "
           "with a different mode.";
  }
  return wanted.broadcast ? collision(wanted.prefixes, now.prefixes) : std::string();
}

void start(ServerState& server, Client& client, TrackingState wanted) {
  if (!client.tracking.on) ++server.tracking.clients;
  if (wanted.broadcast && wanted.prefixes.empty()) wanted.prefixes.emplace_back();
  for (const std::string& prefix : wanted.prefixes) server.tracking.add_prefix(client.id, prefix);
  for (std::string& prefix : client.tracking.prefixes) wanted.prefixes.push_back(std::move(prefix));
  std::sort(wanted.prefixes.begin(), wanted.prefixes.end());
  wanted.on = true;
  wanted.caching = client.tracking.caching;
  client.tracking = std::move(wanted);
}

}  // namespace

void run_client_tracking(CommandCall& call) {
  TrackingState wanted;
  if (!read_options(call, wanted)) return;
  if (is_word(call.args[2], "ON")) {
    std::string reason = objection(call.client.tracking, wanted);
    if (!reason.empty()) return call.reply.error(call.reply.keep(std::move(reason)));
    start(call.server, call.client, std::move(wanted));
  } else if (is_word(call.args[2], "OFF")) {
    call.server.stop_tracking(call.client);
  } else {
    return call.reply.error(errors::syntax);
  }
  call.reply.status("OK");
}

void run_client_caching(CommandCall& call) {
  TrackingState& state = call.client.tracking;
  if (!state.on) {
    return call.reply.error(
        "ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT mode enabled");
  }
  const bool yes = is_word(call.args[2], "YES");
  if (!yes && !is_word(call.args[2], "NO")) return call.reply.error(errors::syntax);
  if (yes && !state.opt_in) {
    return call.reply.error("ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.");
  }
  if (!yes && !state.opt_out) {
    return call.reply.error("ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.");
  }
  state.caching = true;
  call.reply.status("OK");
}

void run_client_getredir(CommandCall& call) {
  const TrackingState& state = call.client.tracking;
  call.reply.integer(state.on ? static_cast<std::int64_t>(state.redirect) : -1);
}

void run_client_trackinginfo(CommandCall& call) {
  const TrackingState& state = call.client.tracking;
  call.reply.map(3);
  call.reply.bulk("flags");
  const std::size_t place = call.reply.size();
  call.reply.set(0);
  call.reply.bulk(state.on ? "on" : "off");
  if (state.broadcast) call.reply.bulk("bcast");
  if (state.opt_in) call.reply.bulk("optin");
  if (state.opt_in && state.caching) call.reply.bulk("caching-yes");
  if (state.opt_out) call.reply.bulk("optout");
  if (state.opt_out && state.caching) call.reply.bulk("caching-no");
  if (state.no_loop) call.reply.bulk("noloop");
  if (state.redirect_broken) call.reply.bulk("broken_redirect");
  call.reply.set_items(place, call.reply.size() - place - 1);
  call.reply.bulk("redirect");
  call.reply.integer(state.on ? static_cast<std::int64_t>(state.redirect) : -1);
  call.reply.bulk("prefixes");
  call.reply.array(state.prefixes.size());
  for (const std::string& prefix : state.prefixes) call.reply.bulk(call.reply.keep(prefix));
}

}  // namespace cohsim::valkey
