// While a consumer of a queue lives: no lease of a dead holder outlives lease + beat; and a job that always fails delays no
// other name by more than max attempts * (delay + beat).
//
// - A consumer lives while its node is up and does not stand still, no partition cuts it off from the server and none of its
//   connections is broken: one that cannot reach the queue can do nothing for it. Waiting is counted only while one lives,
//   from its coming on. Beats are by the nodes' clocks, the slowest of which counts.
// - Dead is a holder whose node crashed or left after the claim; that it runs again changes nothing, it is another process.
//   A holder that stands still is not dead. One more beat is granted for the way and for jobs that are handled before.
// - Delayed is a job that was pending while failing attempts of one job of another name occupied consumers, added up. An
//   attempt fails where retry ends it or where its lease ends. A job that comes to its end after all has not always failed.
// long because: two halves that share what is known of jobs and consumers.
#include <deque>
#include <set>
#include <utility>

#include "properties/oracles/all.h"
#include "properties/oracles/queues.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

constexpr DurationUs lease_us = 30 * us_per_s, beat_us = us_per_s, retry_delay_us = us_per_s;
constexpr std::int64_t max_attempts = 3;
constexpr DurationUs longest_delay_us = max_attempts * (retry_delay_us + beat_us);

/// Which consumers live, and for how long one did, of all nodes (0) and of each.
class Consumers {
 public:
  struct Node {
    bool up = false, cut = false;
    TimeUs stands_until = 0;
    std::set<std::uint32_t> broken;
    TimeUs living_since = -1;  ///< -1: it does not live
  };
  Node& operator[](Actor node) { return nodes_[node]; }
  [[nodiscard]] const std::map<Actor, Node>& all() const { return nodes_; }
  [[nodiscard]] static bool lives(const Node& node, TimeUs at) {
    return node.up && !node.cut && node.broken.empty() && node.stands_until <= at;
  }
  /// Those whose pause is over by `at` live from its end on. Must be asked before anything that came later is noted.
  void wake(TimeUs at) {
    for (;;) {  // in the order of their ends, since the clocks count forwards
      Actor first = 0;
      for (const auto& [actor, node] : nodes_) {
        const bool over = node.stands_until != 0 && node.stands_until <= at;
        if (over && (first == 0 || node.stands_until < nodes_[first].stands_until)) first = actor;
      }
      if (first == 0) return;
      refresh(first, nodes_[first].stands_until);
      nodes_[first].stands_until = 0;
    }
  }
  void refresh(Actor actor, TimeUs at) {
    Node& node = nodes_[actor];
    if (lives(node, at) == (node.living_since >= 0)) return;
    const bool came = node.living_since < 0;
    node.living_since = came ? at : -1;
    for (const Actor clock : {Actor{0}, actor}) clocks_[clock].count(came ? 1 : -1, at);
  }
  /// For how long a consumer of a queue that `serves` has lived so far.
  [[nodiscard]] DurationUs clock(Actor serves, TimeUs at) const {
    const auto found = clocks_.find(serves);
    return found == clocks_.end() ? 0 : found->second.at(at);
  }

 private:
  struct Clock {
    int living = 0;
    DurationUs sum = 0;
    TimeUs since = 0;
    void count(int by, TimeUs now) {
      sum = at(now);
      since = now;
      living += by;
    }
    [[nodiscard]] DurationUs at(TimeUs now) const { return sum + (living > 0 ? now - since : 0); }
  };
  std::map<Actor, Node> nodes_;
  std::map<Actor, Clock> clocks_;
};

using JobId = std::pair<std::string, std::string>;  // queue and job

