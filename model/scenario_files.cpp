// The only part of the loader that looks at the disk.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "model/scenario_loader.h"

namespace cohsim {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view type_file = "cohsim.d.lua";

LoadProblem failure(const std::string& path, std::string message) { return {path, 0, "", std::move(message)}; }

}  // namespace

std::variant<std::string, LoadProblem> read_scenario_text(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return failure(path, "there is no such file");
  if (error) return failure(path, "cannot be read: " + error.message());
  if (status.type() == fs::file_type::directory) return failure(path, "is a folder, not a file");
  if (status.type() != fs::file_type::regular) return failure(path, "is not a regular file");
  std::ifstream file(path, std::ios::binary);
  if (!file) return failure(path, "cannot be read");
  std::string text(scenario_bytes_max + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) return failure(path, "cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > scenario_bytes_max) return failure(path, "is larger than 1 MiB");
  return text;
}

std::variant<std::vector<std::string>, LoadProblem> find_scenario_files(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (!fs::exists(path, error)) return failure(path, "there is no such file or folder");
    return std::vector<std::string>{path};
  }
  std::vector<std::string> found;
  fs::recursive_directory_iterator walk(path, error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    const fs::path& file = walk->path();
    if (file.extension() != ".lua" || file.filename() == type_file) continue;
    if (walk->is_directory(error)) continue;
    found.push_back(file.string());
  }
  if (error) return failure(path, "cannot be searched: " + error.message());
  if (found.empty()) return failure(path, "holds no scenario (*.lua)");
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace cohsim
