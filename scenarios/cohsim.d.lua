---@meta
-- Types of scenario files, for editors (Lua language server). Never run.

---@alias Duration string A number with a unit: "250us", "5ms", "1.5s", "2m"
---@alias Range Duration[] { from, to }
---@alias Probability number From 0 to 1, six decimals at most
---@alias Point "write.commit"|"write.put"|"write.announce"|"put.set"|"put.l1"|"flight.get"|"flight.load"|"flight.set"|"l1.insert"|"invalidate.del"|"invalidate.l1"|"drop.call"|"apply.l1"|"ring.apply"|"journal.record"|"journal.enqueue"|"journal.mark"|"journal.apply"|"journal.remember"|"replay.enqueue"|"job.handle"|"job.complete"

---@class Table
---@field kind string Namespace of its ids, three letters A-Z
---@field lane? "none"|"broadcast"|"job" Default "broadcast"
---@field ttl? Duration Default "5s"
---@field jitter? Probability A row of L1 lives ttl ± ttl·jitter; default 0.1
---@field max_size? integer Rows of one node's L1; default 100000
---@field sweep? Duration Default "1s"
---@field ring_capacity? integer Default 4096
---@field names? integer How many names the workload uses; default 1

---@class Mix Weights; what is not named is 0
---@field put? integer
---@field fetch? integer
---@field invalidate? integer
---@field replay? integer
---@field compact? integer
---@field drop_l2? integer The script, with a version seen before or minted now
---@field message? integer An old message again, or bytes that are none
---@field corrupt? integer A raw SET of a short or mangled frame

---@class Workload
---@field operations? integer
---@field over? Duration Default "60s"
---@field mix? Mix Default put 3, fetch 10

---@class MessageFaults
---@field drop? Probability Per message
---@field duplicate? Probability Per message
---@field reorder? Probability Per message
---@field delay? Range
---@field from? string[] Who sent them: nodes, or "world" for those made by hand
---@field to? string[] Nodes
---@field tables? string[]
---@field kinds? ("broadcast"|"job")[]
---@field during? Range Of virtual time since the run began, the end excluded

---@class ConnectionFaults
---@field reset? Probability Per command
---@field away? Probability Per node and virtual second: its subscriber is cut off
---@field away_for? Range
---@field partition? Probability Per node and virtual second: it and the server lose each other, one way or both
---@field partition_for? Range
---@field nodes? string[]
---@field during? Range

---@class NodeFaults
---@field crash? Probability Per node and virtual second
---@field power_loss? Probability Share of crashes
---@field down? Range
---@field pause? Probability Per node and virtual second: it stands still, its monotonic clock with it
---@field pause_for? Range
---@field nodes? string[]
---@field during? Range

---@class ClockFaults
---@field offset? Range May be negative
---@field step? Probability Per node and virtual second
---@field step_by? Range May be negative
---@field drift? number[] { from, to }: how much faster a node's clocks run, -0.5 to 0.5
---@field nodes? string[]
---@field during? Range

---@class ValkeyFaults
---@field restart? Probability Per command
---@field flush_scripts? Probability Per command
---@field evict? Probability Per command
---@field keep_rows? boolean Whether a restart keeps rows and queues
---@field failover? Probability Per command: a replica takes over
---@field lose? integer How many of the newest writes it lacks at most
---@field full? Probability Per command: the server refuses what takes memory for a while
---@field full_for? Range
---@field slow? Probability Per command: it runs long, and everybody waits
---@field slow_for? Range
---@field hang? Probability Per command: somebody's script does not end; behind 5 s of silence everybody is told BUSY
---@field hang_for? Range
---@field stale? Probability Per read of a row: a replica answers
---@field lag? Range How far behind it is
---@field during? Range

---@class HandlerFaults
---@field fail? Probability Per job
---@field latency? Range
---@field nodes? string[]
---@field tables? string[]
---@field during? Range

---@class LoaderFaults
---@field fail? Probability Per load
---@field slow? Probability Per load
---@field slow_by? Range
---@field stale? Probability Per load: a replica answers
---@field lag? Range How far behind the replica is
---@field nodes? string[]
---@field tables? string[]
---@field during? Range

