#include "model/journal_log.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace cohsim {

namespace {

// A record: length (8), checksum (8), payload. Integers little endian, strings with their length in front.
constexpr std::size_t header_size = 16;
constexpr char snapshot_tag = 'S';
constexpr char transaction_tag = 'T';

class Writer {
 public:
  void byte(char value) { bytes_.push_back(value); }
  void integer(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) bytes_.push_back(static_cast<char>(value >> shift));
  }
  void text(std::string_view value) {
    integer(value.size());
    bytes_.append(value);
  }
  void intent(const JournalContents::Intent& intent) {
    integer(static_cast<std::uint64_t>(intent.seq));
    text(intent.job);
    text(intent.name);
    text(intent.version);
    text(intent.queue);
    byte(intent.enqueued ? 1 : 0);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Reads what Writer wrote; the checksum has been verified before, so the shape can be trusted.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  char byte() {
    const char value = bytes_[at_];
    ++at_;
    return value;
  }
  std::uint64_t integer() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 8) {
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[at_++])) << shift;
    }
    return value;
  }
  std::string text() {
    const std::size_t size = integer();
    std::string value(bytes_.substr(at_, size));
    at_ += size;
    return value;
  }
  JournalContents::Intent intent() {
    JournalContents::Intent intent;
    intent.seq = static_cast<std::int64_t>(integer());
    intent.job = text();
    intent.name = text();
    intent.version = text();
    intent.queue = text();
    intent.enqueued = byte() != 0;
    return intent;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

std::string record_of(const Writer& payload) {
  Writer header;
  header.integer(payload.bytes().size());
  header.integer(XXH3_64bits(payload.bytes().data(), payload.bytes().size()));
  return header.bytes() + payload.bytes();
}

void encode(Writer& out, const JournalTransaction& transaction) {
  out.byte(transaction_tag);
  out.byte(static_cast<char>(transaction.write));
  out.integer(transaction.intents.size());
  for (const auto& intent : transaction.intents) out.intent(intent);
  out.text(transaction.id);
  out.text(transaction.version);
}

JournalTransaction decode(Reader& in) {
  JournalTransaction transaction;
  transaction.write = static_cast<JournalWrite>(in.byte());
  const std::uint64_t count = in.integer();
  for (std::uint64_t i = 0; i < count; ++i) transaction.intents.push_back(in.intent());
  transaction.id = in.text();
  transaction.version = in.text();
  return transaction;
}

void encode(Writer& out, const JournalContents& contents, std::uint64_t transactions) {
  out.byte(snapshot_tag);
  out.integer(transactions);
  out.integer(contents.intents.size());
  for (const auto& [seq, intent] : contents.intents) out.intent(intent);
  out.integer(contents.applied.size());
  for (const auto& [name, applied] : contents.applied) {
    out.text(name);
    out.text(applied.version);
    out.integer(static_cast<std::uint64_t>(applied.seq));
  }
}

void decode(Reader& in, JournalLog::Recovered& recovered) {
  recovered.transactions = in.integer();
  const std::uint64_t intents = in.integer();
  for (std::uint64_t i = 0; i < intents; ++i) {
    JournalContents::Intent intent = in.intent();
    recovered.contents.intents[intent.seq] = std::move(intent);
  }
  const std::uint64_t names = in.integer();
  for (std::uint64_t i = 0; i < names; ++i) {
    std::string name = in.text();
    std::string version = in.text();
    const auto seq = static_cast<std::int64_t>(in.integer());
    recovered.contents.applied[std::move(name)] = {std::move(version), seq};
  }
}

/// The payload of the record at `at`, or nullopt when there is no whole record with the right checksum.
std::optional<std::string_view> record_at(std::string_view log, std::size_t at) {
  if (log.size() < at + header_size) return std::nullopt;
  Reader header(log.substr(at, header_size));
  const std::uint64_t size = header.integer();
  const std::uint64_t checksum = header.integer();
  if (size > log.size() - at - header_size) return std::nullopt;
  const std::string_view payload = log.substr(at + header_size, size);
  if (XXH3_64bits(payload.data(), payload.size()) != checksum) return std::nullopt;
  return payload;
}

}  // namespace

void JournalLog::append(const JournalTransaction& transaction) {
  Writer payload;
  encode(payload, transaction);
  disk_.append(file_, record_of(payload));
}

void JournalLog::checkpoint(const JournalContents& contents, std::uint64_t transactions, bool fails) {
  if (disk_.read(file_).size() < std::max(rewrite_size, 4 * last_rewrite_size_)) {
    if (fails) {
      disk_.fail_sync(file_);
    } else {
      disk_.sync(file_);
    }
    return;
  }
  if (fails) return;  // the new file is not put in the old one's place
  Writer payload;
  encode(payload, contents, transactions);
  std::string record = record_of(payload);
  last_rewrite_size_ = record.size();
  disk_.replace(file_, std::move(record));
}

JournalLog::Recovered JournalLog::recover(Skip skip) {
  Recovered recovered;
  const std::string_view log = disk_.read(file_);
  std::size_t at = 0;
  while (const auto payload = record_at(log, at)) {
    Reader in(*payload);
    if (in.byte() == snapshot_tag) {
      decode(in, recovered);
    } else {
      const JournalTransaction transaction = decode(in);
      const bool last = !record_at(log, at + header_size + payload->size());
      const bool skipped = skip == Skip::second ? recovered.transactions == 1 : skip == Skip::last && last;
      if (!skipped) apply_transaction(recovered.contents, transaction);
      ++recovered.transactions;
    }
    at += header_size + payload->size();
  }
  if (at < log.size()) disk_.truncate(file_, at);
  return recovered;
}

}  // namespace cohsim
