#include "reports/report_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "reports/json.h"
#include "reports/junit.h"
#include "reports/markdown.h"

namespace cohsim {
namespace {

struct Format {
  std::string_view name;
  std::string (*render)(const GateResult&);
};

constexpr Format formats[] = {{"json", json_report}, {"junit", junit_report}, {"markdown", markdown_report}};

const Format* find_format(std::string_view name) {
  const auto* found = std::find_if(std::begin(formats), std::end(formats),
                                   [&](const Format& format) { return format.name == name; });
  return found == std::end(formats) ? nullptr : found;
}

std::string temporary_beside(const std::string& path) { return fmt::format("{}.{}.tmp", path, ::getpid()); }

// Empty, or why not. The file goes again where anything fails.
std::string write_file(const std::string& path, const std::string& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wbx");
  if (file == nullptr) return std::strerror(errno);
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0;
  int error = written ? 0 : errno;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  if (error == 0) return {};
  std::remove(path.c_str());
  return std::strerror(error);
}

// What the path names in the end: reports go to the file behind a link, and two spellings of one file are one.
std::string real_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, error);
  return error ? path : real.string();
}

// A rename would put a plain file where a device or pipe stood.
bool is_no_file(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

std::string check_one(const std::string& value, ReportRequest& request) {
  const auto equals = value.find('=');
  const std::string name = value.substr(0, equals);
  if (name == "html") return "--report html=…: HTML reports are not built yet; use markdown=FILE or json=FILE";
  if (find_format(name) == nullptr) {
    return fmt::format("--report {}: unknown format '{}'; write json=FILE, junit=FILE or markdown=FILE", value, name);
  }
  if (equals == std::string::npos || equals + 1 == value.size()) {
    return fmt::format("--report {}: names no file; write {}=FILE", value, name);
  }
  const std::string path = real_path(value.substr(equals + 1));
  for (const auto& other : request.files) {
    if (std::filesystem::absolute(other.path) != std::filesystem::absolute(path)) continue;
    return fmt::format("--report {}: {} is written by {}={} already", value, path, other.format, path);
  }
  request.files.push_back({name, path});
  return {};
}

}  // namespace

ReportRequest parse_reports(const std::vector<std::string>& values) {
  ReportRequest request;
  for (const auto& value : values) {
    std::size_t begin = 0;
    while (begin <= value.size()) {
      const auto comma = std::min(value.find(',', begin), value.size());
      request.problem = check_one(value.substr(begin, comma - begin), request);
      if (!request.problem.empty()) return request;
      begin = comma + 1;
    }
  }
  return request;
}

std::string cannot_write(const std::string& path) {
  std::error_code ignored;
  const std::string real = real_path(path);
  if (std::filesystem::is_directory(real, ignored)) return "it is a folder";
  if (is_no_file(real)) return "it is no regular file; name a file";
  const std::string temporary = temporary_beside(real);
  std::string why = write_file(temporary, "");
  if (why.empty()) std::remove(temporary.c_str());
  return why;
}

std::string write_whole(const std::string& path, const std::string& bytes) {
  const std::string real = real_path(path);
  const std::string temporary = temporary_beside(real);
  std::string why = write_file(temporary, bytes);
  if (why.empty() && std::rename(temporary.c_str(), real.c_str()) != 0) {
    why = std::strerror(errno);
    std::remove(temporary.c_str());
  }
  return why;
}

std::string unwritable(const std::vector<ReportFile>& files) {
  for (const auto& file : files) {
    const std::string why = cannot_write(file.path);
    if (!why.empty()) return fmt::format("--report {}={}: cannot be written: {}", file.format, file.path, why);
  }
  return {};
}

std::string write_reports(const std::vector<ReportFile>& files, const GateResult& result) {
  for (const auto& file : files) {
    const std::string why = write_whole(file.path, find_format(file.format)->render(result));
    if (!why.empty()) return fmt::format("report {}={}: not written: {}", file.format, file.path, why);
  }
  return {};
}

}  // namespace cohsim
