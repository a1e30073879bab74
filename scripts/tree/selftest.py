"""Every rule is fed snippets that break it and snippets that do not: (rule, path, text, lines of the findings)."""

from tree import rules

LONG = "long " "because: a table"
BODY = "".join(f"  step({i});\n" for i in range(80))
CHOOSE = "c.choose(Site::tie, 0, 2)"

CASES = [
    ("include direction", "sim/clock.h", '#include "sim/time.h"\n#include "model/table.h"\n', [2]),
    ("include direction", "sim/clock.h", '#include "sim/valkey/reply.h"\n', [1]),
    ("include direction", "sim/valkey/a.cpp", '#include "sim/time.h"\n#include "lua/engine.h"\n#include "model/a.h"\n', [3]),
    ("include direction", "lua/a.cpp", '#include "sim/time.h"\n', [1]),
    ("include direction", "properties/oracles/a.cpp", '#include "model/a.h"\n#include "reports/a.h"\n', [2]),
    ("include direction", "model/a.cpp", '#include "table.h"\n', [1]),
    ("include direction", "model/a.cpp", '#include "testing/catch.h"\n', [1]),
    ("include direction", "model/a_test.cpp", '#include "testing/catch.h"\n#include "cli/a.h"\n', [2]),
    ("library headers", "lua/engine.h", "#include <lua.hpp>\n", [1]),
    ("library headers", "lua/engine.cpp", "#include <lua.hpp>\n#include <lauxlib.h>\n", []),
    ("library headers", "model/a.cpp", "#include <lua5.1/lua.h>\n", [1]),
    ("library headers", "model/a.cpp", "#include <sqlite3.h>\n", [1]),
    ("library headers", "sim/sqlite/a.h", "#include <sqlite3.h>\n", []),
    ("library headers", "reports/a.cpp", "#include <CLI/CLI.hpp>\n", [1]),
    ("library headers", "model/a_test.cpp", "#include <rapidcheck.h>\n#include <catch2/catch.hpp>\n", [1, 2]),
    ("nothing nondeterministic", "sim/a.cpp", "std::random_device d;\n", [1]),
    ("nothing nondeterministic", "cli/entropy.cpp", "std::random_device d;\n", []),
    ("nothing nondeterministic", "sim/a.cpp", "std::uniform_int_distribution<int> d;\n", [1]),
    ("nothing nondeterministic", "sim/a.cpp", "auto t = std::chrono::steady_clock::now();\n", [1]),
    ("nothing nondeterministic", "cli/a.cpp", "auto t = std::chrono::steady_clock::now();\n", []),
    ("nothing nondeterministic", "model/a.h", "std::unordered_map<int, int> m;\n", [1]),
    ("nothing nondeterministic", "model/a.h", "std::unordered_map<int, int> m;  // never iterated: an index\n", []),
    ("nothing nondeterministic", "model/a.h", "std::unordered_set<int> m;  // never iterated:\n", [1]),
    ("nothing nondeterministic", "model/a.cpp", "srand(1);\nint x = rand();\nint operand(int);\n", [1, 2]),
    ("nothing nondeterministic", "model/a.cpp", "std::thread t;\n// std::thread\nauto s = \"setlocale(\";\n", [1]),
    ("nothing nondeterministic", "lua/a.cpp", 'setlocale(LC_ALL, "");\nuselocale(l);\n', [1]),
    ("nothing nondeterministic", "sim/a_test.cpp", "srand(1);\n", []),
    ("one decision a statement", "sim/a.cpp", f"void f() {{ g({CHOOSE}, {CHOOSE}); }}\n", [1]),
    ("one decision a statement", "sim/a.cpp", f"void f() {{\n  int a = {CHOOSE};\n  int b = {CHOOSE};\n}}\n", []),
    ("one decision a statement", "sim/a.cpp", f"void f() {{\n  g(Event{{{CHOOSE}, 1}},\n    {CHOOSE});\n}}\n", [3]),
    ("one decision a statement", "sim/a.cpp", "Task<void> f() { g(co_await a(), co_await b()); }\n", [1]),
    ("one decision a statement", "sim/a.cpp", "Task<void> f() { co_await s(c.between(Site::tie, 0, 1, 2)); }\n", [1]),
    ("one decision a statement", "sim/a.cpp", f"void f() {{ if ({CHOOSE}) x = {CHOOSE}; }}\n", []),
    ("one decision a statement", "sim/a.cpp", f"void f() {{ for (int i = {CHOOSE}; i < {CHOOSE}; ++i) g(); }}\n", [1]),
    ("one decision a statement", "sim/a.cpp", f"void f() {{ h({CHOOSE}, [&] {{ int y = {CHOOSE}; }}); }}\n", []),
    ("one decision a statement", "sim/a.cpp", f"void f() {{ h({CHOOSE}, [&] {{ y(); }}, {CHOOSE}); }}\n", [1]),
    ("one decision a statement", "sim/a.cpp", f'void f() {{ g("choose( chance(", {CHOOSE}); /* choose( */ }}\n', []),
    ("one decision a statement", "sim/a.cpp", f"void f() {{ g(R\"x(a \" ; choose()x\", 1'000, {CHOOSE}); {CHOOSE}; }}\n", []),
    ("file length", "sim/a.cpp", "// A file.\n" + "int x;\n" * 400, [1]),
    ("file length", "sim/a.cpp", f"// A file.\n// {LONG}.\n" + "int x;\n" * 400, []),
    ("file length", "sim/a.cpp", "int y;\n" * 10 + f"// {LONG}\n" + "int x;\n" * 400, [1]),
    ("file length", "sim/a.cpp", "int x;\n" * 400, []),
    ("function length", "sim/a.cpp", "namespace a {\nvoid f(int x) {\n" + BODY + "}\n}\n", [2]),
    ("function length", "sim/a.cpp", f"namespace a {{\n// {LONG}\nvoid f() {{\n" + BODY + "}\n}\n", []),
    ("function length", "sim/a.cpp", "class A : B {\n public:\n  int f() const override {\n" + BODY + "}\n};\n", [3]),
    ("function length", "sim/a.cpp", "struct A {\n" + "  void f() { g(); }\n" * 90 + "};\n", []),
    ("function length", "sim/a.cpp", "A::A() : x_(1), y_{2} {\n" + BODY + "}\n", [1]),
    ("test names", "sim/a_test.cpp", 'TEST_CASE("a, b") {}\nTEST_CASE("a; b") {}\nTEST_CASE("a[0]") {}\n', [2, 3]),
    ("test names", "sim/a.cpp", 'TEST_CASE("a; b") {}\n', []),
    ("readme length", "sim/README.md", "line\n" * 16, [16]),
    ("readme length", "sim/README.md", "line\n" * 15, []),
    ("place of scenarios", "scenarios/a.lua", "return {}\n", [1]),
    ("place of scenarios", "scenarios/other/a.lua", "return {}\n", [1]),
    ("place of scenarios", "scenarios/hazards/a.lua", "return {}\n", []),
    ("place of scenarios", "scenarios/cohsim.d.lua", "return {}\n", []),
    ("white space", "sim/a.cpp", "int a; \n\tint b;\nint c;\n", [1, 2]),
    ("words", "docs/a.md", "TO" "DO mend\nTO" "DO(#12) mend\nto" "do: mend\n", [1, 3]),
    ("words", "docs/a.md", "see /wo" "rk/x\nand /ho" "me/me\nand net" "work/x, a/ho" "me/b\n", [1, 2]),
]

MISSING = (["CMakeLists.txt", "a/CMakeLists.txt", "b/x.h", "c/x.h", "c/README.md", ".ci/run", "c/d/x.lua"], ["b", "c/d"])


def run():
    """Messages of what went wrong; none when every rule finds what it must and nothing else."""
    wrong = []
    for rule, path, text, expected in CASES:
        found = [line for line, _ in rules.FILE_RULES[rule](rules.File(path, text))]
        if found != expected:
            wrong.append(f"{rule}: expected findings in lines {expected}, got {found}, of {path}:\n{text[:300]}")
    for rule in rules.FILE_RULES:
        if not any(case[0] == rule and case[3] for case in CASES):
            wrong.append(f"{rule}: no snippet breaks it")
    found = [folder for folder, _ in rules.missing_readmes(MISSING[0])]
    if found != MISSING[1]:
        wrong.append(f"missing readmes: expected {MISSING[1]}, got {found}")
    return wrong