struct Job {
  std::string group;
  DurationUs pending_since = -1;  // on the queue's clock; -1: not pending
  Actor holder = 0;               // 0: not claimed
  TimeUs claimed_at = 0;
  DurationUs claimed_clock = 0;
  bool dead = false;
};
struct Attempt {  // that failed, on the queue's clock
  DurationUs from, to;
  std::string job, group;
};
struct Suspicion {
  When when;
  std::string sentence;
};
struct Queue {
  Actor serves = 0;
  std::map<std::string, Job, std::less<>> jobs;
  std::multiset<DurationUs> pending;
  std::deque<Attempt> failed;                               // in order of their ends, as far as a pending job saw them
  std::map<std::string, Suspicion, std::less<>> suspected;  // by the job that has only failed so far
};

class NothingIsStuck final : public Oracle {
 public:
  explicit NothingIsStuck(const WorldView& world) : Oracle(world), served_(world) {}
  using Oracle::on;
  std::string_view property() const override { return "nothing_is_stuck"; }

  // Consumers ----------------------------------------------------------------------------------------------------------
  void on(const When& when, const event::NodeStarted& event) override {
    change(when, event.node, [](Consumers::Node& node) { node.up = true; });
  }
  void on(const When& when, const event::NodeCrashed& event) override {
    change(when, event.node, [](Consumers::Node& node) {
      node.up = false;
      node.stands_until = 0;
      node.broken.clear();
    });
    orphans_.merge(held_[event.node]);
    held_.erase(event.node);
  }
  void on(const When& when, const event::NodePaused& event) override {
    change(when, event.node, [&](Consumers::Node& node) {
      node.stands_until = std::max(node.stands_until, when.at + event.span_us);
    });
  }
  void on(const When&, const event::ClockDrifts& event) override { slowest_ppm_ = std::min(slowest_ppm_, event.ppm); }
  void on(const When& when, const event::Partitioned& event) override {
    if (event.cut) {
      cuts_.insert({event.from, event.to});
    } else if (event.from == event.to) {
      cuts_.clear();  // all are healed
    } else {
      cuts_.erase({event.from, event.to});
    }
    for (std::size_t i = 0; i < world().node_count(); ++i) {
      const auto actor = static_cast<Actor>(actor_first_node + i);
      const bool cut = cuts_.contains({actor, actor_server}) || cuts_.contains({actor_server, actor});
      change(when, actor, [&](Consumers::Node& node) { node.cut = cut; });
    }
  }
  /// Heals all partitions.
  void on(const When& when, const event::SettleBegan&) override {
    on(when, event::Partitioned{actor_world, actor_world, false});
  }
  void on(const When& when, const event::ConnectionBroke& event) override {
    if (!consumers_[event.node].up) return;
    change(when, event.node, [&](Consumers::Node& node) { node.broken.insert(event.connection); });
  }
  void on(const When& when, const event::ConnectionUp& event) override {
    change(when, event.node, [&](Consumers::Node& node) { node.broken.erase(event.connection); });
  }
  void on(const When&, const event::ServerRestarted& event) override {
    if (event.kept_rows) return;
    queues_.clear();
    held_.clear();
    orphans_.clear();
  }

  /// A job that a failover set back begins anew: pending from now on, or held by somebody whom nobody remembers until it
  /// is reaped or settled.
  void on(const When& when, const event::JobWentBack& event) override {
    judge_orphans(when);
    Queue& queue = queue_of(event.queue);
    Job& job = queue.jobs[std::string(event.job)];
    let_go(event.queue, event.job, queue, job);
    job.dead = event.state == JobState::dead;
    if (event.state == JobState::pending) set_pending(queue, job, consumers_.clock(queue.serves, when.at));
    if (event.state == JobState::absent) forget(queue, event.job);
  }