---@class DiskFaults
---@field sync_fail? Probability Per sync: it fails and drops what it should have made safe
---@field torn? Probability Per power loss and file: a lost write leaves a part of itself
---@field nodes? string[]
---@field during? Range

---@class Faults One group of a kind, or a list of groups with aims of their own: the first that fits strikes
---@field messages? MessageFaults|MessageFaults[]
---@field connections? ConnectionFaults|ConnectionFaults[]
---@field nodes? NodeFaults|NodeFaults[]
---@field clocks? ClockFaults|ClockFaults[]
---@field valkey? ValkeyFaults|ValkeyFaults[]
---@field handlers? HandlerFaults|HandlerFaults[]
---@field loader? LoaderFaults|LoaderFaults[]
---@field disks? DiskFaults|DiskFaults[]

---@class LoaderSettings
---@field latency? Range

---@class Expectation
---@field violates string A property that at least one seed must violate
---@field also? string[] Properties that may be violated along with it

---@class Quarantine
---@field until string "YYYY-MM-DD": until and including that day a failure does not fail the gate
---@field because string

---@class Scenario
---@field name? string Default: the file's stem; needed in a list
---@field about? string
---@field source? string
---@field nodes string[]
---@field tables? table<string, Table>
---@field workload? Workload
---@field faults? Faults
---@field loader? LoaderSettings
---@field check? string[] Properties beyond the guarantees
---@field expect? "holds"|Expectation
---@field quarantine? Quarantine
---@field steps? fun(s: Steps)
---@field invariants? table<string, fun(w: World): boolean, string?>
---@field script? string A script of lua/scripts, a file, or file.ex:name
---@field collate? string "C", or a locale
---@field receiver? "l1+l2"|"l1"
---@field fanout? "shared"|"per_node"
---@field fill_write? "unconditional"|"newer_only"|"lease" Over anything, over older rows, or while a lease of the miss stands
---@field fill_version? "start"|"source" Minted as the fill starts, or the version of the write that it loaded
---@field put_write? "unconditional"|"newer_only" Over anything, or over older rows
---@field after_drop? "nothing"|"floor" For 10 s no older "newer_only" write passes a floor
---@field journal? "model"|"sqlite" A log of our own, or SQLite itself
---@field bus? "model"|"lua" Only the default is built yet
---@field mint? "volatile"|"persisted" Whether a generator survives restarts
---@field token? "attempts"|"unique" What fences a claim
---@field node_numbers? integer[] 0 to 1023, one a node: what it mints with; default 1, 2, …
---@field start? string "YYYY-MM-DD" or "YYYY-MM-DDTHH:MM:SSZ", 2024 to 2090
---@field version_kinds? string[] Namespaces that versions are minted in
---@field burst? integer Mints per millisecond that the workload aims at
---@field bounds? table<string, integer[]> Least and most of measures, faults and branches, by the names that `cohsim run` prints; of every run
---@field staleness_bound? Duration Of staleness_bounded; default what the ttl gives: ttl·(2 + jitter) and the longest flight

---@param scenario Scenario
---@return Scenario
function scenario(scenario) end

---@class Name
---@field table string
---@field id string

---@class Operation How far it had come when the step returned; s.state(operation) looks again
---@field id integer
---@field ended boolean
---@field stopped_before? Point
---@field outcome? string
---@field value? string
---@field version? string

---@class Write: Operation
---@field mint fun(options?: Stop): Operation
---@field commit fun(options?: Stop): Operation
---@field table_put fun(options?: Stop): Operation
---@field announce fun(options?: Stop): Operation

---@class Stop
---@field stop_before? Point

---@class Filter Every field that is set must match
---@field from? string
---@field to? string
---@field table? string
---@field name? Name
---@field kind? "broadcast"|"job"
---@field version? string

