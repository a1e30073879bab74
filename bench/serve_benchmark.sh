#!/bin/bash
# `cohsim serve` beside redis-server: redis-benchmark with pipelining against both by turns, medians of three, as a table.
#   bench/serve_benchmark.sh [COHSIM [REDIS_SERVER]]    build/release/cli/cohsim and /usr/bin/redis-server if not given
set -euo pipefail

cohsim=${1:-build/release/cli/cohsim} redis=${2:-/usr/bin/redis-server}
fake_port=16390 real_port=16391 requests=200000
script='return redis.call("GET", KEYS[1])'
work=$(mktemp -d)

"$cohsim" serve --port $fake_port --emulate redis-7.0 >"$work/serve" 2>&1 &
fake=$!
"$redis" --port $real_port --bind 127.0.0.1 --save "" --appendonly no --dir "$work" >"$work/redis" 2>&1 &
real=$!
trap 'kill $fake $real 2>/dev/null; wait; rm -rf "$work"' EXIT
for port in $fake_port $real_port; do
  for _ in $(seq 100); do
    redis-cli -p "$port" ping >/dev/null 2>&1 && break
    sleep 0.1
  done
  redis-cli -p "$port" ping >/dev/null
done
sha=$(redis-cli -p "$fake_port" script load "$script")
redis-cli -p "$real_port" script load "$script" >/dev/null

# rates PORT: "name,requests a second" a line.
rates() {
  redis-benchmark -p "$1" -P 16 -n $requests -t set,get,incr,lpush,rpop,sadd,hset,zpopmin --csv 2>/dev/null | tail -n +2
  redis-benchmark -p "$1" -P 16 -n $requests --csv evalsha "$sha" 1 k 2>/dev/null | tail -n 1 | sed 's/^"[^"]*"/"EVALSHA"/'
}
for round in 1 2 3; do
  rates $fake_port >"$work/fake.$round"
  rates $real_port >"$work/real.$round"
done
python3 - "$work" <<'END'
import csv, statistics, sys

def medians(side):
    rates = {}
    for round in (1, 2, 3):
        for row in csv.reader(open(f"{sys.argv[1]}/{side}.{round}")):
            rates.setdefault(row[0], []).append(float(row[1]))
    return {name: statistics.median(values) for name, values in rates.items() if len(values) == 3}

fake, real = medians("fake"), medians("real")
print("| command | cohsim serve | redis-server | ratio |\n|---|---|---|---|")
for name in fake:
    print(f"| {name} | {fake[name]:.0f}/s | {real[name]:.0f}/s | {fake[name] / real[name]:.2f} |")
END
