// XRANGE, XREVRANGE, XREAD (t_stream.c).
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/valkey/arguments.h"
#include "sim/valkey/commands/number_args.h"
#include "sim/valkey/commands/stream_ids.h"
#include "sim/valkey/commands/waiting.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

void reply_entries(CommandCall& call, const std::vector<const StreamEntry*>& entries) {
  call.reply.array(entries.size());
  for (const StreamEntry* const entry : entries) {
    call.reply.array(2);
    call.reply.bulk(call.reply.keep(stream_id_text(entry->id)));
    call.reply.array(entry->pairs.size());
    for (const std::string& text : entry->pairs) call.reply.bulk(text);
  }
}

/// One end of an interval: "-", "+", an id, or "(" before an id that is left out. False with the error written.
bool read_end(CommandCall& call, std::string_view text, bool first, StreamId& id) {
  if (is_option(text, "-") || is_option(text, "+")) {
    id = is_option(text, "-") ? StreamId{} : highest_id;
    return true;
  }
  const bool open = text.size() > 1 && text.front() == '(';
  if (!read_stream_id(call, open ? text.substr(1) : text, first ? 0 : highest_id.sequence, id)) return false;
  if (!open) return true;
  const auto next = first ? id_behind(id) : id_before(id);
  if (!next) {
    call.reply.error(first ? "ERR invalid start ID for the interval" : "ERR invalid end ID for the interval");
    return false;
  }
  id = *next;
  return true;
}

void show_range(CommandCall& call, bool reversed) {
  StreamId first;
  StreamId last;
  if (!read_end(call, call.args[reversed ? 3 : 2], true, first)) return;
  if (!read_end(call, call.args[reversed ? 2 : 3], false, last)) return;
  std::int64_t count = -1;
  for (std::size_t place = 4; place < call.args.size(); place += 2) {
    if (!is_option(call.args[place], "COUNT") || place + 1 == call.args.size()) return call.reply.error(errors::syntax);
    if (!read_number(call, call.args[place + 1], count)) return;
    count = std::max<std::int64_t>(count, 0);
  }
  const Stream* stream = nullptr;
  if (!find_typed(call, call.args[1], stream)) return;
  if (stream == nullptr) return call.reply.array(0);
  if (count == 0) return call.reply.null_array();
  reply_entries(call, stream->range(first, last, count, reversed));
}

struct Reading {
  std::int64_t count = 0;        ///< 0: all
  bool blocks = false;
  std::int64_t deadline_us = 0;  ///< 0: for ever
  std::span<const std::string_view> keys;
  std::span<const std::string_view> ids;
  std::vector<StreamId> after;
};

bool refuse(CommandCall& call, std::string_view error) {
  call.reply.error(error);
  return false;
}

/// BLOCK's milliseconds. Of a command tried again, the deadline that it had.
bool read_block(CommandCall& call, std::string_view text, Reading& reading) {
  if (call.from_script && call.server.personality().blocks_in_scripts_error) {
    return refuse(call, call.reply.keep(fmt::format("ERR {} command is not allowed with BLOCK option from scripts",
                                                    c_text(call.args[0]))));
  }
  reading.blocks = true;
  if (call.retried != nullptr) {
    reading.deadline_us = call.retried->deadline_us;
    return true;
  }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t span_ms = 0;
  if (!read_bounded(call, text, std::numeric_limits<std::int64_t>::min(), most, span_ms,
                    "ERR timeout is not an integer or out of range")) {
    return false;
  }
  if (span_ms < 0) return refuse(call, "ERR timeout is negative");
  const std::int64_t now_ms = call.server.keyspace.now_ms();
  const std::int64_t deadline_ms = span_ms > most - now_ms ? most : now_ms + span_ms;
  if (span_ms != 0) reading.deadline_us = deadline_ms > most / us_per_ms ? most : deadline_ms * us_per_ms;
  return true;
}

