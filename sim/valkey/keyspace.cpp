#include "sim/valkey/keyspace.h"

namespace cohsim::valkey {

Keyspace::Rows::iterator Keyspace::find_live(std::string_view key) {
  const auto place = rows_.find(key);
  if (place == rows_.end() || is_live(place->second, now_ms_)) return place;
  remove(place, "expired");
  return rows_.end();
}

void Keyspace::expire_all() {
  for (auto place = rows_.begin(); place != rows_.end();) {
    const auto next = std::next(place);
    if (!is_live(place->second, now_ms_)) remove(place, "expired");
    place = next;
  }
}

const Row* Keyspace::find(std::string_view key) {
  const auto place = find_live(key);
  return place == rows_.end() ? nullptr : &place->second;
}

void Keyspace::put(std::string_view key, std::string_view bytes, std::optional<std::int64_t> deadline_ms,
                   std::string_view cause) {
  const auto place = find_live(key);
  if (place == rows_.end()) {
    if (rehearsing_) log(key, nullptr);
    const auto made = rows_.emplace(key, Row{std::string(bytes), deadline_ms}).first;
    if (observed()) observer_->row_changed(made->first, nullptr, &made->second, cause);
    return;
  }
  Row& row = place->second;
  if (rehearsing_) log(key, &row);
  if (!observed()) {
    row.bytes = bytes;
    row.deadline_ms = deadline_ms;
    return;
  }
  const Row before = std::exchange(row, Row{std::string(bytes), deadline_ms});
  observer_->row_changed(place->first, &before, &row, cause);
}

void Keyspace::set_deadline(std::string_view key, std::optional<std::int64_t> deadline_ms, std::string_view cause) {
  const auto place = rows_.find(key);
  if (place == rows_.end() || place->second.deadline_ms == deadline_ms) return;
  Row& row = place->second;
  if (rehearsing_) log(key, &row);
  if (!observed()) {
    row.deadline_ms = deadline_ms;
    return;
  }
  const Row before = row;
  row.deadline_ms = deadline_ms;
  observer_->row_changed(place->first, &before, &row, cause);
}

bool Keyspace::erase(std::string_view key, std::string_view cause) {
  const auto place = find_live(key);
  if (place == rows_.end()) return false;
  remove(place, cause);
  return true;
}

void Keyspace::clear(std::string_view cause) {
  if (!rehearsing_ && observer_ == nullptr) {
    rows_.clear();
    return;
  }
  while (!rows_.empty()) remove(rows_.begin(), cause);
}

void Keyspace::remove(Rows::iterator place, std::string_view cause) {
  if (rehearsing_) log(place->first, &place->second);
  if (!observed()) {
    rows_.erase(place);
    return;
  }
  const auto node = rows_.extract(place);
  observer_->row_changed(node.key(), &node.mapped(), nullptr, cause);
}

void Keyspace::log(std::string_view key, const Row* before) {
  undo_.push_back({std::string(key), before == nullptr ? std::nullopt : std::optional<Row>(*before)});
}

void Keyspace::begin_rehearsal() { rehearsing_ = true; }

void Keyspace::roll_back() {
  for (auto change = undo_.rbegin(); change != undo_.rend(); ++change) {
    if (change->before) {
      rows_.insert_or_assign(std::move(change->key), std::move(*change->before));
    } else {
      rows_.erase(change->key);
    }
  }
  undo_.clear();
  rehearsing_ = false;
}

}  // namespace cohsim::valkey
