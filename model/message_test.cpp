#include "model/message.h"

#include <stdexcept>
#include <string>

#include "testing/catch.h"

namespace cohsim {
namespace {

const std::string id = "USR0KHTOWnGLuC";
const std::string version = "TXN0NgWEfAEJfs";

TEST_CASE("a message is id, colon, version: 29 bytes, and comes back") {
  const CoherenceMessage message{id, version};
  CHECK(to_bytes(message) == "USR0KHTOWnGLuC:TXN0NgWEfAEJfs");
  CHECK(to_bytes(message).size() == message_size);
  CHECK(parse_message(to_bytes(message)) == message);
}

TEST_CASE("parsing refuses every other length, another separator, and halves that are no branded ids") {
  CHECK_FALSE(parse_message("").has_value());
  CHECK_FALSE(parse_message("USR0KHTOWnGLuC:TXN0NgWEfAEJf").has_value());
  CHECK_FALSE(parse_message("USR0KHTOWnGLuC:TXN0NgWEfAEJfs0").has_value());
  CHECK_FALSE(parse_message("USR0KHTOWnGLuC:TXN0NgWEfAEJfs\n").has_value());
  for (const char separator : {';', ' ', '0', '\0', '\xff'}) {
    CHECK_FALSE(parse_message(id + separator + version).has_value());
  }
  CHECK_FALSE(parse_message("usr0KHTOWnGLuC:TXN0NgWEfAEJfs").has_value());
  CHECK_FALSE(parse_message("USR0KHTOWnGLuC:txn0NgWEfAEJfs").has_value());
  CHECK_FALSE(parse_message("USRzzzzzzzzzzz:TXN0NgWEfAEJfs").has_value());
  CHECK_FALSE(parse_message("USR0KHTOWnGLuC:TXNzzzzzzzzzzz").has_value());
  CHECK_FALSE(parse_message("USR0KHTOWnGL:CTXN0NgWEfAEJfsX").has_value());
  CHECK_FALSE(parse_message(std::string(29, ':')).has_value());
}

TEST_CASE("a message of no branded ids is not built") {
  CHECK_THROWS_AS(to_bytes(CoherenceMessage{"USR", version}), std::invalid_argument);
  CHECK_THROWS_AS(to_bytes(CoherenceMessage{id, "USRzzzzzzzzzzz"}), std::invalid_argument);
}

TEST_CASE("keys, channels and queues") {
  CHECK(l2_key("users", id) == "ecc:{users}:USR0KHTOWnGLuC");
  CHECK(broadcast_channel("users") == "ecc:{users}:coh");
  CHECK(job_queue("users") == "ecc.coh.users");
  CHECK(job_queue("users", "a") == "ecc.coh.users.a");
  CHECK_THROWS_AS(l2_key("users", "USR"), std::invalid_argument);
  CHECK_THROWS_AS(l2_key("users", "USRzzzzzzzzzzz"), std::invalid_argument);
}

TEST_CASE("a frame is a version and any bytes, none included") {
  for (const std::string& value : {std::string(), std::string("value"), std::string("\0a\0", 3), std::string(100, '\xff')}) {
    const Frame frame{version, value};
    CHECK(to_bytes(frame) == version + value);
    CHECK(parse_frame(to_bytes(frame)) == frame);
  }
}

TEST_CASE("fewer than fourteen bytes are a corrupt frame, fourteen of any kind are none") {
  CHECK_FALSE(parse_frame("").has_value());
  CHECK_FALSE(parse_frame("TXN0NgWEfAEJf").has_value());
  CHECK(parse_frame("not an id, yes") == Frame{"not an id, yes", ""});
  CHECK_THROWS_AS(to_bytes(Frame{"short", "value"}), std::invalid_argument);
}

}  // namespace
}  // namespace cohsim
