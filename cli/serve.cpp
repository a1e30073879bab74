#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>

#include "cli/clock.h"
#include "cli/command.h"
#include "cli/inputs.h"
#include "lua/collation.h"
#include "lua/interpreter.h"
#include "serve/socket_server.h"

namespace cohsim::cli {
namespace {

struct Options {
  std::uint16_t port = 6379;
  std::string path, emulate = default_personality(), collate = "C";
};

volatile std::sig_atomic_t stopped = 0;

void stop_at_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { stopped = 1; };
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

ExitCode serve_clients(const Options& options) {
  serve::SocketServer::Settings settings;
  settings.port = options.port;
  settings.path = options.path;
  settings.now_us = wall_clock_us;  // clients expect keys to expire by their own clock
  settings.server.personality = &chosen_personality(options.emulate);
  settings.server.collate = options.collate;
  if (!lua::available(options.collate)) {
    throw UsageError(fmt::format("--collate {}: this machine lacks the locale (`locale -a` lists what it has)", options.collate));
  }
  lua::Interpreter interpreter;
  std::unique_ptr<serve::SocketServer> server;
  try {
    server = std::make_unique<serve::SocketServer>(interpreter, std::move(settings));
  } catch (const serve::SocketError& error) {
    throw UsageError(error.what());
  }
  stop_at_signals();
  std::cout << fmt::format("ready on 127.0.0.1:{}\n", server->port()) << std::flush;
  constexpr int wait_ms = 200;  // a signal that comes between the test and the wait is noticed after it
  while (stopped == 0) server->serve_once(wait_ms);
  return ExitCode::ok;
}

}  // namespace

void add_serve(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("serve", "The fake server on a loopback port, for redis-cli and real clients");
  command->add_option("--port", options->port, "TCP port of 127.0.0.1; 0 takes any free one")->capture_default_str();
  command->add_option("--unix", options->path, "A Unix socket beside it");
  command->add_option("--emulate", options->emulate, emulate_help())->capture_default_str();
  command->add_option("--collate", options->collate, "Locale of string comparison in scripts")->capture_default_str();
  command->footer("Serves until SIGINT or SIGTERM, in real time. Data lives in memory only.\n"
                  "exit codes: 0 stopped by a signal, 2 bad usage or a port that is taken\n"
                  "example:\n  cohsim serve --port 7777 & redis-cli -p 7777 SET k v");
  command->callback([options, &action] { action = [options] { return serve_clients(*options); }; });
}

}  // namespace cohsim::cli
