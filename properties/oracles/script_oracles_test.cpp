// The six properties of :coherence_drop, on fabricated calls.
#include <rapidcheck.h>

#include "properties/oracles/fake_world.h"
#include "properties/oracles/support.h"
#include "testing/catch.h"

namespace cohsim::oracles {

namespace {

struct Call {
  std::string argument = v(2);
  std::optional<std::string> before = v(1) + "value", after;
  std::optional<std::int64_t> deadline = 5000, deadline_after = 5000;
  valkey::Reply reply = valkey::Reply::of_integer(1), again = valkey::Reply::of_integer(0);
  bool again_changed = false;
  std::set<std::string, std::less<>> touched{"ecc:{users}:x"};
  bool endless = false;
};

Watch judge(std::unique_ptr<Oracle> (*make)(const WorldView&), const Call& call) {
  Watch watch(make);
  valkey::Row before, after;
  if (call.before) before = {*call.before, call.deadline};
  if (call.after) after = {*call.after, call.deadline_after};
  watch(event::ScriptRan{node_a, users, id_of_users(), "ecc:{users}:x", call.argument, call.before ? &before : nullptr,
                         call.after ? &after : nullptr, &call.reply, &call.again, call.again_changed, &call.touched,
                         call.endless, "user_script:3"});
  return watch;
}

Call kept(std::string argument) {
  Call call;
  call.argument = std::move(argument);
  call.after = call.before;
  call.reply = valkey::Reply::of_integer(0);
  return call;
}

// The seed's script, as a reference that is right by construction: byte order of a fixed-width number is its order.
Call reference(const std::optional<std::string>& row, const std::string& argument) {
  Call call;
  call.argument = argument;
  call.before = call.after = row;
  call.reply = valkey::Reply::of_integer(0);
  const auto payload = [](const std::string& text) { return text.size() < 3 ? std::string() : text.substr(3, 11); };
  if (row && (row->size() < 14 || payload(argument) > payload(*row))) {
    call.after.reset();
    call.reply = valkey::Reply::of_integer(1);
  }
  return call;
}

const auto script_oracles = {make_no_newer_row_erased, make_newer_message_drops, make_verdict_is_true,
                             make_drop_always_answers, make_drop_is_idempotent,  make_drop_touches_one_key};

}  // namespace

TEST_CASE("script oracles are silent on the seed's script, whatever bytes it meets") {
  CHECK(rc::check("any row, any message", [] {
    const auto bytes = rc::gen::oneOf(
        rc::gen::map(rc::gen::inRange<std::uint64_t>(0, 5), [](std::uint64_t n) { return v(n) + "value"; }),
        rc::gen::map(rc::gen::inRange<std::uint64_t>(0, 5), [](std::uint64_t n) { return v(n, "ZZZ"); }),
        rc::gen::just(std::string("USRzzzzzzzzzzz")), rc::gen::just(std::string("USRzzzzzzzzzzy")),
        rc::gen::container<std::string>(rc::gen::arbitrary<char>()));
    const auto row = *rc::gen::maybe(bytes);
    const std::string argument = *bytes;
    const std::optional<std::string> before = row ? std::optional<std::string>(*row) : std::nullopt;
    for (const auto make : script_oracles) RC_ASSERT(!judge(make, reference(before, argument)).violated());
  }));
}

TEST_CASE("no_newer_row_erased") {
  CHECK(judge(make_no_newer_row_erased, {}).holds());
  CHECK(judge(make_no_newer_row_erased, kept(v(1))).holds());
  Call call;
  call.argument = v(1);  // the same version
  CHECK(judge(make_no_newer_row_erased, call).violated());
  call.argument = v(0, "ZZZ");  // older, of a higher namespace
  CHECK(judge(make_no_newer_row_erased, call).sentence().find("the row was erased") != std::string::npos);
  call.before = "short";
  CHECK_FALSE(judge(make_no_newer_row_erased, call).violated());
  call.before = "USRaaaaaaaaaaavalue";
  call.argument = "USRZZZZZZZZZZZ";  // newer under en_US.UTF-8 only
  CHECK(judge(make_no_newer_row_erased, call).violated());
}

TEST_CASE("newer_message_drops") {
  CHECK(judge(make_newer_message_drops, {}).holds());
  CHECK_FALSE(judge(make_newer_message_drops, kept(v(1))).violated());
  CHECK(judge(make_newer_message_drops, kept(v(2))).violated());
  Call call = kept(v(0));
  call.before = call.after = std::string("USR0000");
  CHECK(judge(make_newer_message_drops, call).violated());
  call.before.reset();
  call.after.reset();
  CHECK_FALSE(judge(make_newer_message_drops, call).violated());
}

TEST_CASE("verdict_is_true") {
  CHECK(judge(make_verdict_is_true, {}).holds());
  CHECK(judge(make_verdict_is_true, kept(v(0))).holds());
  Call call;
  call.reply = valkey::Reply::of_integer(0);
  CHECK(judge(make_verdict_is_true, call).violated());
  call.reply = valkey::Reply::of_error("ERR x");
  CHECK(judge(make_verdict_is_true, call).violated());
  call = kept(v(0));
  call.reply = valkey::Reply::of_integer(1);
  CHECK(judge(make_verdict_is_true, call).violated());
  call = kept(v(0));
  call.deadline_after.reset();
  CHECK(judge(make_verdict_is_true, call).violated());
  call = kept(v(0));
  call.after = v(1) + "other";
  CHECK(judge(make_verdict_is_true, call).violated());
  call = kept(v(0));
  call.reply = valkey::Reply::of_error("ERR no verdict, and nothing done");
  CHECK_FALSE(judge(make_verdict_is_true, call).violated());
}

TEST_CASE("drop_always_answers") {
  CHECK(judge(make_drop_always_answers, {}).holds());
  Call call;
  call.reply = valkey::Reply::of_integer(2);
  CHECK(judge(make_drop_always_answers, call).violated());
  call.reply = valkey::Reply::of_error("ERR user_script:3: attempt to compare nil with string");
  CHECK(judge(make_drop_always_answers, call).violated());
  call.reply = valkey::Reply::of_bulk("1");
  CHECK(judge(make_drop_always_answers, call).violated());
  call.endless = true;
  CHECK(judge(make_drop_always_answers, call).sentence().find("user_script:3") != std::string::npos);
}

TEST_CASE("drop_is_idempotent") {
  CHECK(judge(make_drop_is_idempotent, {}).holds());
  Call call;
  call.again = valkey::Reply::of_integer(1);
  CHECK(judge(make_drop_is_idempotent, call).violated());
  call.again = valkey::Reply::of_integer(0);
  call.again_changed = true;
  CHECK(judge(make_drop_is_idempotent, call).violated());
  call.endless = true;
  CHECK_FALSE(judge(make_drop_is_idempotent, call).violated());
}

TEST_CASE("drop_touches_one_key") {
  CHECK(judge(make_drop_touches_one_key, {}).holds());
  Call call;
  call.touched.clear();
  CHECK(judge(make_drop_touches_one_key, call).holds());
  call.touched.insert("ecc:{users}:y");
  CHECK(judge(make_drop_touches_one_key, call).violated());

  // The floor or the lease of the same name, where the design declares it.
  const auto touching = [](const std::string& key, FillWrite fill, AfterDrop drop) {
    Watch watch(make_drop_touches_one_key);
    watch.world.scenario_.design.fill_write = fill;
    watch.world.scenario_.design.after_drop = drop;
    const valkey::Reply zero = valkey::Reply::of_integer(0);
    const std::set<std::string, std::less<>> touched{"k", key};
    watch(event::ScriptRan{node_a, users, id_of_users(), "k", v(1), nullptr, nullptr, &zero, &zero, false, &touched, false, ""});
    return watch.violated();
  };
  const std::string floor = "ecc.floor:{users}:" + id_of_users(), lease = "ecc.lease:{users}:" + id_of_users();
  CHECK_FALSE(touching(floor, FillWrite::newer_only, AfterDrop::floor));
  CHECK_FALSE(touching(lease, FillWrite::lease, AfterDrop::nothing));
  CHECK(touching(floor, FillWrite::newer_only, AfterDrop::nothing));
  CHECK(touching(lease, FillWrite::newer_only, AfterDrop::floor));
  CHECK(touching("ecc.floor:{users}:" + v(1001), FillWrite::newer_only, AfterDrop::floor));
}

TEST_CASE("an oracle's own reading of versions and messages") {
  CHECK(number_of("USR0KHTOWnGLuC") == 274557032793636864u);
  CHECK(number_of("USR0NgWEfAEJfs") == 320636799581945856u);
  CHECK_FALSE(number_of("USRzzzzzzzzzzz"));
  CHECK(number_of("USRAzL8n0Y58m7") == (std::uint64_t{1} << 63) - 1);
  CHECK_FALSE(number_of("USRAzL8n0Y58m8"));
  CHECK(is_newer("AAA00000000002", "ZZZ00000000001"));
  CHECK_FALSE(is_newer("ZZZ00000000001", "AAA00000000001"));
  CHECK(read_message("USR0KHTOWnGLuC:USR0NgWEfAEJfs"));
  CHECK_FALSE(read_message("USR0KHTOWnGLuC;USR0NgWEfAEJfs"));
  CHECK_FALSE(read_message("USR0KHTOWnGLuC:USR0NgWEfAEJfs "));
  CHECK_FALSE(read_message("USRzzzzzzzzzzz:USR0NgWEfAEJfs"));
  CHECK_FALSE(read_message("usr0KHTOWnGLuC:USR0NgWEfAEJfs"));
}

}  // namespace cohsim::oracles
