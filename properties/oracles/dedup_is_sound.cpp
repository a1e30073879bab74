// A message is suppressed only if the effect of an equal one has completed or is still due to run. Two places suppress: an
// enqueue that is answered `duplicate`, and a journal that answers remembered_stale.
//
// - Due to run is a job that is pending, scheduled or active (its lease ends, and it comes again); a dead one is not.
// - The effect has completed where apply_coherence ran at a node that the queue serves; what the journal remembers is no
//   proof. A row that comes back afterwards does not undo that (remembered_rows_stay_gone is about it);
//   nor does a failover that brings the row in L2 back. What it does to jobs counts: due to run is what the new server has.
// - A newer version of the same name is as good as an equal one: it removes whatever the older would remove.
// - An equal job id with another message is no equal message.
#include "properties/oracles/all.h"
#include "properties/oracles/queues.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class DedupIsSound final : public Oracle {
 public:
  explicit DedupIsSound(const WorldView& world) : Oracle(world), queues_(world) {}
  using Oracle::on;
  std::string_view property() const override { return "dedup_is_sound"; }

  void on(const When&, const event::CoherenceApplied& event) override {
    for (const Actor at : {Actor{0}, event.node}) {
      std::string& newest = done_[{at, event.table.index, event.id}];
      if (newest.empty() || is_newer(event.version, newest)) newest = event.version;
    }
  }
  void on(const When& when, const event::JournalCallEnded& event) override {
    if (event.verdict != JournalVerdict::remembered_stale) return;
    exercise();
    const std::string* done = done_.find(name_at(event));
    if (covers(done, event.version)) return;
    violate(when, fmt::format("the journal of {} answered remembered_stale to {} for {} of {}, but {} has only ever applied {}",
                              world().actor_name(event.node), show(event.version), event.id, event.table.name,
                              world().actor_name(event.node), done ? show(*done) : "nothing"));
  }

  void on(const When& when, const event::JobEnqueued& event) override {
    if (event.queued) rows_[std::string(event.queue)][std::string(event.job)] = event.payload;
    if (!event.answered_duplicate || event.queued) return;
    const Queues::Serves* serves = queues_.find(event.queue);
    const auto message = read_message(event.payload);
    if (serves == nullptr || !message) return;  // what is no message has no effect to lose
    exercise();
    const bool alive = event.state != JobState::dead && event.state != JobState::absent;
    const std::string* standing = payload_of_row(event.queue, event.job);
    if (alive && (standing == nullptr || stands_for(*standing, *message))) return;
    const std::string* done = done_.find({serves->node, serves->table, message->id});
    if (covers(done, message->version)) return;
    violate(when, fmt::format("{} suppressed {} for {} as a duplicate of job {}, which {}; what was applied of it is {}",
                              event.queue, show(message->version), message->id, event.job,
                              alive ? "carries " + quote(*standing) : std::string("is dead"), done ? show(*done) : "nothing"));
  }
  void on(const When&, const event::JobSettled& event) override {
    if (event.after != JobState::absent) return;
    const auto queue = rows_.find(event.queue);
    if (queue == rows_.end()) return;
    const auto job = queue->second.find(event.job);
    if (job != queue->second.end()) queue->second.erase(job);
  }
  void on(const When&, const event::JobWentBack& event) override {
    auto& rows = rows_[std::string(event.queue)];
    rows.erase(std::string(event.job));
    if (event.state != JobState::absent) rows.emplace(event.job, event.payload);
  }
  void on(const When&, const event::ServerRestarted& event) override {
    if (!event.kept_rows) rows_.clear();
  }

 private:
  static bool covers(const std::string* done, std::string_view version) {
    return done != nullptr && !is_newer(version, *done);
  }
  static bool stands_for(std::string_view payload, const ReadMessage& suppressed) {
    const auto due = read_message(payload);
    return due && due->id == suppressed.id && !is_newer(suppressed.version, due->version);
  }
  const std::string* payload_of_row(std::string_view queue, std::string_view job) const {
    const auto rows = rows_.find(queue);
    if (rows == rows_.end()) return nullptr;
    const auto found = rows->second.find(job);
    return found == rows->second.end() ? nullptr : &found->second;
  }

  Queues queues_;
  ByName<std::string> done_;  // newest that apply_coherence ran for, by node; node 0: at any
  std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> rows_;  // queue → job → payload
};

}  // namespace

std::unique_ptr<Oracle> make_dedup_is_sound(const WorldView& world) { return std::make_unique<DedupIsSound>(world); }

}  // namespace cohsim::oracles
