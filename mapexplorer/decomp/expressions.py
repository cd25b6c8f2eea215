"""Expressions of C and of the GNU assembler: numbers, names, operators, parentheses.

Both have the same operators. The assembler ranks them in another way (`&` and `|` above `+`, which has the rank of the
comparisons), and a comparison that holds is -1 there. Results have 64 bits.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Final

from formats.fixed import signed, truncated

Expression = Callable[[Mapping[str, int]], int]
"""Gives its value with the values of names. Raises KeyError for a name without one, ExpressionError for a division by
zero."""
_Operator = Callable[[int, int], int]

NAME: Final = r"[A-Za-z_.$\x80-\U0010FFFF][\w.$\x80-\U0010FFFF]*"
"""Names of the assembler, which has those of C too; `.` is the address of what is written."""
_TOKEN: Final = re.compile(
    rf"\s*(?:(0[xX][0-9A-Fa-f]+|0[bB][01]+|[0-9]+)[uUlL]*(?![\w.])|({NAME})|'(\\?[^\n])'"
    r"|(<<|>>|&&|\|\||[<>=!]=|<>|[-+*/%&|^~!<>()]))|\s*(\S)"
)
_ESCAPES: Final = {"\\n": "\n", "\\t": "\t", "\\0": "\0", "\\r": "\r", "\\\\": "\\", "\\'": "'"}


class ExpressionError(ValueError):
    """A text that is no expression, or one without a value."""


def _quotient(left: int, right: int) -> int:
    if right == 0:
        raise ExpressionError("a division by zero")
    return truncated(left, right)


_OPERATORS: Final[dict[str, _Operator]] = {
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
_COMPARISONS: Final[dict[str, _Operator]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
}
_PREFIXES: Final[dict[str, tuple[int, _Operator]]] = {
    "-": (0, operator.sub),
    "+": (0, operator.add),
    "~": (-1, operator.xor),
    "!": (0, lambda left, right: int(left == right)),
}
"""An operator before an operand -> the left operand and the operator that do the same."""
_C: Final = "||, &&, |, ^, &, == !=, < > <= >=, << >>, + -, * / %"
_ASSEMBLER: Final = "||, &&, + - == != <> < > <= >=, | & ^, * / % << >>"
"""The operators from the lowest rank on."""


_HIGHEST: Final = 100
_PARENTHESIS: Final[tuple[int, _Operator]] = (0, max)
"""The rank of an open parenthesis, which has no operation."""


@lru_cache(2)
def _ranked(assembler: bool) -> dict[str, tuple[int, _Operator]]:
    """Operator -> its rank (the highest binds first), and what it does; a closing parenthesis ranks lowest."""
    true = -1 if assembler else 1
    ranks = [rank.split() for rank in (_ASSEMBLER if assembler else _C).split(",")]
    functions = dict(_OPERATORS)
    for sign, compare in _COMPARISONS.items():
        functions[sign] = lambda left, right, compare=compare: true * compare(left, right)  # type: ignore[misc]
    ranked = {sign: (rank, functions[sign]) for rank, same in enumerate(ranks, 1) for sign in same}
    return {**ranked, ")": (1, max)}


@lru_cache(1 << 16)
def expression(text: str, *, assembler: bool = False) -> Expression:
    """The expression of C, or of the assembler, in a text. Raises ExpressionError."""
    ranked = _ranked(assembler)
    steps: list[int | str | _Operator] = []
    waiting = [_PARENTHESIS]
    needs_operand = True
    for number, name, character, sign, other in [*_TOKEN.findall(text), ("", "", "", ")", "")]:
        is_begin = not sign or sign == "(" or (needs_operand and sign in _PREFIXES)
        if other or not waiting or is_begin != needs_operand or not (is_begin or sign in ranked):
            raise ExpressionError(f"{_short(text)} is no expression")
        if not sign:
            steps.append(_number(number) if number else name or ord(_ESCAPES.get(character, character)[-1]))
            needs_operand = False
        elif sign == "(":
            waiting.append(_PARENTHESIS)
        elif is_begin:
            left, function = _PREFIXES[sign]
            steps.append(left)
            waiting.append((_HIGHEST, function))
        else:
            rank, function = ranked[sign]
            while waiting[-1][0] >= rank:
                steps.append(waiting.pop()[1])
            if sign == ")":
                waiting.pop()
            else:
                waiting.append((rank, function))
                needs_operand = True
    if waiting:
        raise ExpressionError(f"{_short(text)} is no expression")
    return operator.itemgetter(steps[0]) if isinstance(steps[0], str) and len(steps) == 1 else partial(_value, steps)


def _value(steps: list[int | str | _Operator], names: Mapping[str, int]) -> int:
    """The value of operands and operators, each operator behind its two operands."""
    values: list[int] = []
    for step in steps:
        if isinstance(step, int | str):
            values.append(step if isinstance(step, int) else names[step])
        else:
            right = values.pop()
            values.append(step(values.pop(), right))
    return values[0]


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _number(text: str) -> int:
    is_octal = text[0] == "0" and text.isdigit() and len(text) > 1
    try:
        return int(text, 8 if is_octal else 0)
    except ValueError:
        raise ExpressionError(f"{_short(text)} is no number") from None
