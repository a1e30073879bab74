#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/json.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/report_files.h"
#include "reports/sample.h"
#include "reports/text.h"
#include "testing/catch.h"

using namespace cohsim;
namespace fs = std::filesystem;

namespace {

const std::string golden = std::string(COHSIM_SOURCE_DIR) + "/reports/golden/";

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void check_golden(const std::string& name, const std::string& text) {
  if (std::getenv("COHSIM_UPDATE_GOLDEN") != nullptr) std::ofstream(golden + name, std::ios::binary) << text;
  CHECK(text == read(golden + name));
}

// A folder that goes with the test.
struct Folder {
  fs::path path = fs::temp_directory_path() / fmt::format("cohsim-reports-{}", ::getpid());
  Folder() { fs::create_directory(path); }
  ~Folder() { fs::remove_all(path); }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }
};

}  // namespace

TEST_CASE("reports look like their samples") {
  const GateResult result = sample_result();
  check_golden("sample.txt", text_report(result, false));
  check_golden("sample.json", json_report(result));
  check_golden("sample.junit.xml", junit_report(result));
  check_golden("sample.md", markdown_report(result));
}

TEST_CASE("a partial report says so in every format") {
  GateResult result = sample_result();
  result.ended = Ended::interrupted;
  result.in_progress = {"calm seed 3"};
  CHECK(text_report(result, false).find("PARTIAL: interrupted; given up while under way: calm seed 3") !=
        std::string::npos);
  CHECK(markdown_report(result).find("PARTIAL") != std::string::npos);
  CHECK(junit_report(result).find("name=\"partial\" value=\"true\"") != std::string::npos);
  CHECK(nlohmann::json::parse(json_report(result)).at("partial") == true);
  CHECK(nlohmann::json::parse(json_report(sample_result())).at("partial") == false);
}

TEST_CASE("a dead canary stands in every format") {
  GateResult result = sample_result();
  result.canary.alive = false;
  result.canary.sentence = "not violated in 5 seeds";
  CHECK(text_report(result, false).find("canary: PASSED, and must not") != std::string::npos);
  CHECK(markdown_report(result).find("The canary passed") != std::string::npos);
  CHECK(junit_report(result).find("<error type=\"canary\"") != std::string::npos);
  CHECK(nlohmann::json::parse(json_report(result)).at("canary").at("alive") == false);
}

TEST_CASE("colour only where asked for") {
  CHECK(text_report(sample_result(), false).find('\x1b') == std::string::npos);
  CHECK(text_report(sample_result(), true).find("\x1b[31m") != std::string::npos);
}

TEST_CASE("a shard's JSON lists its hashes") {
  GateResult result = sample_result();
  CHECK_FALSE(nlohmann::json::parse(json_report(result)).at("scenarios").at(0).contains("hashes"));
  result.settings.shard = {1, 2};
  const auto shard = nlohmann::json::parse(json_report(result));
  CHECK(shard.at("scenarios").at(0).at("hashes").size() == result.scenarios[0].hashes.size());
}

TEST_CASE("JUnit is valid against the common schema") {
  if (std::system("xmllint --version >/dev/null 2>&1") != 0) {
    WARN("SKIPPED: xmllint is not installed (package libxml2-utils); the schema was not checked");
    return;
  }
  const Folder folder;
  GateResult result = sample_result();
  for (const bool partial : {false, true}) {
    result.ended = partial ? Ended::budget : Ended::whole;
    const auto file = folder.path / "junit.xml";
    std::ofstream(file, std::ios::binary) << junit_report(result);
    CHECK(std::system(fmt::format("xmllint --noout --schema {}junit.xsd {} 2>&1", golden, file.string()).c_str()) == 0);
  }
  const auto wrong = folder.path / "wrong.xml";
  std::ofstream(wrong) << "<testsuites><testsuite/></testsuites>";
  CHECK(std::system(fmt::format("xmllint --noout --schema {}junit.xsd {} >/dev/null 2>&1", golden, wrong.string()).c_str()) != 0);
}

TEST_CASE("the option --report is parsed or explained") {
  const auto fine = parse_reports({"junit=a.xml,json=b.json", "markdown=c.md"});
  CHECK(fine.problem.empty());
  REQUIRE(fine.files.size() == 3);
  CHECK(fine.files[1].format == "json");
  CHECK(fine.files[1].path == "b.json");
  CHECK(parse_reports({"html=x.html"}).problem.find("not built yet") != std::string::npos);
  CHECK(parse_reports({"xml=x"}).problem.find("unknown format 'xml'") != std::string::npos);
  CHECK(parse_reports({"json="}).problem.find("names no file") != std::string::npos);
  CHECK(parse_reports({"json"}).problem.find("names no file") != std::string::npos);
  CHECK(parse_reports({"json=x,junit=x"}).problem.find("already") != std::string::npos);
  CHECK(parse_reports({"json=x,junit=./y/../x"}).problem.find("already") != std::string::npos);
}

TEST_CASE("reports are written whole and leave nothing else behind") {
  const Folder folder;
  const std::vector<ReportFile> files = {{"json", (folder.path / "a.json").string()},
                                         {"junit", (folder.path / "b.xml").string()}};
  CHECK(unwritable(files).empty());
  CHECK(folder.files() == 0);
  CHECK(write_reports(files, sample_result()).empty());
  CHECK(folder.files() == 2);
  CHECK(read(folder.path / "a.json") == json_report(sample_result()));
  CHECK(write_reports(files, sample_result()).empty());  // over what is there
  CHECK(folder.files() == 2);
}

TEST_CASE("a path that cannot be written is known before the run") {
  const Folder folder;
  const std::string path = (folder.path / "no/such/folder.json").string();
  CHECK(unwritable({{"json", path}}).find(path) != std::string::npos);
  CHECK(unwritable({{"json", folder.path.string()}}).find("it is a folder") != std::string::npos);
  const std::string pipe = (folder.path / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(unwritable({{"json", pipe}}).find("no regular file") != std::string::npos);
  CHECK(std::filesystem::is_fifo(pipe));
  std::filesystem::remove(pipe);
  std::ofstream(folder.path / "target.json") << "old";
  std::filesystem::create_symlink("target.json", folder.path / "link.json");
  const auto linked = parse_reports({"json=" + (folder.path / "link.json").string()});
  CHECK(linked.files.at(0).path == (std::filesystem::canonical(folder.path) / "target.json").string());
  std::filesystem::remove(folder.path / "link.json");
  std::filesystem::remove(folder.path / "target.json");
  CHECK_FALSE(write_reports({{"json", path}}, sample_result()).empty());
  CHECK(folder.files() == 0);
}