---@class World What an invariant reads
---@field l1 fun(node: string, name: Name): { version: string, value: string, expires_at: integer }?
---@field l2 fun(name: Name): { version: string?, value: string?, bytes: string, deadline_ms: integer? }?
---@field truth fun(name: Name): { version: string, value: string, serial: integer }?
---@field applied fun(node: string, name: Name): string? The version that the node's journal remembers
---@field intents fun(node: string, table?: string): { seq: integer, job: string, name: string, version: string, queue: string, enqueued: boolean }[]
---@field jobs fun(): { queue: string, job: string, payload: string, group: string, state: string, attempts: integer, deadline_ms: integer }[]
---@field counters fun(node: string, table?: string): { hits: integer, misses: integer, fills: integer, l2_hits: integer, coalesced: integer, swept: integer, full_skips: integer, sweeps: integer, coh_applied: integer, coh_stale: integer, ring_dropped: integer } Without a table: of all together
---@field now fun(): integer Microseconds since the run began
---@field up fun(node: string): boolean
---@field key fun(name: Name): string Its key in L2

---@class Steps: World
---@field name fun(table: string, n: integer): Name The n-th name of a table, from 1
---@field commit fun(name: Name, value: string): Operation The source of truth only
---@field put fun(node: string, name: Name, value: string, options?: Stop): Operation
---@field fetch fun(node: string, name: Name, options?: Stop): Operation
---@field invalidate fun(node: string, name: Name, options?: Stop): Operation
---@field drop_l2 fun(node: string, name: Name, version: string, options?: Stop): Operation
---@field message fun(message: { from?: string, to?: string, table?: string, name?: Name, version?: string, bytes?: string }) Bytes of a table, or a name and a version; to one node or to all
---@field intend fun(node: string, name: Name, version: string, options?: Stop): Operation
---@field replay fun(node: string, table?: string, options?: Stop): Operation
---@field compact fun(node: string, table?: string, options?: Stop): Operation
---@field hold fun(filter?: Filter) Messages that match wait until they are released
---@field release fun(filter?: Filter): integer
---@field discard fun(filter?: Filter): integer
---@field duplicate fun(filter?: Filter): integer
---@field resume fun(operation: Operation, options?: Stop): Operation
---@field state fun(operation: Operation): Operation
---@field stop_next fun(node: string, point: Point): Operation Whatever reaches the point next stops there
---@field crash fun(node: string, how?: "process"|"power")
---@field fail_sync fun(node: string, nth?: integer) The n-th sync of the node's disk from now fails; default 1
---@field restart fun(node: string)
---@field leave fun(node: string) For good
---@field partition fun(from: string, to: string, options?: { one_way?: boolean }) Nodes, or "valkey"
---@field heal fun()
---@field clock fun(node: string, by: Duration) "+5s" or "-5s"
---@field pause fun(node: string, for_: Duration) The node stands still from now on
---@field drift fun(node: string, share: number) How much faster its clocks run from now on, -0.5 to 0.5
---@field away fun(node: string, for_: Duration) Its subscriber is cut off
---@field reset fun(node: string, outcome?: "never_runs"|"reply_lost"|"runs_late") What becomes of its next command; default "reply_lost"
---@field fail_load fun(node: string) The next load of the node fails
---@field source_lag fun(by: Duration) Every load from now on sees the source of truth as it was so long ago
---@field fail_handler fun(node: string, handlers?: integer) The handlers of its next jobs raise; default 1
---@field advance fun(by: Duration)
---@field settle fun()
---@field valkey fun(command: string, ...: string|integer): any An error is { err = text }
---@field valkey_restart fun(options?: { keep?: boolean })
---@field flush_scripts fun()
---@field evict fun(key: string): boolean
---@field server_full fun(span: Duration) The server refuses what takes memory for so long; "0s": no longer
---@field server_slow fun(span: Duration) A command takes so long, and everybody waits
---@field server_hangs fun(span: Duration) A script does not end for so long; behind 5 s of silence everybody is told BUSY; "0s" kills it
---@field replica_lag fun(by: Duration) Every read of a row from now on sees it as it was so long ago; "0s": no longer
---@field failover fun(options: { lose: integer }): integer A replica takes over that lacks the newest writes of rows and jobs; how many it lacked
---@field write fun(node: string, name: Name, value: string): Write A write in its parts, each run once; mint first
---@field mint fun(node: string, kind?: string): string A version, without a write
---@field expect fun(condition: any, text: string)
