"""What is requested of workers, in which order, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any

from mapexplorer.errors import RomError
from mapexplorer.gui.jobs.loader import Loader


class Requests:
    """Requests that are answered by the test: key -> (version, take, fail), in the order in which they were made."""

    def __init__(self) -> None:
        self.open: dict[Any, tuple[Any, Callable[[Any], None], Callable[[BaseException], None]]] = {}
        self.made: list[Any] = []
        self.arrived: list[Any] = []
        self.possible = True

    def load(self, key: Any, version: Any, take: Callable[[Any], None], fail: Callable[[BaseException], None]) -> Any:
        if not self.possible:
            return None
        self.open[key] = version, take, fail
        self.made.append((key, version) if version is not None else key)
        return self

    def take(self, key: Any, value: Any = "value") -> None:
        self.open.pop(key)[1](value)

    def fail(self, key: Any, error: BaseException) -> None:
        self.open.pop(key)[2](error)

    def loader(self, **options: Any) -> Loader[Any, Any]:
        return Loader(self.load, lambda *arrived: self.arrived.append(arrived), **options)


def test_keys_are_requested_in_order_and_no_more_than_some_at_once() -> None:
    requests = Requests()
    loader = requests.loader(at_once=2)
    loader.want(dict.fromkeys("abc"))
    assert requests.made == ["a", "b"] and not loader.complete()
    requests.take("b", 1)
    assert requests.made == ["a", "b", "c"] and loader.get("b") == 1 and loader.get("a") is None
    requests.take("a", 2)
    requests.take("c", 3)
    assert loader.complete() and loader.keys == {"a", "b", "c"}
    assert requests.arrived == [("b", None, 1), ("a", None, 2), ("c", None, 3)]
    loader.want(dict.fromkeys("abc"))
    assert not requests.open


def test_what_is_no_longer_wanted_is_not_requested_but_kept_when_it_arrives() -> None:
    requests = Requests()
    loader = requests.loader(at_once=1)
    loader.want(dict.fromkeys("abc"))
    loader.want(dict.fromkeys("d"))
    requests.take("a", 1)
    assert requests.made == ["a", "d"] and loader.get("a") == 1
    loader.want_nothing()
    requests.take("d")
    assert not requests.open and loader.complete()


def test_the_owner_that_asked_last_comes_first_and_each_knows_when_it_has_all() -> None:
    requests = Requests()
    loader = requests.loader(at_once=1)
    loader.want(dict.fromkeys("ab"), "left")
    loader.want(dict.fromkeys("cb"), "right")
    requests.take("a")
    requests.take("c")
    assert requests.made == ["a", "c", "b"] and not loader.complete("left")
    requests.take("b")
    assert loader.complete("left") and loader.complete("right")


def test_one_more_key_goes_before_the_others() -> None:
    requests = Requests()
    loader = requests.loader(at_once=1)
    for key in "abc":
        loader.want_first(key)
    loader.want_first("b")
    for key in ("a", "b", "c"):
        requests.take(key)
    loader.want_first("b")
    assert requests.made == ["a", "b", "c"]


def test_another_version_is_requested_and_the_outdated_value_is_kept_until_it_arrives() -> None:
    requests = Requests()
    loader = requests.loader()
    loader.want({"a": 1})
    requests.take("a", "old")
    loader.want({"a": 2})
    assert loader.get("a") == "old" and not loader.complete()
    _, late, _ = requests.open["a"]
    loader.want({"a": 3})  # version 2 is still in flight
    late("late")
    assert loader.get("a") == "old"
    requests.take("a", "new")
    assert loader.get("a") == "new" and loader.complete()
    assert [version for _, version, _ in requests.arrived] == [1, 3]


def test_one_at_a_time_has_the_last_version_requested_after_the_one_in_flight() -> None:
    requests = Requests()
    loader = requests.loader(at_once=1)
    for version in (1, 2, 3):
        loader.want({"frame": version})
    requests.take("frame", "first")
    assert loader.get("frame") == "first" and not loader.complete()
    assert requests.made == [("frame", 1), ("frame", 3)]


def test_a_postponed_request_is_replaced_by_another_version_but_not_repeated() -> None:
    requests = Requests()
    loader = requests.loader(at_once=1)
    loader.want({"frame": 1})
    loader.postpone("frame")
    assert requests.made == [("frame", 1)]
    loader.want({"frame": 2})
    assert requests.made == [("frame", 1), ("frame", 2)]
    requests.take("frame", "second")
    assert loader.complete() and loader.get("frame") == "second"
    loader.want({"frame": 3})
    loader.want({"frame": 4})  # version 3 is not postponed
    assert requests.made[-1] == ("frame", 3)


def test_what_failed_is_not_requested_again_in_the_same_version() -> None:
    requests = Requests()
    loader = requests.loader(at_once=1)
    loader.want({"a": 1, "b": 1})
    requests.fail("a", RomError("damaged"))
    assert requests.arrived == [("a", 1, None)] and requests.made == [("a", 1), ("b", 1)]
    loader.want({"a": 1, "b": 1})
    requests.take("b")
    assert loader.complete() and not requests.open
    loader.want({"a": 2})
    assert requests.made[-1] == ("a", 2)


def test_what_was_cancelled_or_could_not_be_requested_is_requested_again() -> None:
    requests = Requests()
    loader = requests.loader()
    loader.want({"a": 1})
    requests.fail("a", CancelledError())
    assert requests.made == [("a", 1)] * 2 and not requests.arrived
    requests.take("a")
    requests.possible = False
    loader.want({"b": 1})
    assert not requests.open and not loader.complete()
    requests.possible = True
    loader.want({"b": 1})
    assert "b" in requests.open


def test_the_values_used_longest_ago_are_dropped_beyond_the_budget() -> None:
    requests = Requests()
    loader = requests.loader(budget=5, size=len)
    loader.want(dict.fromkeys("abc"))
    requests.take("a", "xx")
    requests.take("b", "yy")
    assert loader.get("a") == "xx"
    requests.take("c", "zz")
    assert loader.get("b") is None and loader.get("a") == "xx" and loader.get("c") == "zz"
    loader.want(dict.fromkeys("b"))
    assert "b" in requests.open


def test_without_a_budget_only_the_versions_are_known() -> None:
    requests = Requests()
    loader = requests.loader(budget=None)
    loader.want({"a": 1})
    requests.take("a", "uploaded")
    assert loader.get("a") is None and loader.keys == {"a"} and requests.arrived == [("a", 1, "uploaded")]
    loader.want({"a": 1})
    assert not requests.open
    loader.drop("a")
    loader.want({"a": 1})
    assert "a" in requests.open


def test_what_is_in_flight_when_everything_is_forgotten_does_not_arrive() -> None:
    requests = Requests()
    loader = requests.loader(at_once=1)
    loader.want({"a": 1, "b": 1})
    _, late, _ = requests.open.pop("a")
    loader.clear()
    loader.want({"a": 1})
    late("of the ROM before")
    assert loader.get("a") is None and not requests.arrived
    requests.take("a", "of this ROM")
    assert loader.get("a") == "of this ROM" and loader.complete()
