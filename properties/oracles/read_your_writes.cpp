// A node that finished a write reads that value or a later one. A read counts if it began after the write had ended.
#include "properties/oracles/all.h"
#include "properties/oracles/reads.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class ReadYourWrites final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "read_your_writes"; }

  void on(const When& when, const event::Committed& event) override { note_write(writes_, when, event); }
  void on(const When& when, const event::WriteEnded& event) override {
    if (!event.ok) return;
    const NameWrites* writes = writes_.find({0, event.table.index, event.id});
    const Write* write = writes == nullptr ? nullptr : writes->of_version(event.version);
    if (write != nullptr) finished_[name_at(event)].raise(when.at, write->serial);
  }
  void on(const When& when, const event::FetchEnded& event) override {
    const Floors* floors = finished_.find(name_at(event));
    const std::uint64_t least = floors == nullptr ? 0 : floors->before(event.began);
    if (least == 0 || !event.value) return;
    const Write* read = writes_.find({0, event.table.index, event.id})->of_value(*event.value);
    if (read == nullptr) return;  // nobody's write: a row set by hand
    exercise();
    if (read->serial >= least) return;
    violate(when, fmt::format("{} had finished commit {} of {}, and a read that began after that gave commit {}, value {}",
                              world().actor_name(event.node), least, event.id, read->serial, quote(*event.value)));
  }

 private:
  Writes writes_;
  ByName<Floors> finished_;
};

}  // namespace

std::unique_ptr<Oracle> make_read_your_writes(const WorldView& world) {
  return std::make_unique<ReadYourWrites>(world);
}

}  // namespace cohsim::oracles