bool read_options(CommandCall& call, Reading& reading) {
  for (std::size_t place = 1; place + 1 < call.args.size(); ++place) {
    const std::string_view word = call.args[place];
    if (is_option(word, "STREAMS")) {
      const auto rest = call.args.subspan(place + 1);
      if (rest.size() % 2 != 0) {
        return refuse(call, "ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.");
      }
      reading.keys = rest.first(rest.size() / 2);
      reading.ids = rest.last(rest.size() / 2);
      return true;
    }
    if (is_option(word, "BLOCK")) {
      if (!read_block(call, call.args[++place], reading)) return false;
    } else if (is_option(word, "COUNT")) {
      if (!read_number(call, call.args[++place], reading.count)) return false;
      reading.count = std::max<std::int64_t>(reading.count, 0);
    } else if (is_option(word, "GROUP") && place + 2 < call.args.size()) {
      return refuse(call, "ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead.");
    } else if (is_option(word, "NOACK")) {
      return refuse(call, "ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead.");
    } else {
      break;
    }
  }
  return refuse(call, errors::syntax);
}

/// Behind which id of each stream; "$" is its last one now.
bool read_ids(CommandCall& call, Reading& reading) {
  if (call.retried != nullptr) {
    reading.after = call.retried->after;
    return true;
  }
  for (std::size_t place = 0; place < reading.keys.size(); ++place) {
    const Stream* stream = nullptr;
    StreamId id;
    if (!find_typed(call, reading.keys[place], stream)) return false;
    if (is_option(reading.ids[place], "$")) {
      if (stream != nullptr) id = stream->last;
    } else if (is_option(reading.ids[place], ">")) {
      return refuse(call, "ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> "
                          "<consumer> option.");
    } else if (!read_stream_id(call, reading.ids[place], 0, id)) {
      return false;
    }
    reading.after.push_back(id);
  }
  return true;
}

struct Found {
  std::string_view key;
  std::vector<const StreamEntry*> entries;
};

/// A server that tries again with the key that came tells even that what came is gone already.
std::vector<Found> look(CommandCall& call, const Reading& reading) {
  const bool only_ready = call.retried != nullptr && !call.server.personality().retries_all_keys;
  std::vector<Found> found;
  for (std::size_t place = 0; place < reading.keys.size(); ++place) {
    const std::string_view key = reading.keys[place];
    if (only_ready && (key != call.retried->ready || !found.empty())) continue;
    const Row* const row = call.server.keyspace.find(key);
    const Stream* const stream = row == nullptr ? nullptr : row->as<Stream>();
    const auto next = id_behind(reading.after[place]);
    if (stream == nullptr || !next || stream->last < *next) continue;
    auto entries = stream->range(*next, highest_id, reading.count == 0 ? -1 : reading.count, false);
    if (!entries.empty() || only_ready) found.push_back({key, std::move(entries)});
  }
  return found;
}

}  // namespace

void run_xrange(CommandCall& call) { show_range(call, false); }
void run_xrevrange(CommandCall& call) { show_range(call, true); }

void run_xread(CommandCall& call) {
  Reading reading;
  if (!read_options(call, reading) || !read_ids(call, reading)) return;
  const std::vector<Found> found = look(call, reading);
  if (found.empty()) {
    if (!reading.blocks) return call.reply.null_array();
    wait_for(call, reading.keys, "stream", reading.deadline_us);
    if (call.client.blocked) call.client.waits.after = reading.after;
    return;
  }
  const bool resp3 = call.protocol == Protocol::resp3;
  if (resp3) {
    call.reply.map(found.size());
  } else {
    call.reply.array(found.size());
  }
  for (const Found& stream : found) {
    if (!resp3) call.reply.array(2);
    call.reply.bulk(call.reply.keep(std::string(stream.key)));
    reply_entries(call, stream.entries);
  }
}

}  // namespace cohsim::valkey
