"""The rules of the tree. A rule takes a File and answers (line, message) for each finding.

Each stands in RULES with a snippet that breaks it, so that a rule that finds nothing is noticed."""

import os
import re

from tree import cpp

FOLDERS = ("sim", "sim/sqlite", "lua", "sim/valkey", "fidelity", "serve", "model", "properties", "reports", "cli", "bench",
           "fuzz", "testing")
MAY_INCLUDE = {
    "sim": {"sim"},
    "sim/sqlite": {"sim", "sim/sqlite"},
    "lua": {"lua"},
    "sim/valkey": {"sim", "sim/valkey", "lua"},
    "fidelity": {"sim", "sim/valkey", "lua", "fidelity"},
    "serve": {"sim", "sim/valkey", "lua", "serve"},
    "fuzz": {"sim", "sim/valkey", "lua", "fidelity", "fuzz"},
    "model": {"sim", "sim/sqlite", "sim/valkey", "lua", "model"},
    "properties": {"sim", "sim/sqlite", "sim/valkey", "lua", "model", "properties"},
    "reports": {"sim", "sim/valkey", "lua", "model", "properties", "reports"},
    "cli": {"sim", "sim/valkey", "lua", "fidelity", "serve", "model", "properties", "reports", "cli"},
    "bench": {"sim", "sim/valkey", "lua", "model", "properties", "bench"},
    "testing": {"testing"},
}
LONGEST_FILE = 400
LONGEST_FUNCTION = 70
LONGEST_README = 15


class File:
    """A text file of the tree by its path from the root, with forward slashes."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.lines = text.split("\n")
        self.is_cpp = path.endswith((".cpp", ".h"))
        self.is_test = path.endswith("_test.cpp") or path.startswith("testing/") or is_test_source(path)
        self.folder = folder_of(path)


def is_test_source(path):
    """What a folder's CMakeLists.txt names after TEST_SOURCES belongs to its tests alone."""
    folder, _, name = path.rpartition("/")
    lists = os.path.join(os.path.dirname(__file__), "..", "..", folder, "CMakeLists.txt")
    if not os.path.exists(lists):
        return False
    with open(lists, encoding="utf-8") as text:
        _, mark, rest = text.read().partition("TEST_SOURCES")
    return bool(mark) and name in rest.partition(")")[0].split()


def folder_of(path):
    inside = [f for f in FOLDERS if path.startswith(f + "/")]
    return max(inside, key=len) if inside else None


def include_direction(file):
    if not file.is_cpp or file.folder is None:
        return
    for number, line in enumerate(file.lines, 1):
        match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if not match:
            continue
        target = folder_of(match.group(1))
        if target is None:
            yield number, f'"{match.group(1)}" is not named from the root of the tree'
        elif target == "testing" and file.folder != "testing":
            if not file.is_test:
                yield number, "testing/ is for *_test.cpp only"
        elif target not in MAY_INCLUDE[file.folder]:
            allowed = ", ".join(sorted(MAY_INCLUDE[file.folder]))
            yield number, f"{file.folder} may not include {target} (only {allowed})"


LIBRARIES = (
    (r"<(lua\w*|lauxlib|lualib)(\.h|\.hpp|[\d.]*/[^>]*)>", lambda p: re.fullmatch(r"(lua|bench)/[^/]*\.cpp", p), "Lua headers are for lua/*.cpp only (and bench/)"),
    (r"<sqlite3", lambda p: p.startswith("sim/sqlite/"), "SQLite's header is for sim/sqlite/ only"),
    (r"<CLI/", lambda p: p.startswith("cli/"), "CLI11 is for cli/ only"),
    (r"<rapidcheck", lambda p: p.startswith(("properties/", "fidelity/")), "RapidCheck is for properties/ and fidelity/ only"),
    (r"<benchmark/", lambda p: p.startswith("bench/"), "Google Benchmark is for bench/ only"),
    (r"<catch2/", lambda p: p.startswith("testing/"), 'Catch2 comes by "testing/catch.h" only'),
)


def library_headers(file):
    if not file.is_cpp:
        return
    for number, line in enumerate(file.lines, 1):
        for header, allowed, message in LIBRARIES:
            if re.match(r"\s*#\s*include\s*" + header, line) and not allowed(file.path):
                yield number, message


def clocks_allowed(file):
    return file.folder == "cli"


# (words, who may, what to do instead). A line may say `// never reaches a trace: why`.
FORBIDDEN = (
    (r"\brandom_device\b", lambda f: f.path == "cli/entropy.cpp", "entropy is taken in cli/entropy.cpp only"),
    (r"\b\w+_distribution\b", None, "std distributions differ between libraries: use sim/choices.h"),
    (r"\b(mt19937(_64)?|default_random_engine|minstd_rand0?)\b", None, "use sim/random.h"),
    (r"\b(system_clock|steady_clock|high_resolution_clock)\b", clocks_allowed, "clocks are for cli/ and bench/ only: time is virtual"),
    (r"\b(gettimeofday|clock_gettime|time\s*\(\s*(nullptr|NULL|0)\s*\))", clocks_allowed, "clocks are for cli/ and bench/ only: time is virtual"),
    (r"\b(srand|rand|drand48|lrand48)\s*\(", None, "libc's randomness: use sim/choices.h"),
    (r"\bstd::(thread|jthread|async)\b", None, "a run is one thread; parallel runs are processes"),
    (r"\bsetlocale\s*\(", None, "changes the whole process: use newlocale and the _l functions"),
)


