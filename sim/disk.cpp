#include "sim/disk.h"

#include <algorithm>

namespace cohsim {

void Disk::append(std::string_view file, std::string_view bytes) {
  auto found = files_.find(file);
  if (found == files_.end()) found = files_.emplace(std::string(file), File{}).first;
  found->second.bytes.append(bytes);
}

void Disk::sync(std::string_view file) {
  const auto found = files_.find(file);
  if (found != files_.end()) found->second.synced_size = found->second.bytes.size();
}

void Disk::fail_sync(std::string_view file) {
  const auto found = files_.find(file);
  if (found == files_.end() || found->second.synced_size == found->second.bytes.size()) return;
  if (!found->second.doomed_from) found->second.doomed_from = found->second.synced_size;
}

void Disk::truncate(std::string_view file, std::size_t size) {
  const auto found = files_.find(file);
  if (found == files_.end()) return;
  found->second.bytes.resize(std::min(size, found->second.bytes.size()));
  found->second.synced_size = found->second.bytes.size();
  if (found->second.doomed_from && *found->second.doomed_from >= found->second.bytes.size()) {
    found->second.doomed_from.reset();
  }
}

void Disk::replace(std::string_view file, std::string bytes) {
  const std::size_t size = bytes.size();
  files_.insert_or_assign(std::string(file), File{std::move(bytes), size, {}});
}

std::string_view Disk::read(std::string_view file) const {
  const auto found = files_.find(file);
  return found == files_.end() ? std::string_view() : std::string_view(found->second.bytes);
}

DiskLost Disk::lose_power(Choices& choices, Actor node, const DiskFaults& faults) {
  DiskLost lost;
  for (auto& [name, file] : files_) {
    const std::uint64_t unsynced = file.bytes.size() - file.synced_size;
    const std::uint64_t taken = choices.choose(Site::disk_tail, node, unsynced + 1);
    file.bytes.resize(file.bytes.size() - taken);
    lost.bytes += taken;
    if (file.doomed_from && *file.doomed_from < file.bytes.size()) {
      lost.bytes += file.bytes.size() - *file.doomed_from;
      ++lost.doomed;
      file.bytes.resize(*file.doomed_from);
    }
    if (taken != 0 && choices.chance(Site::disk_torn, node, faults.torn)) {
      const std::size_t zeros = 1 + choices.choose(Site::disk_torn_bytes, node, taken);
      file.bytes.append(zeros, '\0');
      ++lost.torn;
    }
    file.doomed_from.reset();
    file.synced_size = file.bytes.size();
  }
  return lost;
}

}  // namespace cohsim
