// Writes reports to files: whole or not at all.
#pragma once

#include <string>
#include <vector>

#include "properties/gate_result.h"

namespace cohsim {

struct ReportFile {
  std::string format;  ///< json, junit or markdown
  std::string path;
};

struct ReportRequest {
  std::vector<ReportFile> files;
  std::string problem;  ///< what is wrong with the request, and what would be right; empty: fine
};

/// "junit=F,json=F", given once or several times. Does not touch the file system.
[[nodiscard]] ReportRequest parse_reports(const std::vector<std::string>& values);

/// Why a report cannot stand at this path: a folder, a device or pipe, or no right to write beside it. Empty: it can.
[[nodiscard]] std::string cannot_write(const std::string& path);

/// Writes to a temporary file beside the path, then renames. Empty: written; else what went wrong.
[[nodiscard]] std::string write_whole(const std::string& path, const std::string& bytes);

/// Tries every path by a temporary file beside it, which goes again. Empty: all can be written.
[[nodiscard]] std::string unwritable(const std::vector<ReportFile>& files);

/// Writes each as `write_whole` does. Empty: all written; else what went wrong.
[[nodiscard]] std::string write_reports(const std::vector<ReportFile>& files, const GateResult& result);

}  // namespace cohsim
