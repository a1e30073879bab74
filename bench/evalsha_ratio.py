#!/usr/bin/env python3
"""Instructions of one EVALSHA of :coherence_drop through the fake server, against the bare Lua floor.

    bench/evalsha_ratio.py [BUILD_DIR]        (default: build/release; builds nothing)

Both programs run under callgrind with two iteration counts; the difference leaves start-up out. Exit code 1 where a
ratio is above LIMIT, 2 where something cannot be measured.
"""
import pathlib
import re
import subprocess
import sys

LIMIT = 1.6
FEW, MANY = 1000, 5000
ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "lua" / "scripts" / "coherence_drop.lua"


def instructions(command):
    result = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command)],
        capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", result.stderr)
    if result.returncode != 0 or not found:
        print(f"cannot measure {' '.join(map(str, command))}:\n{result.stderr}", file=sys.stderr)
        sys.exit(2)
    return int(found[1])


def per_call(*command):
    return (instructions([*command, MANY]) - instructions([*command, FEW])) / (MANY - FEW)


def main():
    build = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "release"
    floor, loop = build / "bench" / "lua_floor", build / "bench" / "evalsha_loop"
    for program in (floor, loop):
        if not program.exists():
            print(f"{program} is not built (target {program.name})", file=sys.stderr)
            return 2
    worst = 0.0
    for mode in ("keep", "drop"):
        bare, ours = per_call(floor, SCRIPT, mode), per_call(loop, mode)
        worst = max(worst, ours / bare)
        print(f"{mode}: {ours:.0f} instructions, floor {bare:.0f}, ratio {ours / bare:.3f} (limit {LIMIT})")
    return 1 if worst > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
