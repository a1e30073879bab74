// Runs the built program, as a user does.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "testing/catch.h"

namespace fs = std::filesystem;

namespace {

struct Output {
  int code = -1;
  std::string out, err;
};

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// A folder that goes with the test; the program runs in the source tree.
struct Folder {
  fs::path path = fs::temp_directory_path() / fmt::format("cohsim-cli-{}", ::getpid());
  Folder() { fs::create_directory(path); }
  ~Folder() { fs::remove_all(path); }
  Output run(const std::string& arguments, const std::string& environment = "") const {
    const auto out = path / "stdout", err = path / "stderr";
    const int status = std::system(fmt::format("cd {} && env -u CI_NODE_INDEX -u CI_NODE_TOTAL {} {} {} >{} 2>{}", COHSIM_SOURCE_DIR,
                                               environment, COHSIM_BINARY, arguments, out.string(), err.string())
                                       .c_str());
    return {WEXITSTATUS(status), read(out), read(err)};
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

constexpr const char* small = "scenarios/guarantees/power_loss.lua scenarios/guarantees/every_fault_at_once.lua";

// Drops every row, also for older messages: no_newer_row_erased must break.
constexpr const char* wrong_script =
    "if redis.call('DEL', KEYS[1]) == 1 then return 1 end\nreturn 0\n";

}  // namespace

TEST_CASE("help, version and bad usage") {
  const Folder folder;
  CHECK(folder.run("--version").code == 0);
  CHECK(has(folder.run("--version").out, "cohsim 0.1"));
  const Output help = folder.run("--help");
  CHECK(help.code == 0);
  CHECK_FALSE(has(help.out, "shrink"));
  for (const char* command : {"run", "replay", "list", "explain", "check", "power"}) {
    INFO(command);
    CHECK(has(help.out, command));
    const Output own = folder.run(fmt::format("{} --help", command));
    CHECK(own.code == 0);
    CHECK(has(own.out, "example:\n  cohsim "));
  }
  for (const char* command : {"shrink", "explore", "mutate", "script", "diff", "merge", "why"}) {
    const Output answer = folder.run(fmt::format("{} --any thing", command));
    INFO(command);
    CHECK(answer.code == 2);
    CHECK(has(answer.err, "not built yet"));
  }
  for (const char* wrong :
       {"", "rum", "run --seeds 0", "run --seeds x", "run --budget 60", "run --shard 3/2", "run --from tomorrow",
        "run --strategy pct", "run --emulate redis-6.0", "run --report html=x", "run --only no_such_property",
        "run no/such/file.lua", "run --script no/such/file.lua", "run --report json=/no/such/folder/x.json",
        "run --seeds 2 --from 18446744073709551615", "replay", "replay no/such/file.lua --seed 1", "explain nothing"}) {
    INFO(wrong);
    const Output answer = folder.run(wrong);
    CHECK(answer.code == 2);
    CHECK_FALSE(answer.err.empty());
    CHECK(answer.out.empty());
  }
}

TEST_CASE("power: a table, the same under any number of jobs, exit code 1 where a defect is not found") {
  const Folder folder;
  const std::string few = std::string("power ") + small + " --seeds 5 --defects mark_lost,token_ignored,l1_drops_equal";
  const Output one = folder.run(few + " --jobs 1"), two = folder.run(few + " --jobs 2");
  CHECK(one.code == 0);
  CHECK(one.out == two.out);
  CHECK(has(one.out, "\nmark_lost                   recovery_is_a_prefix            1 "));
  CHECK(has(one.err, "scenarios, "));
  const Output blind = folder.run(std::string("power ") + small + " --seeds 1 --defects ring_overwrites");
  CHECK(blind.code == 1);
  CHECK(has(blind.out, "not found"));
  const Output wrong = folder.run("power --defects mark_lots");
  CHECK(wrong.code == 2);
  CHECK(has(wrong.err, "did you mean 'mark_lost'?"));
  CHECK(folder.run("power scenarios/hazards").code == 2);
}

TEST_CASE("a seed is the number that was typed, or bad usage") {
  const Folder folder;
  const std::string replay = "replay scenarios/guarantees/late_stale_message.lua --seed ";
  for (const char* seed : {"-1", "010", "0x10", "1.5", "1e2", "18446744073709551616", "''"}) {
    INFO(seed);
    CHECK(folder.run(replay + seed).code == 2);
    CHECK(folder.run(fmt::format("run {} --budget 1s --seeds {}", small, seed)).code == 2);
  }
  const Output last = folder.run(replay + "18446744073709551615");
  CHECK(last.code == 0);
  CHECK(has(last.out, "seed 18446744073709551615"));
}

TEST_CASE("a report never goes over what the run reads, nor over what is no file") {
  const Folder folder;
  const std::string good = read(fs::path(COHSIM_SOURCE_DIR) / "scenarios/guarantees/late_stale_message.lua");
  const std::string scenario = folder.write("mine.lua", good);
  const std::string script = folder.write("odd:name.lua", wrong_script);
  fs::create_symlink(scenario, folder.path / "link");
  for (const std::string& target : {scenario, script, (folder.path / "link").string(), std::string("/dev/null")}) {
    INFO(target);
    const Output answer = folder.run(fmt::format("run {} --seeds 1 --script {} --report json={}", scenario, script, target));
    CHECK(answer.code == 2);
    CHECK(has(answer.err, target == "/dev/null" ? "no regular file" : "would overwrite"));
    CHECK(answer.out.empty());
  }
  CHECK(read(scenario) == good);
  CHECK(read(script) == wrong_script);
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("names from outside cannot speak to the terminal") {
  const Folder folder;
  const std::string good = read(fs::path(COHSIM_SOURCE_DIR) / "scenarios/guarantees/late_stale_message.lua");
  for (const char* control : {"\x1b[31m", "\xc2\x9b[31m", "\x7f"}) {
    const std::string name = fmt::format("'{}'", folder.write(fmt::format("a{}b.lua", control), good));
    for (const std::string& wrong : {"run " + name, "check " + name, "list " + name, fmt::format("run '{}'", control),
                                     fmt::format("check '{}'", control), fmt::format("run '--x{}'", control),
                                     fmt::format("explain '{}'", control), fmt::format("run --script '{}'", control)}) {
      const Output answer = folder.run(wrong);
      INFO(wrong);
      CHECK((answer.code == 1 || answer.code == 2));
      CHECK_FALSE(has(answer.out + answer.err, control));
    }
  }
}

TEST_CASE("stdout does not depend on --jobs") {
  const Folder folder;
  const Output one = folder.run(fmt::format("run {} --seeds 6 --jobs 1", small));
  const Output three = folder.run(fmt::format("run {} --seeds 6 --jobs 3", small));
  INFO(one.err);
  CHECK(one.code == 0);
  CHECK(three.code == 0);
  CHECK(one.out == three.out);
  CHECK(has(one.out, "results hash "));
  CHECK(has(one.out, "canary: violated no_newer_row_erased, as it must"));
}

TEST_CASE("a wrong script fails, and the command that it prints reproduces it") {
  const Folder folder;
  const std::string script = folder.write("always drop.lua", wrong_script);
  const std::string json = (folder.path / "gate.json").string();
  const Output gate = folder.run(
      fmt::format("run scenarios/guarantees/every_fault_at_once.lua --seeds 3 --script '{}' --report json={}", script, json));
  CHECK(gate.code == 1);
  const auto report = nlohmann::json::parse(read(json));
  CHECK(report.at("exit_code") == 1);
  const auto failure = report.at("scenarios").at(0).at("failures").at(0);
  const std::string replay = failure.at("replay");
  CHECK(has(gate.out, replay));
  REQUIRE(replay.starts_with("cohsim replay "));
  const Output again = folder.run(replay.substr(std::string_view("cohsim ").size()));
  INFO(again.err);
  CHECK(again.code == 1);
  CHECK(has(again.out, failure.at("sentence").get<std::string>()));
}

TEST_CASE("a replay repeats itself, stops where asked, and shows the state") {
  const Folder folder;
  const std::string command = "replay scenarios/guarantees/power_loss.lua --seed 3";
  const Output whole = folder.run(command);
  CHECK(whole.code == 0);
  CHECK(whole.out == folder.run(command).out);
  CHECK(has(whole.out, "trace hash "));
  CHECK(whole.out != folder.run("replay scenarios/guarantees/power_loss.lua --seed 4").out);
  const Output part = folder.run(command + " --until 60 --state");
  CHECK(part.code == 0);
  CHECK(has(part.out, "60 steps"));
  CHECK(has(part.out, "\nserver\n"));
  std::istringstream lines(folder.run(command + " --around 100 --format jsonl").out);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto object = nlohmann::json::parse(line);
    if (!object.contains("event")) continue;
    CHECK(object.at("step") >= 80);
    CHECK(object.at("step") <= 120);
  }
  CHECK(count > 3);
}

TEST_CASE("check says what is wrong, and run does not begin") {
  const Folder folder;
  const std::string file = folder.write("typo.lua", "return scenario {\n  about = \"x\",\n  nods = { \"a\" },\n}\n");
  const Output checked = folder.run("check " + file);
  CHECK(checked.code == 1);
  CHECK(has(checked.out, "typo.lua:3"));
  CHECK(folder.run("run " + file).code == 2);
  CHECK(folder.run("check /no/such/file.lua").code == 2);
  CHECK(folder.run("check scenarios/guarantees/power_loss.lua").code == 0);
}

TEST_CASE("lists come from the code") {
  const Folder folder;
  CHECK(has(folder.run("list --properties").out, "no_newer_row_erased"));
  CHECK(has(folder.run("list --settings").out, "faults.messages.drop"));
  CHECK(has(folder.run("list --points").out, "l1.insert"));
  CHECK(has(folder.run("list scenarios/guarantees").out, "power_loss"));
  CHECK(has(folder.run("list --defects").out, "\ntoken_ignored               stale_token_refused         complete and retry take any"));
  CHECK(has(folder.run("explain no_newer_row_erased").out, "holds when"));
  CHECK(has(folder.run("explain no_newer_row_ersed").err, "did you mean 'no_newer_row_erased'"));
}

TEST_CASE("explain knows every bundled hazard, in lines of a terminal") {
  const Folder folder;
  const Output names = folder.run("explain");
  CHECK(names.code == 0);
  CHECK(has(names.out, "\n  no_newer_row_erased\n"));
  std::size_t hazards = 0;
  for (const auto& file : fs::directory_iterator(fs::path(COHSIM_SOURCE_DIR) / "scenarios/hazards")) {
    if (file.path().extension() != ".lua") continue;
    ++hazards;
    const std::string name = file.path().stem().string();
    INFO(name);
    CHECK(has(names.out, fmt::format("\n  {}\n", name)));
    const Output section = folder.run("explain " + name);
    if (section.code != 0 && has(section.err, "this machine has no locale")) {
      WARN(section.err);
      continue;
    }
    INFO(section.err);
    CHECK(section.code == 0);
    CHECK(has(section.out, name + ": "));
    CHECK(has(section.out, "see it\n  cohsim replay scenarios/hazards/"));
    const bool operators = has(section.out, "how to check a server");  // commands for a shell, in lines of their own length
    std::istringstream lines(operators ? std::string() : section.out);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
  }
  CHECK(hazards >= 36);
  const Output wrong = folder.run("explain fill_races_invalidatoin");
  CHECK(wrong.code == 2);
  CHECK(has(wrong.err, "did you mean 'fill_races_invalidation'"));
  CHECK(has(wrong.err, "`cohsim explain` lists them"));
  CHECK(folder.run("explain no_newer_row_erased --findings").code == 2);
  const std::string nowhere = "COHSIM_SCENARIOS=/no/such/folder";
  CHECK(folder.run("explain no_newer_row_erased", nowhere).code == 0);
  CHECK(folder.run("explain --findings", nowhere).code == 2);
}

TEST_CASE("COHSIM_SCENARIOS names the default scenarios, and CI variables a shard") {
  const Folder folder;
  const std::string here = "COHSIM_SCENARIOS=scenarios/guarantees/power_loss.lua";
  const Output one = folder.run("list", here);
  CHECK(has(one.out, "power_loss"));
  CHECK_FALSE(has(one.out, "every_fault_at_once"));
  const Output shard = folder.run("run --seeds 4", here + " CI_NODE_INDEX=2 CI_NODE_TOTAL=2");
  CHECK(shard.code == 0);
  CHECK(has(shard.out, "shard 2/2"));
}
