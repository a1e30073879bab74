#include "sim/file_store.h"

#include <algorithm>
#include <cstring>

namespace cohsim {

std::size_t FileStore::size(std::string_view file) const {
  const auto found = files_.find(file);
  return found == files_.end() ? 0 : found->second.now.size();
}

std::size_t FileStore::read(std::string_view file, std::size_t offset, std::span<char> into) const {
  const auto found = files_.find(file);
  if (found == files_.end() || offset >= found->second.now.size()) return 0;
  const std::size_t there = std::min(into.size(), found->second.now.size() - offset);
  std::memcpy(into.data(), found->second.now.data() + offset, there);
  return there;
}

void FileStore::apply(std::string& bytes, const Change& change) {
  if (change.truncates) {
    bytes.resize(std::min(bytes.size(), change.offset));
    return;
  }
  if (bytes.size() < change.offset + change.bytes.size()) bytes.resize(change.offset + change.bytes.size());
  std::copy(change.bytes.begin(), change.bytes.end(), bytes.begin() + static_cast<std::ptrdiff_t>(change.offset));
}

void FileStore::write(std::string_view file, std::size_t offset, std::string_view bytes) {
  auto found = files_.find(file);
  if (found == files_.end()) found = files_.emplace(std::string(file), File{}).first;
  File& written = found->second;
  written.pending.push_back({offset, std::string(bytes), false});
  apply(written.now, written.pending.back());
}

void FileStore::truncate(std::string_view file, std::size_t size) {
  const auto found = files_.find(file);
  if (found == files_.end()) return;
  File& cut = found->second;
  cut.pending.push_back({size, {}, true});
  apply(cut.now, cut.pending.back());
}

bool FileStore::sync(std::string_view file, const DiskFaults& faults, Choices& choices, Actor node) {
  const auto found = files_.find(file);
  if (found == files_.end()) return true;
  File& synced = found->second;
  if (choices.chance(Site::disk_sync_fail, node, faults.sync_fail)) {
    fail_sync(file);
    return false;
  }
  for (const Change& change : synced.pending) apply(synced.safe, change);
  synced.pending.clear();
  return true;
}

void FileStore::fail_sync(std::string_view file) {
  const auto found = files_.find(file);
  if (found == files_.end()) return;
  found->second.doomed = found->second.doomed || !found->second.pending.empty();
  found->second.pending.clear();
}

void FileStore::remove(std::string_view file) {
  const auto found = files_.find(file);
  if (found != files_.end()) files_.erase(found);
}

void FileStore::lose(File& file, const DiskFaults& faults, Choices& choices, Actor node, DiskLost& lost) {
  const std::size_t written = file.pending.size();
  const std::size_t taken = choices.choose(Site::disk_writes_lost, node, written + 1);
  const std::size_t kept = written - taken;
  for (std::size_t i = 0; i < kept; ++i) apply(file.safe, file.pending[i]);
  for (std::size_t i = kept; i < written; ++i) lost.bytes += file.pending[i].bytes.size();
  if (taken != 0 && file.pending[kept].bytes.size() > 1 && choices.chance(Site::disk_torn, node, faults.torn)) {
    Change& torn = file.pending[kept];
    const std::size_t left = 1 + choices.choose(Site::disk_torn_bytes, node, torn.bytes.size() - 1);
    torn.bytes.resize(left);
    apply(file.safe, torn);
    lost.bytes -= left;
    ++lost.torn;
  }
  lost.doomed += file.doomed && file.safe != file.now;
  file.now = file.safe;
  file.pending.clear();
  file.doomed = false;
}

DiskLost FileStore::lose_power(const DiskFaults& faults, Choices& choices, Actor node) {
  DiskLost lost;
  for (auto& [name, file] : files_) lose(file, faults, choices, node, lost);
  return lost;
}

}  // namespace cohsim
