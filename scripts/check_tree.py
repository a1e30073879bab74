#!/usr/bin/env python3
"""Checks the rules of the tree (scripts/tree/rules.py) that no compiler knows.

check_tree.py              every rule over every file; exit code 1 with findings
check_tree.py --rule NAME  one rule
check_tree.py --list       the names of the rules
check_tree.py --self-test  feeds every rule what it must find
"""

import os
import sys

sys.dont_write_bytecode = True
from tree import rules, selftest  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
READMES = "a readme in every folder"


def tree_paths():
    """Every file of the tree, in order, without what was built, hidden folders but .ci, and the bytes of fuzz/corpus/."""
    paths = []
    for folder, folders, names in os.walk(ROOT):
        if os.path.relpath(folder, ROOT).replace(os.sep, "/") == "fuzz/corpus":
            folders.clear()
        folders[:] = sorted(f for f in folders if f == ".ci" or not (f.startswith(".") or f in ("build", "__pycache__")))
        for name in names:
            if name != ".git" and name != "compile_commands.json":
                paths.append(os.path.relpath(os.path.join(folder, name), ROOT).replace(os.sep, "/"))
    return sorted(paths)


def check(names):
    paths = tree_paths()
    findings = []
    if READMES in names:
        findings += [f"{folder}: {message} [{READMES}]" for folder, message in rules.missing_readmes(paths)]
    for path in paths:
        try:
            with open(os.path.join(ROOT, path), encoding="utf-8", newline="") as file:
                text = file.read()
        except UnicodeDecodeError:
            continue  # not text
        file = rules.File(path, text)
        for name in names:
            if name in rules.FILE_RULES:
                findings += [f"{path}:{line}: {message} [{name}]" for line, message in rules.FILE_RULES[name](file)]
    return findings


def main(arguments):
    names = [*rules.FILE_RULES, READMES]
    if arguments == ["--list"]:
        print("\n".join(names))
        return 0
    if arguments == ["--self-test"]:
        findings = selftest.run()
    elif not arguments:
        findings = check(names)
    elif len(arguments) == 2 and arguments[0] == "--rule" and arguments[1] in names:
        findings = check(arguments[1:])
    else:
        print(__doc__, file=sys.stderr)
        return 2
    if findings:
        print("\n".join(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
