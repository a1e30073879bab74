#include "properties/wire.h"

#include "properties/gate_fake.h"
#include "sim/scheduler.h"
#include "testing/catch.h"

using namespace cohsim;

TEST_CASE("a frame carries everything, byte for byte") {
  RunOutcome sent{fake::bad(UINT64_MAX, "p"), "fault"};
  sent.result.violations[0].sentence = std::string("zero \0 and \xff", 12);
  sent.result.violations[0].at = -5;
  sent.result.broken_scenario = "broken";
  sent.result.not_simulated = "HGET";
  std::string buffer = encode_frame(sent);
  const std::string again = buffer;
  const auto received = take_frame(buffer);
  REQUIRE(received);
  CHECK(buffer.empty());
  CHECK(encode_frame(*received) == again);
  CHECK(received->fault == "fault");
  CHECK(received->result.seed == UINT64_MAX);
  CHECK(received->result.violations.at(0).sentence == sent.result.violations[0].sentence);
  CHECK(received->result.violations.at(0).at == -5);
  CHECK(received->result.measures == sent.result.measures);
  CHECK(received->result.not_simulated == "HGET");
}

TEST_CASE("a frame is taken only when it is whole") {
  const std::string frame = encode_frame({fake::good(1), {}});
  for (std::size_t size = 0; size < frame.size(); ++size) {
    std::string part = frame.substr(0, size);
    CHECK_FALSE(take_frame(part).has_value());
    CHECK(part.size() == size);
  }
  std::string two = frame + frame;
  CHECK(take_frame(two).has_value());
  CHECK(two == frame);
}

TEST_CASE("a frame that makes no sense is an internal error") {
  std::string frame = encode_frame({fake::good(1), {}});
  frame[0] = static_cast<char>(frame[0] + 1);
  frame += '\0';
  CHECK_THROWS_AS(take_frame(frame), InternalError);
  std::string absurd(16, '\xff');
  CHECK_THROWS_AS(take_frame(absurd), InternalError);
}
