"""The game's character map: the 16-bit codes of its text and their characters.

Each run is its first code and the characters of consecutive codes from there. Codes from 0x400 (Hangul of the Korean
release) are not listed.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Final

_RUNS: Final = (
    (0x001, "\u3000ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでと"),
    (0x02A, "どなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろわをん"),
    (0x052, "ァアィイゥウェエォオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂッツヅテデト"),
    (0x07A, "ドナニヌネノハバパヒビピフブプヘベペホボポマミムメモャヤュユョヨラリルレロワヲン"),
    (0x0A2, "０１２３４５６７８９"),
    (0x0AC, "ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ"),
    (0x0C6, "ａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ"),
    (0x0E1, "！？、。⋯・／「」『』（）㊚㊛＋－⊗⊘＝ｚ：；．，♤♧♡♢☆"),
    (0x0FF, "◎○□△◇＠♫％☼☔☰❄☋♔♕☊⇗⇘☾¥♈♉♊♋♌♍♎♏←↑↓→‣＆"),
    (0x121, "0123456789"),
    (0x12B, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    (0x145, "abcdefghijklmnopqrstuvwxyz"),
    (0x15F, "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ"),
    (0x19F, "ŒœŞşªº¹²³$¡¿!?,.…·/‘’“”„《》()♂♀+"),
    (0x1BE, "-*#=&~:;♠♣♥♦★◉●■▲◆@♪%☀☁☂☃☺♚♛☹↗↘☽ ⁴₧₦\u2009"),
    (0x1E8, "°_＿"),
)

CHARACTERS: Final[dict[int, str]] = {
    first + index: character for first, run in _RUNS for index, character in enumerate(run)
}
"""Code -> character. 0x0F5 is listed with the same character as 0x0DF."""

CODES: Final[dict[str, int]] = {character: code for code, character in reversed(CHARACTERS.items())}
"""Character -> its lowest code."""

_END: Final = 0xFFFF


def text_of(codes: Iterable[int]) -> str:
    """A text of codes, up to its end."""
    letters = takewhile(lambda code: code != _END, codes)
    return "".join(CHARACTERS.get(int(code), "?") if code else "" for code in letters)