  // Jobs ---------------------------------------------------------------------------------------------------------------
  void on(const When& when, const event::JobEnqueued& event) override {
    if (!event.queued) return;
    consumers_.wake(when.at);
    Queue& queue = queue_of(event.queue);
    Job& job = queue.jobs[std::string(event.job)];
    job.group = event.group;
    let_go(event.queue, event.job, queue, job);
    set_pending(queue, job, consumers_.clock(queue.serves, when.at));
  }
  void on(const When& when, const event::JobMoved& event) override {
    judge_orphans(when);
    Queue& queue = queue_of(event.queue);
    Job& job = queue.jobs[std::string(event.job)];
    if (event.verb == "reap") attempt_failed(when, queue, event.job, job);
    let_go(event.queue, event.job, queue, job);
    set_pending(queue, job, consumers_.clock(queue.serves, when.at));
  }
  void on(const When& when, const event::JobClaimed& event) override {
    judge_orphans(when);
    Queue& queue = queue_of(event.queue);
    Job& job = queue.jobs[std::string(event.job)];
    judge_delay(when, event.queue, queue, event.job, job);
    let_go(event.queue, event.job, queue, job);
    job.holder = event.node;
    job.claimed_at = when.at;
    job.claimed_clock = consumers_.clock(queue.serves, when.at);
    held_[event.node].insert({std::string(event.queue), std::string(event.job)});
  }
  void on(const When& when, const event::JobSettled& event) override {
    if (event.before == JobState::absent || event.answered == Outcome::stale) return;
    judge_orphans(when);
    Queue& queue = queue_of(event.queue);
    const auto job = queue.jobs.find(event.job);
    if (job == queue.jobs.end()) return;
    if (event.after != JobState::absent) attempt_failed(when, queue, event.job, job->second);
    let_go(event.queue, event.job, queue, job->second);
    const auto suspected = queue.suspected.find(event.job);
    job->second.dead = event.after == JobState::dead;
    if (suspected != queue.suspected.end() && event.after != JobState::scheduled) {
      if (event.after == JobState::dead) violate(suspected->second.when, suspected->second.sentence);
      queue.suspected.erase(suspected);
    }
    if (event.after != JobState::absent) return;
    forget(queue, event.job);
  }

  void finish(bool settled) override {
    const When end{0, world().now(), actor_world, {}};
    judge_orphans(end);
    for (auto& [name, queue] : queues_) {
      for (const auto& [job, waiting] : queue.jobs) {
        if (settled && waiting.pending_since >= 0) judge_delay(end, name, queue, job, waiting);
      }
      for (const auto& [job, suspicion] : queue.suspected) violate(suspicion.when, suspicion.sentence);
    }
  }

 private:
  template <class Change>
  void change(const When& when, Actor actor, Change how) {
    judge_orphans(when);  // while it is known for how long it has lived
    how(consumers_[actor]);
    consumers_.refresh(actor, when.at);
  }
  Queue& queue_of(std::string_view name) {
    const auto found = queues_.find(name);
    if (found != queues_.end()) return found->second;
    const Queues::Serves* serves = served_.find(name);
    Queue& queue = queues_[std::string(name)];
    queue.serves = serves ? serves->node : Actor{0};
    return queue;
  }
  static void set_pending(Queue& queue, Job& job, DurationUs clock) {
    job.pending_since = clock;
    queue.pending.insert(clock);
  }
  static void forget(Queue& queue, std::string_view job) {
    std::erase_if(queue.failed, [&](const Attempt& attempt) { return attempt.job == job; });
    if (const auto found = queue.jobs.find(job); found != queue.jobs.end()) queue.jobs.erase(found);
  }
  /// Neither pending nor claimed.
  void let_go(std::string_view queue_name, std::string_view name, Queue& queue, Job& job) {
    if (job.pending_since >= 0) queue.pending.erase(queue.pending.find(job.pending_since));
    job.pending_since = -1;
    if (job.holder == 0) return;
    const JobId id{std::string(queue_name), std::string(name)};
    held_[job.holder].erase(id);
    orphans_.erase(id);
    job.holder = 0;
  }

