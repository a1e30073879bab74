#include "reports/trace_text.h"

#include <fmt/format.h>

#include "reports/escape.h"

namespace cohsim {

bool is_actor_key(std::string_view key) { return key == "node" || key == "from" || key == "to"; }

void TextTrace::event(const When& when, std::string_view name, std::span<const Field> fields) {
  std::string line =
      fmt::format("{:>7} {:>12} {:<8} {:<18}", when.step, show_time(when.at), names_(when.actor), name);
  for (const auto& field : fields) {
    line += fmt::format(" {}=", field.key);
    switch (field.kind) {
      case Field::Kind::absent: line += "-"; break;
      case Field::Kind::boolean: line += field.integer != 0 ? "yes" : "no"; break;
      case Field::Kind::bytes: line += show_bytes(field.bytes); break;
      case Field::Kind::integer:
        line += is_actor_key(field.key) ? names_(static_cast<Actor>(field.integer)) : fmt::format("{}", field.integer);
        break;
    }
  }
  out_ << line << '\n';
}

}  // namespace cohsim
