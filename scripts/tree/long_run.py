"""What scripts/long_run.sh asks of a JSON report: whether traces repeated, lines of its table, and the page around them."""
import json
import sys

HEAD = """# The long run

Written by `scripts/long_run.sh`: every guarantee over up to {seeds} seeds, in release. A random scenario runs all of them; a scripted
one stops once one of its interleavings has come twice. *distinct*: different interleavings seen, by the hash of the whole trace. The
hash stands for all results of the row: the same command on the same sources prints the same.

{runs} runs of {count} scenarios, {steps} steps: {verdict}.

| scenario | verdict | seeds | distinct | steps | results hash |
|---|---|--:|--:|--:|---|
"""


def scenarios_of(path):
    with open(path, encoding="utf-8") as report:
        return json.load(report)["scenarios"]


def main():
    what = sys.argv[1]
    if what == "repeats":
        every = all(s["distinct_interleavings"] < s["seeds"]["run"] for s in scenarios_of(sys.argv[2]))
        return 0 if every else 1
    if what == "rows":
        for s in scenarios_of(sys.argv[2]):
            cells = (s["name"], s["verdict"], s["seeds"]["run"], s["distinct_interleavings"], s["steps"], f"`{s['results_hash']}`")
            print("|", " | ".join(str(cell) for cell in cells), "|")
        return 0
    rows = sys.stdin.read().splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    bad = sum(1 for row in cells if row[1] not in ("held", "skipped"))
    skipped = sum(1 for row in cells if row[1] == "skipped")
    verdict = "all hold" if bad == 0 else f"{bad} do NOT hold"
    if skipped:
        verdict += f", {skipped} skipped for want of a locale"
    print(HEAD.format(seeds=sys.argv[2], runs=sum(int(row[2]) for row in cells), count=len(cells),
                      steps=sum(int(row[4]) for row in cells), verdict=verdict), end="")
    print("\n".join(rows))
    return 0


sys.exit(main())
