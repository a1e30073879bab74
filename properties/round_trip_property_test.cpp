// Ids, messages and frames survive printing and reading, and nothing else passes for one of them.
#include "model/message.h"
#include "properties/generators.h"
#include "properties/rapid.h"
#include "testing/catch.h"

using namespace cohsim;

namespace {

/// Base62 by the textbook, from the left: the highest power that fits first.
std::string digits_of(Snowflake number) {
  std::string text;
  Snowflake power = 839'299'365'868'340'224;  // 62^10
  for (int place = 0; place < 11; ++place, power /= 62) {
    const auto digit = static_cast<char>(number / power % 62);
    const char first = digit < 10 ? '0' : digit < 36 ? 'A' - 10 : 'a' - 36;
    text += static_cast<char>(first + digit);
  }
  return text;
}

/// Messages, and bytes that nearly are.
rc::Gen<std::string> nearly_message() {
  return rc::gen::exec([] {
    const auto separator = *rc::gen::weightedElement<std::string>({{6, ":"}, {1, ";"}, {1, ""}, {1, std::string(1, '\0')}});
    const std::string id = *generate::nearly_branded();
    return id + separator + *generate::nearly_branded();
  });
}

}  // namespace

TEST_CASE("round trip: ids") {
  check_property("a branded number is its namespace and its digits, and reads back", [] {
    const std::string name = *generate::name_space();
    const Snowflake number = *generate::snowflake();
    const std::string id = brand(name, number);
    RC_ASSERT(id == name + digits_of(number));
    RC_ASSERT(snowflake_of(id) == number);
  }, {3'000, 100});
  check_property("numbers of more than 63 bits are refused", [] {
    const auto number = *rc::gen::inRange<Snowflake>(max_snowflake + 1, ~Snowflake{0});
    RC_ASSERT_THROWS_AS(static_cast<void>(brand("USR", number)), std::invalid_argument);
  }, {500, 100});
}

TEST_CASE("round trip: whatever reads as an id prints back to itself") {
  Reached reached;
  check_property("bytes that read as an id are the id of their number", [&] {
    const auto text = *rc::gen::oneOf(generate::bytes(0, 20), generate::bytes(branded_size, branded_size),
                                      generate::nearly_branded());
    const std::optional<Snowflake> number = snowflake_of(text);
    reached.note(number ? "accepted" : "refused");
    RC_ASSERT(is_branded(text) == number.has_value());
    if (number) RC_ASSERT(brand(text.substr(0, namespace_size), *number) == text);
  }, {3'000, 100});
  check_property("an id with one byte off is refused or another id", [&] {
    const std::string id = *generate::branded();
    const std::string off = *generate::one_byte_off(id);
    const std::optional<Snowflake> number = snowflake_of(off);
    reached.note(number ? "another id" : "no id");
    if (number) RC_ASSERT(off.substr(0, namespace_size) != id.substr(0, namespace_size) || *number != snowflake_of(id));
  }, {3'000, 100});
  reached.require({"accepted", "refused", "another id", "no id"});
}

TEST_CASE("round trip: messages") {
  Reached reached;
  check_property("a message reads back as what was printed", [] {
    const CoherenceMessage message{*generate::branded(), *generate::branded()};
    const std::string bytes = to_bytes(message);
    RC_ASSERT(bytes.size() == message_size);
    RC_ASSERT(parse_message(bytes) == message);
  }, {1'000, 100});
  check_property("bytes that read as a message print back to themselves", [&] {
    const auto bytes = *rc::gen::oneOf(generate::bytes(0, 40), generate::bytes(message_size, message_size), nearly_message());
    const std::optional<CoherenceMessage> message = parse_message(bytes);
    reached.note(message ? "message" : "no message");
    if (message) RC_ASSERT(to_bytes(*message) == bytes);
  }, {3'000, 100});
  check_property("a message with one byte off, or too many or few, is refused or another message", [&] {
    const CoherenceMessage message{*generate::branded(), *generate::branded()};
    const std::string bytes = to_bytes(message);
    const std::string off = *generate::one_byte_off(bytes);
    const std::optional<CoherenceMessage> other = parse_message(off);
    reached.note(other ? "another message" : "broken message");
    RC_ASSERT(other != message);
    if (off[branded_size] != ':') RC_ASSERT_FALSE(other.has_value());
    RC_ASSERT_FALSE(parse_message(bytes.substr(0, *rc::gen::inRange<std::size_t>(0, message_size))).has_value());
    const std::string longer = bytes + *generate::bytes(1, 4);
    RC_ASSERT_FALSE(parse_message(longer).has_value());
  }, {2'000, 100});
  reached.require({"message", "no message", "another message", "broken message"});
}

TEST_CASE("round trip: frames") {
  Reached reached;
  check_property("a frame is a version and a value of any bytes, and nothing shorter is one", [&] {
    const Frame written{*generate::branded(), *generate::bytes(0, 40)};
    RC_ASSERT(parse_frame(to_bytes(written)) == written);
    const std::string bytes = *generate::bytes(0, 30);
    const std::optional<Frame> frame = parse_frame(bytes);
    reached.note(frame ? "frame" : "too short");
    RC_ASSERT(frame.has_value() == (bytes.size() >= branded_size));
    if (frame) RC_ASSERT(to_bytes(*frame) == bytes);
  }, {2'000, 100});
  reached.require({"frame", "too short"});
}
