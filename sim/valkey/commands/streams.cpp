// XADD, XDEL, XLEN, XTRIM (t_stream.c). Groups are not simulated.
#include <algorithm>
#include <array>

#include "sim/valkey/arguments.h"
#include "sim/valkey/commands/number_args.h"
#include "sim/valkey/commands/stream_ids.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

struct Options {
  StreamTrim trim;
  bool only_existing = false;  ///< NOMKSTREAM
  bool limited = false;
  std::int64_t limit = 0;
  std::size_t id_at = 0;  ///< of XADD: where the id stands, or would have to
  StreamId id;
  bool auto_id = false;        ///< "*"
  bool auto_sequence = false;  ///< "ms-*"
};

bool refuse(CommandCall& call, std::string_view error) {
  call.reply.error(error);
  return false;
}

/// "MAXLEN|MINID [=|~] threshold" at `args[place]`, which moves to the threshold.
bool read_trim(CommandCall& call, std::size_t& place, StreamTrim& trim) {
  if (trim.by != StreamTrim::By::nothing) {
    return refuse(call, "ERR syntax error, MAXLEN and MINID options at the same time are not compatible");
  }
  trim.by = is_option(call.args[place], "MAXLEN") ? StreamTrim::By::length : StreamTrim::By::id;
  trim.about = false;
  ++place;
  const bool more = place + 1 < call.args.size();
  if (more && (is_option(call.args[place], "~") || is_option(call.args[place], "="))) {
    trim.about = is_option(call.args[place], "~");
    ++place;
  }
  if (trim.by == StreamTrim::By::id) return read_stream_id(call, call.args[place], 0, trim.least);
  std::int64_t length = 0;
  if (!read_number(call, call.args[place], length)) return false;
  if (length < 0) return refuse(call, "ERR The MAXLEN argument must be >= 0.");
  trim.length = static_cast<std::uint64_t>(length);
  return true;
}

bool read_id(CommandCall& call, std::string_view text, Options& options) {
  if (is_option(text, "*")) {
    options.auto_id = true;
    return true;
  }
  const std::string_view plain = text.substr(0, text.find('\0'));
  const std::size_t dash = plain.find('-');
  options.auto_sequence = dash != std::string_view::npos && plain.substr(dash) == "-*";
  return read_stream_id(call, options.auto_sequence ? plain.substr(0, dash) : text, 0, options.id);
}

/// What goes together, and how much "about" may take away at once.
bool check_options(CommandCall& call, bool adds, Options& options) {
  constexpr std::int64_t most = 1'000'000;
  constexpr std::int64_t usual = 10'000;
  const bool trims = options.trim.by != StreamTrim::By::nothing;
  if (options.limit != 0 && !trims) {
    return refuse(call, "ERR syntax error, LIMIT cannot be used without specifying a trimming strategy");
  }
  if (!adds && !trims) return refuse(call, errors::syntax);
  if (options.limited && !options.trim.about) {
    return refuse(call, "ERR syntax error, LIMIT cannot be used without the special ~ option");
  }
  if (!options.limited && options.trim.about) {
    const std::int64_t node_entries = call.server.config.limits.stream_node_entries;
    options.limit = node_entries > most / 100 ? most : node_entries == 0 ? usual : node_entries * 100;
  }
  options.trim.limit = static_cast<std::uint64_t>(options.limit);
  return true;
}

/// Reads the options of XADD with its id, or of XTRIM; false with the error written.
bool read_options(CommandCall& call, bool adds, Options& options) {
  std::size_t place = 2;
  for (; place < call.args.size(); ++place) {
    const std::string_view word = call.args[place];
    const bool has_value = place + 1 < call.args.size();
    if (has_value && !(adds && is_option(word, "*")) && (is_option(word, "MAXLEN") || is_option(word, "MINID"))) {
      if (!read_trim(call, place, options.trim)) return false;
    } else if (has_value && is_option(word, "LIMIT")) {
      if (!read_number(call, call.args[++place], options.limit)) return false;
      if (options.limit < 0) return refuse(call, "ERR The LIMIT argument must be >= 0.");
      options.limited = true;
    } else if (adds && is_option(word, "NOMKSTREAM")) {
      options.only_existing = true;
    } else if (adds) {
      if (!read_id(call, word, options)) return false;
      break;
    } else {
      return refuse(call, errors::syntax);
    }
  }
  options.id_at = place;
  return check_options(call, adds, options);
}

