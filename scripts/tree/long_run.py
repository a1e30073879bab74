"""What scripts/long_run.sh asks of a JSON report: whether traces repeated, lines of its table, and the page around them."""
import json
import sys

HEAD = """# The long run

Written by `scripts/long_run.sh`: every bundled scenario over up to {seeds} seeds, in release. A random scenario runs all of them; a
scripted one stops once one of its interleavings has come twice. *distinct*: different interleavings seen, by the hash of the whole
trace. The hash stands for all results of the row: the same command on the same sources prints the same.

{runs} runs of {count} scenarios, {steps} steps. {verdict}.

| scenario | verdict | seeds | distinct | steps | results hash |
|---|---|--:|--:|--:|---|
"""


def scenarios_of(path):
    with open(path, encoding="utf-8") as report:
        return json.load(report)["scenarios"]


def verdict_of(scenario):
    """The verdict, and of a hazard in how many of its seeds the property that it names was violated."""
    if scenario["verdict"] != "violated_as_expected":
        return scenario["verdict"]
    failing = scenario["properties"][scenario["expects"]["violates"]]["failing_seeds"]
    return "violated in every seed" if failing == scenario["seeds"]["run"] else f"violated in {failing}"


def page(seeds, rows):
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]

    def count(*verdicts):
        return sum(1 for row in cells if row[1].startswith(verdicts))

    held, violated, skipped = count("held"), count("violated in"), count("skipped")
    always = count("violated in every seed")
    verdict = f"{held} held; {violated} hazards were violated, {always} of them in every seed"
    if skipped:
        verdict += f"; {skipped} were skipped for want of a locale"
    if held + violated + skipped != len(cells):
        verdict += f"; {len(cells) - held - violated - skipped} did NOT come out as expected"
    return HEAD.format(seeds=seeds, runs=sum(int(row[2]) for row in cells), count=len(cells),
                       steps=sum(int(row[4]) for row in cells), verdict=verdict) + "\n".join(rows) + "\n"


def main():
    what = sys.argv[1]
    if what == "repeats":
        return 0 if all(s["distinct_interleavings"] < s["seeds"]["run"] for s in scenarios_of(sys.argv[2])) else 1
    if what == "rows":
        for s in scenarios_of(sys.argv[2]):
            cells = (s["name"], verdict_of(s), s["seeds"]["run"], s["distinct_interleavings"], s["steps"],
                     f"`{s['results_hash']}`")
            print("|", " | ".join(str(cell) for cell in cells), "|")
        return 0
    print(page(sys.argv[2], sys.stdin.read().splitlines()), end="")
    return 0


sys.exit(main())
