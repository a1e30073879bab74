// HELLO, AUTH, RESET, QUIT (networking.c, acl.c).
#include <array>
#include <fmt/format.h>

#include "sim/valkey/command.h"
#include "sim/valkey/integer_text.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

constexpr std::string_view wrong_password = "WRONGPASS invalid username-password pair or user is disabled.";

/// There is one user, "default"; without `requirepass` every password is right.
bool is_right(CommandCall& call, std::string_view user, std::string_view password) {
  const std::string& wanted = call.server.config.requirepass;
  return user == "default" && (wanted.empty() || password == wanted);
}

void run_auth(CommandCall& call) {
  if (call.args.size() > 3) return call.reply.error(errors::syntax);
  const bool named = call.args.size() == 3;
  if (!named && call.server.config.requirepass.empty()) {
    return call.reply.error(
        "ERR AUTH <password> called without any password configured for the default user. Are you sure your "
        "configuration is correct?");
  }
  if (!is_right(call, named ? call.args[1] : "default", call.args.back())) return call.reply.error(wrong_password);
  call.client.authenticated = true;
  call.reply.status("OK");
}

struct Greeting {
  std::int64_t version = 0;
  std::optional<std::pair<std::string_view, std::string_view>> login;
  std::optional<std::string_view> name;
};

/// Writes the error and answers false where an option is wrong.
bool read_greeting(CommandCall& call, Greeting& greeting) {
  if (call.args.size() > 1) {
    const auto version = read_integer(call.args[1]);
    if (!version) {
      call.reply.error("ERR Protocol version is not an integer or out of range");
      return false;
    }
    greeting.version = *version;
    if (*version < 2 || *version > 3) {
      call.reply.error("NOPROTO unsupported protocol version");
      return false;
    }
  }
  for (std::size_t place = 2; place < call.args.size(); ++place) {
    const std::size_t more = call.args.size() - 1 - place;
    if (is_word(call.args[place], "AUTH") && more >= 2) {
      greeting.login = std::pair(call.args[place + 1], call.args[place + 2]);
      place += 2;
    } else if (is_word(call.args[place], "SETNAME") && more >= 1) {
      greeting.name = call.args[++place];
      if (!check_client_text(call, "Client names", *greeting.name)) return false;
    } else {
      const std::string option = c_text(call.args[place]);
      call.reply.error(call.reply.keep(fmt::format("ERR Syntax error in HELLO option '{}'", option)));
      return false;
    }
  }
  return true;
}

void run_hello(CommandCall& call) {
  Greeting greeting;
  if (!read_greeting(call, greeting)) return;
  if (greeting.login) {
    if (!is_right(call, greeting.login->first, greeting.login->second)) return call.reply.error(wrong_password);
    call.client.authenticated = true;
  }
  if (call.server.needs_password(call.client)) {
    return call.reply.error(call.reply.keep(
        fmt::format("NOAUTH HELLO must be called with the client already authenticated, otherwise the {} option can be "
                    "used to authenticate the client and select the RESP protocol version at the same time",
                    call.server.personality().hello_login)));
  }
  if (greeting.name) call.client.name = *greeting.name;
  if (greeting.version != 0) call.client.protocol = greeting.version == 2 ? Protocol::resp2 : Protocol::resp3;
  const Personality& personality = call.server.personality();
  call.reply.map(7);
  call.reply.bulk("server");
  call.reply.bulk(personality.server);
  call.reply.bulk("version");
  call.reply.bulk(personality.version);
  call.reply.bulk("proto");
  call.reply.integer(call.client.protocol == Protocol::resp2 ? 2 : 3);
  call.reply.bulk("id");
  call.reply.integer(static_cast<std::int64_t>(call.client.id));
  call.reply.bulk("mode");
  call.reply.bulk(call.server.settings.cluster ? "cluster" : "standalone");
  call.reply.bulk("role");
  call.reply.bulk("master");
  call.reply.bulk("modules");
  call.reply.array(0);
}

void run_reset(CommandCall& call) {
  call.server.reset(call.client);
  call.reply.status("RESET");
}

void run_quit(CommandCall& call) {
  call.client.closing = true;
  call.reply.status("OK");
}

constexpr int handshake_flags = flag_noscript | flag_no_auth | flag_allow_busy;

constexpr std::array table = {
    Command{"AUTH", -2, handshake_flags, no_keys, run_auth},
    Command{"HELLO", -1, handshake_flags, no_keys, run_hello},
    Command{"QUIT", -1, handshake_flags | flag_in_subscribed | flag_in_multi, no_keys, run_quit},
    Command{"RESET", 1, handshake_flags | flag_in_subscribed | flag_in_multi, no_keys, run_reset},
};

}  // namespace

std::span<const Command> handshake_commands() { return table; }

}  // namespace cohsim::valkey
