"""Expressions of C and of the GNU assembler: numbers, names, operators, parentheses.

Both have the same operators. The assembler ranks them in another way (`&` and `|` above `+`, which has the rank of the
comparisons), and a comparison that holds is -1 there. Results have 64 bits.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, NoReturn

from formats.fixed import signed, truncated

Expression = Callable[[Mapping[str, int]], int]
"""Gives its value with the values of names. Raises KeyError for a name without one, ExpressionError for a division by
zero."""

NAME: Final = r"[A-Za-z_.$\x80-\U0010FFFF][\w.$\x80-\U0010FFFF]*"
"""Names of the assembler, which has those of C too; `.` is the address of what is written."""
_TOKEN: Final = re.compile(
    rf"\s*(?:(0[xX][0-9A-Fa-f]+|0[bB][01]+|[0-9]+)[uUlL]*(?![\w.])|({NAME})|'(\\?[^\n])'"
    r"|(<<|>>|&&|\|\||[<>=!]=|<>|[-+*/%&|^~!<>()]))"
)
_DEEPEST, _MOST_OPERATORS = 50, 100
"""Signs and parentheses before an operand, and operators of an expression."""
_ESCAPES: Final = {"\\n": "\n", "\\t": "\t", "\\0": "\0", "\\r": "\r", "\\\\": "\\", "\\'": "'"}
_PREFIXES: Final[dict[str, Callable[[int], int]]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
    "!": lambda value: int(not value),
}


class ExpressionError(ValueError):
    """A text that is no expression, or one without a value."""


def _quotient(left: int, right: int) -> int:
    if right == 0:
        raise ExpressionError("a division by zero")
    return truncated(left, right)


_Binary = Callable[[int, int], int]
_ARITHMETIC: Final[dict[str, _Binary]] = {
    "*": lambda left, right: signed(left * right, 64),
    "/": _quotient,
    "%": lambda left, right: left - right * _quotient(left, right),
    "<<": lambda left, right: signed(left << right, 64) if 0 <= right < 64 else 0,
    ">>": lambda left, right: left >> right if 0 <= right < 64 else 0,
    "+": operator.add,
    "-": operator.sub,
    "&": operator.and_,
    "^": operator.xor,
    "|": operator.or_,
    "&&": lambda left, right: int(bool(left and right)),
    "||": lambda left, right: int(bool(left or right)),
}
_COMPARISONS: Final[dict[str, _Binary]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
}


def _language(ranks: str, true: int) -> dict[str, tuple[int, _Binary]]:
    """Operator -> its rank (the highest binds first) and what it does; `ranks` from the lowest one on."""
    functions = dict(_ARITHMETIC)
    for sign, compare in _COMPARISONS.items():
        functions[sign] = lambda left, right, compare=compare: true if compare(left, right) else 0  # type: ignore[misc]
    signs = [rank.split() for rank in ranks.split(",")]
    return {sign: (rank, functions[sign]) for rank, same in enumerate(signs, 1) for sign in same}


C: Final = _language("||, &&, |, ^, &, == !=, < > <= >=, << >>, + -, * / %", 1)
ASSEMBLER: Final = _language("||, &&, + - == != <> < > <= >=, | & ^, * / % << >>", -1)


@lru_cache(1 << 16)
def expression(text: str, *, assembler: bool = False) -> Expression:
    """The expression of C, or of the assembler, in a text. Raises ExpressionError."""
    return _Parser(text, ASSEMBLER if assembler else C).read()


class _Parser:
    def __init__(self, text: str, language: Mapping[str, tuple[int, _Binary]]) -> None:
        self._text = text
        self._language = language
        self._at = self._depth = self._operators = 0
        self._next: re.Match[str] | None = None
        self._advance()

    def read(self, end: str = "") -> Expression:
        """The expression up to a sign, or up to the end."""
        expression = self._operand_and_more(0)
        if (self._next[4] if self._next is not None else "") != end:
            self._fail()
        return expression

    def _advance(self) -> None:
        """Read the next token; None behind the last one."""
        self._next = _TOKEN.match(self._text, self._at)
        if self._next is not None:
            self._at = self._next.end()
        elif self._text[self._at :].strip():
            self._fail()

    def _operand_and_more(self, rank: int) -> Expression:
        """An operand, and the operators behind it that bind more than one of `rank`."""
        left = self._operand()
        while self._next is not None and self._language.get(self._next[4] or "", (0,))[0] > rank:
            self._operators += 1
            if self._operators > _MOST_OPERATORS:
                raise ExpressionError(f"an expression has more than {_MOST_OPERATORS} operators")
            own_rank, function = self._language[self._next[4]]
            self._advance()
            left = _binary(function, left, self._operand_and_more(own_rank))
        return left

    def _operand(self) -> Expression:
        token = self._next
        if token is None:
            self._fail()
        self._advance()
        number, name, character, sign = token.groups()
        if number:
            return _constant(_number(number))
        if name:
            return operator.itemgetter(name)
        if character:
            return _constant(ord(_ESCAPES.get(character, character)[-1]))
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ExpressionError(f"more than {_DEEPEST} signs and parentheses before an operand")
        if sign == "(":
            expression = self.read(")")
            self._advance()
        elif sign in _PREFIXES:
            expression = _unary(_PREFIXES[sign], self._operand())
        else:
            self._fail()
        self._depth -= 1
        return expression

    def _fail(self) -> NoReturn:
        raise ExpressionError(f"{_short(self._text)} is no expression")


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _number(text: str) -> int:
    if len(text) > 40:
        raise ExpressionError(f"{_short(text)} is too large")
    is_octal = text[0] == "0" and text.isdigit() and len(text) > 1
    try:
        return int(text, 8 if is_octal else 0)
    except ValueError:
        raise ExpressionError(f"{text} is no number; one that begins with 0 is octal") from None


def _constant(value: int) -> Expression:
    return lambda names: value


def _unary(function: Callable[[int], int], operand: Expression) -> Expression:
    return lambda names: function(operand(names))


def _binary(function: _Binary, left: Expression, right: Expression) -> Expression:
    return lambda names: function(left(names), right(names))
