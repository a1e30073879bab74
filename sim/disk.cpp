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

void Disk::truncate(std::string_view file, std::size_t size) {
  const auto found = files_.find(file);
  if (found == files_.end()) return;
  found->second.bytes.resize(std::min(size, found->second.bytes.size()));
  found->second.synced_size = found->second.bytes.size();
}

void Disk::replace(std::string_view file, std::string bytes) {
  const std::size_t size = bytes.size();
  files_.insert_or_assign(std::string(file), File{std::move(bytes), size});
}

std::string_view Disk::read(std::string_view file) const {
  const auto found = files_.find(file);
  return found == files_.end() ? std::string_view() : std::string_view(found->second.bytes);
}

std::uint64_t Disk::lose_power(Choices& choices, Actor node) {
  std::uint64_t lost = 0;
  for (auto& [name, file] : files_) {
    const std::uint64_t unsynced = file.bytes.size() - file.synced_size;
    const std::uint64_t taken = choices.choose(Site::disk_tail, node, unsynced + 1);
    file.bytes.resize(file.bytes.size() - taken);
    file.synced_size = file.bytes.size();
    lost += taken;
  }
  return lost;
}

}  // namespace cohsim