def without_comments(file):
    """Lines with comments and strings blanked out, line numbers kept."""
    text = re.sub(
        r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"',
        lambda m: re.sub(r"[^\n]", " ", m.group()),
        file.text,
        flags=re.DOTALL,
    )
    return text.split("\n")


def forbidden(file):
    # Programs in bench/ make no trace.
    if not file.is_cpp or file.is_test or file.folder in (None, "bench"):
        return
    for number, (line, plain) in enumerate(zip(file.lines, without_comments(file)), 1):
        if plain.lstrip().startswith("#"):
            continue
        for words, allowed, instead in FORBIDDEN:
            if not re.search(words, plain) or (allowed and allowed(file)):
                continue
            if not re.search(r"// never reaches a trace: \S", line):
                yield number, instead
        if re.search(r"\bunordered_(multi)?(map|set)\b", plain) and not re.search(r"// never iterated: \S", line):
            yield number, "its order differs between libraries: use std::map, or say `// never iterated: why`"


DOORS = ("choose", "between", "chance", "weighted")


def one_decision_a_statement(file):
    if not file.is_cpp or file.folder is None:
        return
    for statement in cpp.statements(cpp.code(file.text)):
        decisions = []
        for i, token in enumerate(statement):
            following = statement[i + 1].text if i + 1 < len(statement) else ""
            if token.text == "co_await" or (token.kind == "word" and token.text in DOORS and following == "("):
                decisions.append(token)
        if len(decisions) > 1:
            yield decisions[1].line, "two decisions or awaits in one statement: their order differs between compilers"


def file_length(file):
    if not (file.is_cpp or file.path.endswith((".py", ".sh", ".lua", ".cmake"))):
        return
    length = file.text.count("\n")
    first = re.match(r"\s*(?:#![^\n]*\n\s*)?((?:[ \t]*(?://|--|#(?!\s*(?:include|pragma)))[^\n]*\n)+|/\*.*?\*/|\"\"\".*?\"\"\")", file.text, re.DOTALL)
    if length > LONGEST_FILE and not (first and "long because:" in first.group(1)):
        yield 1, f"{length} lines, more than {LONGEST_FILE}: split it, or say `long because: …` in the first comment"


def function_length(file):
    if not file.is_cpp:
        return
    for begin, end in cpp.functions(file.text):
        if end - begin + 1 <= LONGEST_FUNCTION:
            continue
        top = begin - 1
        while top > 0 and file.lines[top - 1].lstrip().startswith("//"):
            top -= 1
        if not any("// long because:" in line for line in file.lines[top : begin + 1]):
            yield begin, f"a function of {end - begin + 1} lines, more than {LONGEST_FUNCTION}: split it, or say `// long because: …`"


def readme_length(file):
    if file.path.endswith("/README.md") and file.text.count("\n") > LONGEST_README:
        yield LONGEST_README + 1, f"a folder's README has at most {LONGEST_README} lines"


def scenario_place(file):
    if file.path.startswith("scenarios/") and file.path.endswith(".lua") and not file.path.endswith("/cohsim.d.lua"):
        if file.path.split("/")[1] not in ("guarantees", "hazards", "regressions"):
            yield 1, "a scenario lies in scenarios/guarantees, hazards or regressions"


def white_space(file):
    if "/golden/" in file.path:
        return
    for number, line in enumerate(file.lines, 1):
        if line != line.rstrip():
            yield number, "white space at the end of the line"
        elif "\t" in line:
            yield number, "a tab"


# Written so that this file does not hold what it forbids.
WORDS = (
    (r"\bTO" r"DO\b(?!\s*\(#\d+\))", "a TO" "DO names its issue: TO" "DO(#12)"),
    (r"\bFIX" r"ME\b", "an open end: mend it, or name an issue"),
    (r"(?<![\w.$}/])/(work|root|home)" r"/", "a path of one machine"),
)


def words(file):
    for number, line in enumerate(file.lines, 1):
        for word, message in WORDS:
            if re.search(word, line, re.IGNORECASE):
                yield number, message


def missing_readmes(paths):
    """Folders that hold something besides their CMakeLists.txt need a README.md. Takes all paths of the tree."""
    folders = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        if folder and not folder.startswith("."):
            folders.setdefault(folder, set()).add(name)
    for folder, names in sorted(folders.items()):
        if names - {"CMakeLists.txt"} and "README.md" not in names:
            yield folder, "has no README.md"


def test_names(file):
    """ctest cuts a name at ';', asks the program for the rest, which it has not, and calls that passed."""
    if not file.is_test:
        return
    for number, line in enumerate(file.lines, 1):
        if re.search(r'TEST_CASE\("[^"]*[;\[\],*\\]', line.replace(", ", " ")):
            yield number, "a test's name may hold no ';', '[', ']', '*', '\\', nor ',' without a blank: ctest would not run it"


FILE_RULES = {
    "include direction": include_direction,
    "library headers": library_headers,
    "nothing nondeterministic": forbidden,
    "one decision a statement": one_decision_a_statement,
    "file length": file_length,
    "function length": function_length,
    "readme length": readme_length,
    "place of scenarios": scenario_place,
    "test names": test_names,
    "white space": white_space,
    "words": words,
}
