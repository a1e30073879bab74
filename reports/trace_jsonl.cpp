#include "reports/trace_jsonl.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/escape.h"

namespace cohsim {
namespace {

using Json = nlohmann::ordered_json;

Json bytes_of(std::string_view bytes) {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const std::size_t length = utf8_length(rest);
    if (length == 0) break;
    rest.remove_prefix(length);
  }
  if (rest.empty()) return Json(std::string(bytes));
  std::string hex;
  for (const char c : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return Json{{"hex", hex}};
}

}  // namespace

void JsonlTrace::event(const When& when, std::string_view name, std::span<const Field> fields) {
  Json line{{"step", when.step}, {"at_us", when.at}, {"actor", names_(when.actor)}, {"event", name}};
  Json values = Json::object();
  for (const auto& field : fields) {
    Json& value = values[std::string(field.key)];
    switch (field.kind) {
      case Field::Kind::absent: break;
      case Field::Kind::boolean: value = field.integer != 0; break;
      case Field::Kind::bytes: value = bytes_of(field.bytes); break;
      case Field::Kind::integer:
        if (is_actor_key(field.key)) value = names_(static_cast<Actor>(field.integer));
        else value = field.integer;
        break;
    }
  }
  line["fields"] = std::move(values);
  out_ << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace cohsim