/// The id of the new entry; false with the error written.
bool choose_id(CommandCall& call, StreamId last, Options& options) {
  if (last == highest_id) {
    return refuse(call, "ERR The stream has exhausted the last possible ID, unable to add more items");
  }
  const auto now = StreamId{static_cast<std::uint64_t>(call.server.keyspace.now_ms()), 0};
  if (options.auto_id) {
    options.id = now.ms > last.ms ? now : *id_behind(last);
  } else if (options.auto_sequence && options.id.ms == last.ms) {
    if (last.sequence == highest_id.sequence) return refuse(call, "ERR Elements are too large to be stored");
    options.id = *id_behind(last);
  }
  if (options.id > last) return true;
  return refuse(call, "ERR The ID specified in XADD is equal or smaller than the target stream top item");
}

std::size_t trim(CommandCall& call, const StreamTrim& by) {
  const Stream* stream = nullptr;
  if (!find_typed(call, call.args[1], stream) || stream == nullptr) return 0;
  Stream trimmed = *stream;
  const std::size_t gone = trimmed.trim(by);
  if (gone == 0) return 0;
  call.server.keyspace.edit<Stream>(call.args[1], "XTRIM", [&](Stream& changed) { changed = std::move(trimmed); });
  return gone;
}

void run_xadd(CommandCall& call) {
  Options options;
  if (!read_options(call, true, options)) return;
  const std::size_t first = options.id_at + 1;
  if (first >= call.args.size() || (call.args.size() - first) % 2 != 0) {
    return call.reply.error(call.reply.keep(wrong_arity(call.command)));
  }
  if (!options.auto_id && !options.auto_sequence && options.id == StreamId{}) {
    return call.reply.error("ERR The ID specified in XADD must be greater than 0-0");
  }
  const Stream* stream = nullptr;
  if (!find_typed(call, call.args[1], stream)) return;
  if (stream == nullptr && options.only_existing) return call.reply.nil();
  if (!choose_id(call, stream == nullptr ? StreamId{} : stream->last, options)) return;
  StreamEntry entry{options.id, {call.args.begin() + static_cast<std::ptrdiff_t>(first), call.args.end()}};
  const FormLimits& limits = call.server.config.limits;
  call.server.keyspace.edit<Stream>(call.args[1], "XADD", [&](Stream& changed) {
    changed.append(std::move(entry), limits.stream_node_entries, limits.stream_node_bytes);
  });
  trim(call, options.trim);
  call.reply.bulk(call.reply.keep(stream_id_text(options.id)));
}

void run_xtrim(CommandCall& call) {
  Options options;
  const Stream* stream = nullptr;
  if (!read_options(call, false, options) || !find_typed(call, call.args[1], stream)) return;
  call.reply.integer(stream == nullptr ? 0 : static_cast<std::int64_t>(trim(call, options.trim)));
}

void run_xlen(CommandCall& call) {
  const Stream* stream = nullptr;
  if (!find_typed(call, call.args[1], stream)) return;
  call.reply.integer(stream == nullptr ? 0 : static_cast<std::int64_t>(stream->length));
}

void run_xdel(CommandCall& call) {
  const Stream* stream = nullptr;
  if (!find_typed(call, call.args[1], stream)) return;
  if (stream == nullptr) return call.reply.integer(0);
  std::vector<StreamId> ids;
  for (const std::string_view text : call.args.subspan(2)) {
    StreamId id;
    if (!read_stream_id(call, text, 0, id)) return;
    ids.push_back(id);
  }
  const auto is_there = [&](StreamId id) { return !stream->range(id, id, 1, false).empty(); };
  std::int64_t removed = 0;
  if (std::any_of(ids.begin(), ids.end(), is_there)) {
    call.server.keyspace.edit<Stream>(call.args[1], "XDEL", [&](Stream& changed) {
      for (const StreamId id : ids) removed += changed.remove(id) ? 1 : 0;
    });
  }
  call.reply.integer(removed);
}

constexpr KeyPositions behind_streams{0, 0, 0, 0, "STREAMS"};

constexpr std::array table = {
    Command{"XADD", -5, flag_write | flag_denyoom, one_key, run_xadd},
    Command{"XDEL", -3, flag_write, one_key, run_xdel},
    Command{"XLEN", 2, flag_none, one_key, run_xlen},
    Command{"XRANGE", -4, flag_none, one_key, run_xrange},
    Command{"XREAD", -4, flag_none, behind_streams, run_xread},
    Command{"XREVRANGE", -4, flag_none, one_key, run_xrevrange},
    Command{"XTRIM", -4, flag_write, one_key, run_xtrim},
};

}  // namespace

std::span<const Command> stream_commands() { return table; }

}  // namespace cohsim::valkey
