#!/usr/bin/env python3
"""Checks that docs/domain-coverage.md names tests and scenarios that exist, so that the page cannot rot.

In a row's last column every name in backticks is a scenario (`hazards/x`, `guarantees/x`) or the beginning of exactly
one test's name. Exit code 1 with a line for each that is not.
check_coverage.py --self-test  judges a page in which everything is wrong
"""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = "docs/domain-coverage.md"
NOT_YET = "**not yet**"
WRONG = """| statement | shown by |
| one | `no such test` |
| two | `hazards/no_such` |
| three |  |
| four | `table: ` |
| five | not yet |
| six | `broadcast: what is no message is ignored`, **not yet** |
"""


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def test_names():
    """Every name given to TEST_CASE, also where the name stands on the next line."""
    names = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(f for f in folders if f != "build" and not f.startswith("."))
        for name in sorted(files):
            if name.endswith("_test.cpp"):
                names += re.findall(r'TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"', read(os.path.join(folder, name)))
    return names


def problem_with(name, tests):
    """What is wrong with one name, or None."""
    if re.fullmatch(r"(hazards|guarantees)/\w+", name):
        return None if os.path.exists(os.path.join(ROOT, "scenarios", name + ".lua")) else "no such scenario"
    matches = [test for test in tests if test.startswith(name)]
    return None if len(matches) == 1 else f"begins {len(matches)} tests' names instead of one"


def check(page, tests):
    findings = []
    for number, line in enumerate(page.split("\n"), 1):
        if not line.startswith("| ") or line.endswith("| shown by |"):
            continue
        shown = line.split("|")[-2].strip()
        if shown == NOT_YET:
            continue
        names = re.findall(r"`([^`]+)`", shown)
        if not names or re.sub(r"`[^`]+`", "", shown).strip(" ,"):
            findings.append(f"{PAGE}:{number}: names tests in backticks, or {NOT_YET} alone")
        for name in names:
            problem = problem_with(name, tests)
            if problem:
                findings.append(f"{PAGE}:{number}: `{name}` {problem}")
    return findings


def main(arguments):
    if arguments == ["--self-test"]:
        found = [int(finding.split(":")[1]) for finding in check(WRONG, test_names())]
        print(f"findings in lines {found}")
        return 0 if found == [2, 3, 4, 5, 6, 7] else 1
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    findings = check(read(PAGE), test_names())
    if findings:
        print("\n".join(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
