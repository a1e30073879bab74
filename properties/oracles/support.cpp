#include "properties/oracles/support.h"

#include <algorithm>

namespace cohsim::oracles {

namespace {

// 0-9, A-Z, a-z in ASCII order; -1: no digit.
int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  if (c >= 'a' && c <= 'z') return c - 'a' + 36;
  return -1;
}

}  // namespace

std::string_view payload_of(std::string_view version) {
  return version.size() <= 3 ? std::string_view() : version.substr(3, 11);
}

std::optional<std::uint64_t> number_of(std::string_view version) {
  if (version.size() < version_size) return std::nullopt;
  // Ten digits stay below 2^60; the eleventh may pass 2^63-1.
  constexpr std::uint64_t most = (std::uint64_t{1} << 63) - 1;
  std::uint64_t number = 0;
  for (std::size_t i = 3; i < version_size; ++i) {
    const int digit = digit_of(version[i]);
    if (digit < 0) return std::nullopt;
    if (i + 1 == version_size && number > (most - static_cast<std::uint64_t>(digit)) / 62) return std::nullopt;
    number = number * 62 + static_cast<std::uint64_t>(digit);
  }
  return number;
}

bool is_newer(std::string_view a, std::string_view b) {
  const std::optional<std::uint64_t> left = number_of(a);
  const std::optional<std::uint64_t> right = number_of(b);
  if (left && right) return *left > *right;
  return payload_of(a) > payload_of(b);  // char_traits<char> compares as unsigned bytes
}

bool is_branded_id(std::string_view bytes) {
  if (bytes.size() != version_size || !number_of(bytes)) return false;
  return std::all_of(bytes.begin(), bytes.begin() + 3, [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::optional<ReadMessage> read_message(std::string_view bytes) {
  if (bytes.size() != 2 * version_size + 1 || bytes[version_size] != ':') return std::nullopt;
  const ReadMessage read{bytes.substr(0, version_size), bytes.substr(version_size + 1)};
  if (!is_branded_id(read.id) || !is_branded_id(read.version)) return std::nullopt;
  return read;
}

std::string quote(std::string_view bytes) {
  std::string text = "\"";
  for (const char c : bytes.substr(0, 64)) {
    if (c >= ' ' && c <= '~' && c != '"' && c != '\\') {
      text += c;
    } else {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return text + (bytes.size() > 64 ? "…\"" : "\"");
}

std::string show(std::string_view version) {
  const std::string_view head = version.substr(0, version_size);
  if (!is_branded_id(head)) return quote(head);
  return fmt::format("{} (snowflake {})", head, *number_of(head));
}

std::string show(const std::optional<std::string_view>& version) { return version ? show(*version) : "none"; }

void AppliedMemory::on(const event::JournalAttempted& event) {
  if (event.write != JournalWrite::remember) return;
  std::string& at_most = memory_[name_at(event)].attempted;
  if (at_most.empty() || is_newer(event.version, at_most)) at_most = event.version;
  pending_[journal_key(event.node, event.table.index)].push_back(
      {event.transaction, std::string(event.id), std::string(event.version)});
}

void AppliedMemory::on(const event::JournalCommitted& event) {
  const auto found = pending_.find(journal_key(event.node, event.table.index));
  if (found == pending_.end()) return;
  // A commit stands on all before it in the same file.
  std::erase_if(found->second, [&](const Pending& pending) {
    if (pending.transaction > event.transaction) return false;
    std::string& known = memory_[{event.node, event.table.index, pending.id}].acknowledged;
    if (known.empty() || is_newer(pending.version, known)) known = pending.version;
    return true;
  });
}

void AppliedMemory::on(const event::JournalFailed& event) {
  const auto found = pending_.find(journal_key(event.node, event.table.index));
  if (found == pending_.end()) return;
  std::erase_if(found->second, [&](const Pending& pending) { return pending.transaction == event.transaction; });
}

void AppliedMemory::on(const event::JournalRecovered& event) {
  pending_.erase(journal_key(event.node, event.table.index));
  memory_.erase_table(event.node, event.table.index);
  for (const auto& [id, applied] : event.contents->applied) {
    memory_[{event.node, event.table.index, id}] = {applied.version, applied.version};
  }
}

const std::string* AppliedMemory::acknowledged(const NameView& name) const {
  const Memory* memory = memory_.find(name);
  return memory == nullptr || memory->acknowledged.empty() ? nullptr : &memory->acknowledged;
}

const std::string* AppliedMemory::attempted(const NameView& name) const {
  const Memory* memory = memory_.find(name);
  return memory == nullptr || memory->attempted.empty() ? nullptr : &memory->attempted;
}

void RequestEffects::close_step() {
  // Several requests in one step: nobody can say which of them did it.
  if (tag_ != 0 && requests_ == 1) {
    for (Effect& effect : open_) {
      effect.tag = tag_;
      closed_.push_back(std::move(effect));
    }
  }
  open_.clear();
  tag_ = 0;
  requests_ = 0;
}

void RequestEffects::ran(const When& when, std::uint64_t request) {
  if (when.step != step_) close_step();
  step_ = when.step;
  ++requests_;
  const auto found = marked_.find(request);
  if (found == marked_.end()) return;
  tag_ = found->second;
  marked_.erase(found);
}

void RequestEffects::row(const When& when, const event::RowChanged& event) {
  if (when.step != step_) close_step();
  step_ = when.step;
  if (!watching() || event.after == nullptr) return;
  open_.push_back({when, 0, std::string(event.key), event.before ? event.before->bytes : std::string(),
                   event.after->bytes, std::string(event.id), event.table});
}

std::vector<RequestEffects::Effect> RequestEffects::take(const When& when) {
  if (when.step != step_) close_step();
  step_ = when.step;
  return std::exchange(closed_, {});
}

std::vector<RequestEffects::Effect> RequestEffects::take_all() {
  close_step();
  return std::exchange(closed_, {});
}

}  // namespace cohsim::oracles