  // A dead holder's lease -----------------------------------------------------------------------------------------------
  void judge_orphans(const When& when) {
    consumers_.wake(when.at);
    for (const auto& [name, job_id] : orphans_) {
      const Queue& queue = queues_.at(name);
      const Job& job = queue.jobs.at(job_id);
      const TimeUs ended = job.claimed_at + lease_us;
      if (when.at < ended) continue;
      exercise();
      for (const auto& [actor, node] : consumers_.all()) {
        if (node.living_since < 0 || (queue.serves != 0 && queue.serves != actor)) continue;
        const TimeUs from = std::max(ended, node.living_since);
        if (when.at - from <= slowed(2 * beat_us)) continue;
        violate(when, fmt::format("{} claimed job {} of {} at {} us and died; its lease ended at {} us, {} consumes that queue, "
                                  "and at {} us nobody has taken the job back",
                                  world().actor_name(job.holder), job_id, name, job.claimed_at, ended,
                                  world().actor_name(actor), when.at));
      }
    }
  }

  // A job that always fails ----------------------------------------------------------------------------------------------
  void attempt_failed(const When& when, Queue& queue, std::string_view name, const Job& job) {
    if (job.holder == 0) return;
    const DurationUs now = consumers_.clock(queue.serves, when.at);
    while (!queue.failed.empty() && (queue.pending.empty() || queue.failed.front().to <= *queue.pending.begin())) {
      queue.failed.pop_front();
    }
    queue.failed.push_back({job.claimed_clock, std::min(now, job.claimed_clock + lease_us), std::string(name), job.group});
  }
  /// `job` was pending until now.
  void judge_delay(const When& when, std::string_view queue_name, Queue& queue, std::string_view name, const Job& job) {
    if (job.pending_since < 0) return;
    const DurationUs now = consumers_.clock(queue.serves, when.at);
    if (!queue.failed.empty() && queue.failed.back().to > job.pending_since) exercise();
    if (now - job.pending_since <= slowed(longest_delay_us)) return;
    std::map<std::string, DurationUs, std::less<>> delayed_by;
    const auto overlap = [&](const Attempt& attempt) {
      if (attempt.group == job.group) return;
      const DurationUs shared = std::min(now, attempt.to) - std::max(job.pending_since, attempt.from);
      if (shared > 0) delayed_by[attempt.job] += shared;
    };
    for (const Attempt& attempt : queue.failed) overlap(attempt);
    for (const auto& [other, held] : queue.jobs) {  // past its lease and not taken back yet
      if (held.holder == 0 || when.at - held.claimed_at < lease_us) continue;
      overlap({held.claimed_clock, std::min(now, held.claimed_clock + lease_us), other, held.group});
    }
    for (const auto& [culprit, delay_us] : delayed_by) {
      if (delay_us <= slowed(longest_delay_us)) continue;
      std::string sentence = fmt::format("job {} of {} ({}) stood pending for {} us, {} us of that while attempts of job {} ran "
                                         "that failed; {} us at most are due to one job",
                                         name, queue_name, job.group, now - job.pending_since, delay_us, culprit,
                                         longest_delay_us);
      const auto known = queue.jobs.find(culprit);
      if (known != queue.jobs.end() && known->second.dead) violate(when, sentence);
      queue.suspected.try_emplace(culprit, Suspicion{when, std::move(sentence)});
    }
  }

  /// A span of the slowest node's clock.
  [[nodiscard]] DurationUs slowed(DurationUs span_us) const {
    constexpr std::int64_t million = 1'000'000;
    return slowest_ppm_ == 0 ? span_us : span_us * million / (million + slowest_ppm_) + 1;
  }

  std::int64_t slowest_ppm_ = 0;
  Queues served_;
  Consumers consumers_;
  std::set<std::pair<Actor, Actor>> cuts_;  // from, to
  std::map<std::string, Queue, std::less<>> queues_;
  std::map<Actor, std::set<JobId>> held_;  // claimed by this life of the node
  std::set<JobId> orphans_;                // claimed by a node that died since
};

}  // namespace

std::unique_ptr<Oracle> make_nothing_is_stuck(const WorldView& world) { return std::make_unique<NothingIsStuck>(world); }

}  // namespace cohsim::oracles
