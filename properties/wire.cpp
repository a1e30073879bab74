#include "properties/wire.h"

#include "sim/scheduler.h"

namespace cohsim {
namespace {

constexpr std::size_t header_size = 8;
constexpr std::uint64_t max_frame = std::uint64_t{1} << 32;

struct Writer {
  std::string out;
  void number(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
  }
  void text(std::string_view value) {
    number(value.size());
    out.append(value);
  }
  void counts(const Counts& values) {
    number(values.size());
    for (const auto& [key, value] : values) {
      text(key);
      number(value);
    }
  }
};

struct Reader {
  std::string_view in;
  std::uint64_t number() {
    if (in.size() < 8) throw InternalError("a worker's frame ends in the middle of a number");
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8; ++i) value |= std::uint64_t{static_cast<unsigned char>(in[i])} << (8 * i);
    in.remove_prefix(8);
    return value;
  }
  std::string text() {
    const std::uint64_t size = number();
    if (in.size() < size) throw InternalError("a worker's frame ends in the middle of a string");
    std::string value(in.substr(0, size));
    in.remove_prefix(size);
    return value;
  }
  Counts counts() {
    Counts values;
    for (std::uint64_t left = number(); left > 0; --left) {
      std::string key = text();
      const std::uint64_t value = number();
      values.emplace(std::move(key), value);
    }
    return values;
  }
};

}  // namespace

std::string encode_frame(const RunOutcome& outcome) {
  const RunResult& r = outcome.result;
  Writer body;
  body.text(outcome.fault);
  for (const std::uint64_t value : {r.seed, r.hash, r.steps, static_cast<std::uint64_t>(r.virtual_us)}) {
    body.number(value);
  }
  body.number(r.violations.size());
  for (const auto& violation : r.violations) {
    body.text(violation.property);
    body.number(violation.step);
    body.number(static_cast<std::uint64_t>(violation.at));
    body.text(violation.sentence);
  }
  for (const Counts* counts : {&r.exercised, &r.branches, &r.faults, &r.measures, &r.staleness, &r.crash_places}) body.counts(*counts);
  body.text(r.broken_scenario);
  body.text(r.not_simulated);
  Writer frame;
  frame.number(body.out.size());
  return frame.out + body.out;
}

std::optional<RunOutcome> take_frame(std::string& buffer) {
  if (buffer.size() < header_size) return std::nullopt;
  Reader header{buffer};
  const std::uint64_t size = header.number();
  if (size > max_frame) throw InternalError("a worker's frame has an absurd length");
  if (buffer.size() - header_size < size) return std::nullopt;
  Reader body{std::string_view(buffer).substr(header_size, size)};
  RunOutcome outcome;
  RunResult& r = outcome.result;
  outcome.fault = body.text();
  r.seed = body.number();
  r.hash = body.number();
  r.steps = body.number();
  r.virtual_us = static_cast<TimeUs>(body.number());
  for (std::uint64_t left = body.number(); left > 0; --left) {
    Violation violation;
    violation.property = body.text();
    violation.step = body.number();
    violation.at = static_cast<TimeUs>(body.number());
    violation.sentence = body.text();
    r.violations.push_back(std::move(violation));
  }
  for (Counts* counts : {&r.exercised, &r.branches, &r.faults, &r.measures, &r.staleness, &r.crash_places}) *counts = body.counts();
  r.broken_scenario = body.text();
  r.not_simulated = body.text();
  if (!body.in.empty()) throw InternalError("a worker's frame has bytes left over");
  buffer.erase(0, header_size + size);
  return outcome;
}

}  // namespace cohsim
