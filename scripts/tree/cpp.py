"""Just enough C++ to find statements, blocks and functions: no grammar, only tokens and brackets."""

import re

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^\s()\\]{0,16})\(.*?\)(?P=delimiter)")
      | (?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
      | (?P<number>\.?[0-9](?:'?[0-9a-zA-Z_.])*)
      | (?P<char>'(?:\\.|[^'\\\n])+')
      | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
      | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<mark>::|->|[^\s])""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


class Token:
    __slots__ = ("kind", "text", "line")

    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line


def tokens(source):
    found, line, at = [], 1, 0
    for match in TOKEN.finditer(source):
        line += source.count("\n", at, match.start())
        at = match.start()
        kind = "string" if match.lastgroup in ("raw", "delimiter") else match.lastgroup
        found.append(Token(kind, match.group(), line))
    return found


def code(source):
    """Tokens without comments and preprocessor lines."""
    return [t for t in tokens(source) if t.kind not in ("comment", "directive")]


def pairs(found):
    """Index of the closing bracket by the index of its opening one."""
    closing, stack = {}, []
    for i, token in enumerate(found):
        if token.kind != "mark":
            continue
        if token.text in "([{":
            stack.append(i)
        elif token.text in ")]}" and stack:
            closing[stack.pop()] = i
    return closing


def is_block(found, opening, closing):
    """A brace that holds statements, and not values: `{a, b}` has no semicolon, and is part of its statement."""
    if opening + 1 == closing:
        before = found[opening - 1].text if opening else ""
        return before in (")", "else", "try", "do", "const", "noexcept", "override")
    return any(found[i].text in (";", "{") and found[i].kind == "mark" for i in range(opening + 1, closing))


HEADS = ("if", "while", "for", "switch", "catch")


def statements(found, closing=None, begin=0, end=None):
    """Lists of tokens: what stands between `;`, `{` and `}`. The head of if, while, for and switch is a statement of its
    own; a lambda's body inside an expression is taken out of it, and its statements are given by themselves."""
    closing = pairs(found) if closing is None else closing
    end = len(found) if end is None else end
    current, i, depth = [], begin, 0
    while i < end:
        token = found[i]
        if token.kind == "word" and token.text in HEADS and depth == 0:
            head = i + 1
            while head < end and found[head].text != "(":
                head += 1
            if head in closing and closing[head] < end:
                if current:
                    yield current
                yield from split_lambdas(found, closing, i, closing[head] + 1)
                current, i = [], closing[head] + 1
                continue
        if token.kind == "mark" and token.text == "{" and i in closing and is_block(found, i, closing[i]):
            yield from statements(found, closing, i + 1, closing[i])
            i = closing[i] + 1
            if depth == 0:
                if current:
                    yield current
                current = []
            continue
        if token.kind == "mark":
            depth += (token.text in "([{") - (token.text in ")]}")
        if token.kind == "mark" and token.text == ";" and depth <= 0:
            if current:
                yield current
            current, depth = [], 0
        else:
            current.append(token)
        i += 1
    if current:
        yield current


def split_lambdas(found, closing, begin, end):
    """The head of a loop or branch as one statement, semicolons and all, with the lambdas in it taken out."""
    head, i = [], begin
    while i < end:
        if found[i].text == "{" and found[i].kind == "mark" and i in closing and is_block(found, i, closing[i]):
            yield from statements(found, closing, i + 1, closing[i])
            i = closing[i] + 1
            continue
        head.append(found[i])
        i += 1
    yield head


OUTER = ("namespace", "struct", "class", "enum", "union", "extern")


def functions(source):
    """(line of its head, line of its last brace) of each function body: a block right inside a namespace or a type."""
    found = code(source)
    closing = pairs(found)

    def walk(begin, end):
        head, i = begin, begin
        while i < end:
            token = found[i]
            if token.kind == "mark" and token.text == "{" and i in closing:
                last = closing[i]
                words = [t.text for t in found[head:i]]
                if any(w in OUTER for w in words) and ")" not in words:
                    yield from walk(i + 1, last)
                    head = last + 1
                elif is_block(found, i, last):
                    yield found[head].line, found[last].line
                    head = last + 1
                i = last + 1
                continue
            if token.kind == "mark" and token.text == "(" and i in closing:
                i = closing[i]
            elif token.kind == "mark" and token.text == ";":
                head = i + 1
            elif token.text in ("public", "private", "protected") and i + 1 < end and found[i + 1].text == ":":
                head = i + 2
            i += 1

    yield from walk(0, len(found))
