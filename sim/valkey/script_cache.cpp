#include "sim/valkey/script_cache.h"

#include "lua/sha1.h"

namespace cohsim::valkey {

namespace {

constexpr std::size_t sha1_digits = 40;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

}  // namespace

const CachedScript* ScriptCache::find(std::string_view sha1) {
  if (last_ != nullptr && last_->sha1 == sha1 && last_->compiled.function.generation == interpreter_->generation(dialect_)) {
    return last_;
  }
  if (sha1.size() != sha1_digits) return nullptr;
  const auto known = state_.scripts.find(lower_case(sha1));
  if (known == state_.scripts.end()) return nullptr;
  CachedScript& script = known->second;
  refresh(script);
  if (script.used == 0) {
    last_ = &script;
  } else {
    touch(script);
  }
  return &known->second;
}

std::variant<const CachedScript*, lua::CompileError> ScriptCache::add(std::string_view text, bool pinned) {
  std::string sha1 = lua::sha1_hex(text);
  if (const CachedScript* const known = find(sha1)) {
    if (pinned && known->used != 0) {
      before_change();
      CachedScript& script = state_.scripts.find(sha1)->second;
      state_.by_use.erase(script.used);
      script.used = 0;
      return &script;
    }
    return known;
  }
  const auto compiled = interpreter_->compile(text, sha1, dialect_);
  if (const auto* const error = std::get_if<lua::CompileError>(&compiled)) return *error;
  before_change();
  if (bounded_ && !pinned && state_.by_use.size() >= evaluated_max) drop_oldest();
  CachedScript script{sha1, std::string(text), std::get<lua::Compiled>(compiled), 0};
  if (!pinned) {
    script.used = ++state_.uses;
    state_.by_use.emplace(script.used, sha1);
  }
  return &state_.scripts.emplace(std::move(sha1), std::move(script)).first->second;
}

const std::string* ScriptCache::text(std::string_view sha1) const {
  const auto place = state_.scripts.find(lower_case(sha1));
  return place == state_.scripts.end() ? nullptr : &place->second.text;
}

bool ScriptCache::knows(std::string_view sha1) const { return text(sha1) != nullptr; }

void ScriptCache::clear() {
  before_change();
  state_ = {};
  last_ = nullptr;
}

void ScriptCache::roll_back() {
  rehearsing_ = false;
  if (!saved_) return;
  state_ = std::move(*saved_);
  saved_.reset();
  last_ = nullptr;
}

void ScriptCache::before_change() {
  if (rehearsing_ && !saved_) saved_ = state_;
}

void ScriptCache::touch(CachedScript& script) {
  before_change();
  state_.by_use.erase(script.used);
  script.used = ++state_.uses;
  state_.by_use.emplace(script.used, script.sha1);
}

void ScriptCache::refresh(CachedScript& script) {
  if (script.compiled.function.generation == interpreter_->generation(dialect_)) return;
  const auto compiled = interpreter_->compile(script.text, script.sha1, dialect_);
  if (const auto* const again = std::get_if<lua::Compiled>(&compiled)) script.compiled = *again;
}

void ScriptCache::drop_oldest() {
  const auto oldest = state_.by_use.begin();
  state_.scripts.erase(oldest->second);
  state_.by_use.erase(oldest);
}

}  // namespace cohsim::valkey
