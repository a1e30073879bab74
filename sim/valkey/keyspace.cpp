#include "sim/valkey/keyspace.h"

namespace cohsim::valkey {

namespace {

std::int64_t items_of(const Collection& collection) {
  return std::visit(
      [](const auto& value) {
        using Value = std::decay_t<decltype(value)>;
        std::size_t items = 0;
        if constexpr (std::is_same_v<Value, List>) items = value.items.size();
        if constexpr (std::is_same_v<Value, Hash>) items = value.fields.size();
        if constexpr (std::is_same_v<Value, Set>) items = value.members.size();
        if constexpr (std::is_same_v<Value, SortedSet>) items = value.scores.size();
        if constexpr (std::is_same_v<Value, Stream>) items = value.length;
        return static_cast<std::int64_t>(items);
      },
      collection);
}

}  // namespace

std::int64_t Keyspace::bytes_of(std::string_view key, const Row& row) {
  constexpr std::int64_t of_row = 80;
  constexpr std::int64_t of_item = 16;
  const auto texts = static_cast<std::int64_t>(key.size() + row.bytes.size());
  return of_row + texts + (row.collection == nullptr ? 0 : of_item * items_of(*row.collection));
}

void Keyspace::count(std::string_view key, const Row& row) { used_bytes_ += bytes_of(key, row); }
void Keyspace::uncount(std::string_view key, const Row& row) { used_bytes_ -= bytes_of(key, row); }

Keyspace::Rows::iterator Keyspace::find_live(std::string_view key) {
  Rows& rows = own_rows();
  const auto place = rows.find(key);
  if (place == rows.end() || is_live(place->second, now_ms_)) return place;
  remove(place, "expired");
  return rows.end();
}

void Keyspace::expire_all() {
  const int selected = database_;
  for (int database = 0; database < databases; ++database) {
    select(database);
    Rows& rows = own_rows();
    for (auto place = rows.begin(); place != rows.end();) {
      const auto next = std::next(place);
      if (!is_live(place->second, now_ms_)) remove(place, "expired");
      place = next;
    }
  }
  select(selected);
}

void Keyspace::expire_some(std::size_t rows_max) {
  const int selected = database_;
  std::size_t left = rows_max;
  for (int turn = 0; turn <= databases && left > 0; ++turn) {
    select(expiring_);
    Rows& rows = own_rows();
    auto place = rows.lower_bound(expiring_from_);
    for (; place != rows.end() && left > 0; --left) {
      const auto next = std::next(place);
      if (!is_live(place->second, now_ms_)) remove(place, "expired");
      place = next;
    }
    const bool whole = place == rows.end();
    expiring_from_ = whole ? std::string() : place->first;
    if (whole) expiring_ = (expiring_ + 1) % databases;
  }
  select(selected);
}

const Row* Keyspace::find(std::string_view key) {
  const auto place = find_live(key);
  if (place == own_rows().end()) {
    if (listener_ != nullptr) listener_->key_missed(database_, key);
    return nullptr;
  }
  place->second.used_ms = now_ms_;
  return &place->second;
}

const Row* Keyspace::look_or_miss(std::string_view key) {
  const Row* const row = look(key);
  if (row == nullptr && listener_ != nullptr) listener_->key_missed(database_, key);
  return row;
}

const Row* Keyspace::look(std::string_view key) {
  const auto place = find_live(key);
  return place == own_rows().end() ? nullptr : &place->second;
}

void Keyspace::put(std::string_view key, std::string_view bytes, std::optional<std::int64_t> deadline_ms,
                   std::string_view cause) {
  const auto place = find_live(key);
  if (place == own_rows().end() || keeps_before() || !place->second.is_string()) {
    return put(key, Row{std::string(bytes), deadline_ms}, cause);
  }
  Row& row = place->second;
  uncount(key, row);
  row.bytes = bytes;
  count(key, row);
  row.deadline_ms = deadline_ms;
  row.form = Row::Form::by_value;
  row.used_ms = now_ms_;
  changed(place->first, nullptr, true, &row, cause);
}

void Keyspace::put(std::string_view key, Row row, std::string_view cause) {
  row.used_ms = now_ms_;
  const auto place = find_live(key);
  count(key, row);
  if (place == own_rows().end()) {
    if (rehearsing_) log(key, nullptr);
    const auto made = own_rows().emplace(key, std::move(row)).first;
    return changed(made->first, nullptr, false, &made->second, cause);
  }
  if (rehearsing_) log(key, &place->second);
  const Row before = std::exchange(place->second, std::move(row));
  uncount(key, before);
  changed(place->first, &before, true, &place->second, cause);
}

Row& Keyspace::open(std::string_view key, bool& existed, std::optional<Row>& before) {
  const auto place = find_live(key);
  existed = place != own_rows().end();
  if (rehearsing_) log(key, existed ? &place->second : nullptr);
  if (!existed) {
    Row& fresh = own_rows().emplace(key, Row{}).first->second;
    fresh.used_ms = now_ms_;
    return fresh;
  }
  if (keeps_before()) before = place->second;
  uncount(key, place->second);
  place->second.used_ms = now_ms_;
  return place->second;
}

void Keyspace::close(std::string_view key, bool existed, const std::optional<Row>& before, bool empty,
                     std::string_view cause) {
  const auto place = own_rows().find(key);
  const Row* const was = before ? &*before : nullptr;
  if (!empty) {
    count(key, place->second);
    return changed(place->first, was, existed, &place->second, cause);
  }
  const auto node = own_rows().extract(place);
  if (existed) changed(node.key(), was, true, nullptr, cause);
}

void Keyspace::set_deadline(std::string_view key, std::optional<std::int64_t> deadline_ms, std::string_view cause) {
  const auto place = own_rows().find(key);
  if (place == own_rows().end()) return;
  Row& row = place->second;
  const bool same = row.deadline_ms == deadline_ms;
  std::optional<Row> before;
  if (!same && rehearsing_) log(key, &row);
  if (!same && observed()) before = row;
  row.deadline_ms = deadline_ms;
  if (same) {
    if (listener_ != nullptr) listener_->key_changed(database_, place->first, true, &row, cause);
    return;
  }
  changed(place->first, before ? &*before : nullptr, true, &row, cause);
}

void Keyspace::set_form(std::string_view key, Row::Form form) {
  const auto place = own_rows().find(key);
  if (place == own_rows().end()) return;
  if (rehearsing_) log(key, &place->second);
  place->second.form = form;
}

bool Keyspace::erase(std::string_view key, std::string_view cause) {
  const auto place = find_live(key);
  if (place == own_rows().end()) return false;
  remove(place, cause);
  return true;
}

void Keyspace::clear(std::string_view cause) {
  remove_all(cause);
  if (listener_ != nullptr) listener_->cleared();
}

void Keyspace::remove_all(std::string_view cause) {
  Rows& rows = own_rows();
  if (!keeps_before() && listener_ == nullptr) {
    for (const auto& [key, row] : rows) uncount(key, row);
    rows.clear();
    return;
  }
  while (!rows.empty()) remove(rows.begin(), cause);
}

void Keyspace::clear_all(std::string_view cause) {
  const int selected = database_;
  for (int database = 0; database < databases; ++database) {
    select(database);
    remove_all(cause);
  }
  select(selected);
  if (listener_ != nullptr) listener_->cleared();
}

void Keyspace::swap(int one, int other, std::string_view cause) {
  if (one == other) return;
  const int selected = database_;
  const auto move_in = [&](int database, const Rows& fresh) {
    select(database);
    while (!own_rows().empty()) remove(own_rows().begin(), cause);
    for (const auto& [key, row] : fresh) put(key, row, cause);
  };
  const Rows first = rows(one);
  move_in(one, Rows(rows(other)));
  move_in(other, first);
  select(selected);
}

void Keyspace::remove(Rows::iterator place, std::string_view cause) {
  if (rehearsing_) log(place->first, &place->second);
  const auto node = own_rows().extract(place);
  uncount(node.key(), node.mapped());
  changed(node.key(), &node.mapped(), true, nullptr, cause);
}

void Keyspace::changed(const std::string& key, const Row* before, bool existed, const Row* after,
                       std::string_view cause) {
  if (observed()) observer_->row_changed(key, before, after, cause);
  if (listener_ != nullptr) listener_->key_changed(database_, key, existed, after, cause);
}

void Keyspace::log(std::string_view key, const Row* before) {
  undo_.push_back({database_, std::string(key), before == nullptr ? std::nullopt : std::optional<Row>(*before)});
}

void Keyspace::begin_rehearsal() { rehearsing_ = true; }

void Keyspace::roll_back() {
  for (auto change = undo_.rbegin(); change != undo_.rend(); ++change) {
    Rows& rows = databases_[static_cast<std::size_t>(change->database)];
    const auto now = rows.find(change->key);
    if (now != rows.end()) uncount(change->key, now->second);
    if (change->before) {
      count(change->key, *change->before);
      rows.insert_or_assign(std::move(change->key), std::move(*change->before));
    } else {
      rows.erase(change->key);
    }
  }
  undo_.clear();
  rehearsing_ = false;
}

}  // namespace cohsim::valkey
