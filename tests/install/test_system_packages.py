"""What system_packages.sh asks for, and what it says to a user who cannot install it."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SCRIPT = HERE / "system_packages.sh"
LIST = HERE / "system_packages.list"
QT_MODULES = ("QtCore", "QtGui", "QtWidgets", "QtDBus", "QtTest")
QT_PLUGINS = ("platforms/libqxcb.so", "platforms/libqoffscreen.so", "xcbglintegrations/*.so")
# Every manylinux wheel may rely on these (PEP 513), and every Debian has them.
EVERYWHERE = {"ld-linux-x86-64.so.2", "libc.so.6", "libdl.so.2", "libgcc_s.so.1", "libm.so.6", "libpthread.so.0"}
EVERYWHERE |= {"librt.so.1", "libstdc++.so.6"}
DT_NEEDED = 1
SHT_DYNAMIC = 6

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="packages of Linux distributions")


def lines() -> list[tuple[str, str, str, str]]:
    """(package, purpose, check, names) of every line of the list."""
    text = LIST.read_text("utf-8")
    rows = [line.split(maxsplit=3) for line in text.splitlines() if line and not line.startswith("#")]
    return [(package, purpose, check, names) for package, purpose, check, names in rows]


class Machine:
    """A machine made of stubs: the commands on its PATH, the libraries that its dynamic linker lists, its files."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.bin.mkdir()
        for name in ("bash", "fold", "env"):
            (self.bin / name).symlink_to(shutil.which(name) or name)
        self.files = folder / "files"
        self.script = folder / SCRIPT.name
        shutil.copy(SCRIPT, self.script)
        text = LIST.read_text("utf-8")
        for names in (names for _, _, check, names in lines() if check == "file"):
            text = text.replace(names, " ".join(f"{self.files}{name}" for name in names.split()))
        (folder / LIST.name).write_text(text, "utf-8")
        self.log = folder / "log"
        self.log.touch()
        self.command("id", "echo 1000")
        self.command("apt-get", f'echo "apt-get $*" >> {self.log}')
        self.libraries()

    def command(self, name: str, script: str = "") -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/bash\n{script}\n")
        path.chmod(0o755)

    def libraries(self, *names: str) -> None:
        listed = "\n".join(f"\t{name} (libc6,x86-64) => /lib/{name}" for name in names)
        self.command("ldconfig", f"printf '%s\\n' '{listed}'")

    def complete(self, *but: str) -> None:
        """Everything of the list is there, except some packages."""
        have = [(check, names) for package, _, check, names in lines() if package not in but]
        self.libraries(*(names for check, names in have if check == "library"))
        for check, names in have:
            if check == "command":
                self.command(names)
            if check == "file":
                file = Path(f"{self.files}{names.split()[0].replace('*', 'any')}")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.touch()

    def run(self, **variables: str) -> subprocess.CompletedProcess[str]:
        words = [str(self.bin / "bash"), str(self.script)]
        return subprocess.run(
            words, env={"PATH": str(self.bin)} | variables, capture_output=True, text=True, check=False
        )

    def installed(self) -> str:
        return self.log.read_text()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@linux
@pytest.mark.parametrize("sudo", [None, "echo 'sudo: a password is required' >&2; exit 1"])
def test_a_user_who_cannot_install_reads_one_paragraph(machine: Machine, sudo: str | None) -> None:
    if sudo is not None:
        machine.command("sudo", sudo)
    ran = machine.run()
    assert ran.returncode == 1 and ran.stdout == "" and machine.installed() == ""
    before, install, after = ran.stderr.strip().split("\n\n")
    for word in (
        "Qt and OpenGL",
        "libglib2.0-0",
        "libgl1",
        "fonts-dejavu-core",
        "xvfb",
        "nodejs",
        "sudo",
        "administrator",
    ):
        assert word in before
    assert before.count("libglib2.0-0") == 1
    assert max(map(len, before.splitlines())) <= 110
    assert install.strip().startswith("apt-get update && apt-get install -y --no-install-recommends libglib2.0-0 ")
    assert "\n" not in install and set(install.split()) >= {"xauth", "npm", "libxcb-xkb1"}
    assert "make demo" in after and "make test NO_GL=1" in after


@linux
def test_without_opengl_nothing_is_asked_for(machine: Machine) -> None:
    ran = machine.run(NO_GL="1")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


@linux
def test_the_validator_alone_stops_only_where_nothing_may_skip(machine: Machine) -> None:
    machine.complete("nodejs", "npm")
    ran = machine.run()
    assert (ran.returncode, ran.stdout) == (0, "")
    assert ran.stderr.count("\n") == 1 and "nodejs and npm" in ran.stderr
    ran = machine.run(MAPEXPLORER_REQUIRE="1")
    assert ran.returncode == 1 and "apt-get install" in ran.stderr


@linux
def test_nothing_is_said_where_nothing_is_missing(machine: Machine) -> None:
    machine.complete()
    ran = machine.run(MAPEXPLORER_REQUIRE="1")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


@linux
@pytest.mark.parametrize("root", [True, False])
def test_what_is_missing_is_installed_by_who_can(machine: Machine, root: bool) -> None:
    machine.complete("libglib2.0-0", "xauth")
    if root:
        machine.command("id", "echo 0")
    else:
        machine.command("sudo", f'echo sudo >> {machine.log}; [ "$1" = -n ] && shift; "$@"')
        machine.command("true")
    ran = machine.run()
    assert ran.returncode == 0, ran.stderr
    assert ("sudo" in machine.installed()) != root
    done = [line for line in machine.installed().splitlines() if line != "sudo"]
    assert done == ["apt-get update -qq", "apt-get install -y --no-install-recommends libglib2.0-0 xauth -qq"]


@linux
def test_a_failed_installation_says_what_works_without(machine: Machine) -> None:
    machine.complete("xvfb")
    machine.command("id", "echo 0")
    machine.command("apt-get", "echo 'E: Unable to locate package' >&2; exit 100")
    ran = machine.run()
    assert ran.returncode == 1
    said = " ".join(ran.stderr.split())
    assert "E: Unable" in said and "apt-get could not install" in said and "make test NO_GL=1" in said


def needed(data: bytes) -> Iterator[str]:
    """The libraries that a 64-bit little-endian ELF file asks the dynamic linker for."""
    assert data[:6] == b"\x7fELF\x02\x01"
    (start,), (size, count) = struct.unpack_from("<Q", data, 0x28), struct.unpack_from("<HH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, start + size * index) for index in range(count)]
    for section in sections:
        kind, offset, length, link = section[1], section[4], section[5], section[6]
        if kind == SHT_DYNAMIC:
            strings = sections[link][4]
            for tag, value in struct.iter_unpack("<qQ", data[offset : offset + length]):
                if tag == DT_NEEDED:
                    yield data[strings + value : data.index(b"\0", strings + value)].decode()


@linux
@pytest.mark.skipif(platform.machine() != "x86_64", reason="PyQt5 has wheels for x86_64 only")
def test_every_library_that_qt_loads_is_in_the_list() -> None:
    found = importlib.util.find_spec("PyQt5")
    assert found is not None and found.origin is not None
    package = Path(found.origin).parent
    bundled = package / "Qt5" / "lib"
    if not bundled.is_dir():
        pytest.skip("this PyQt5 is not the wheel but a distribution's package")
    files = [next(package.glob(f"{name}.*so")) for name in QT_MODULES]
    files += [file for pattern in QT_PLUGINS for file in (package / "Qt5" / "plugins").glob(pattern)]
    seen: set[str] = set()
    outside: set[str] = set()
    while files:
        for name in set(needed(files.pop().read_bytes())) - seen:
            seen.add(name)
            if (bundled / name).exists():
                files.append(bundled / name)
            else:
                outside.add(name)
    assert {"libgthread-2.0.so.0", "libGL.so.1", "libxcb-xkb.so.1"} <= outside
    listed = {names for _, purpose, check, names in lines() if (purpose, check) == ("qt", "library")}
    assert outside - EVERYWHERE <= listed


@linux
@pytest.mark.skipif(shutil.which("dpkg") is None, reason="no dpkg here to ask")
def test_the_packages_hold_what_the_list_says() -> None:
    """What of the list is installed here came from the package that the list names."""
    libraries = [(package, names) for package, _, check, names in lines() if check == "library"]
    words = ["dpkg", "-S", *(f"*/{name}" for _, name in libraries)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    owners: dict[str, set[str]] = {}
    for line in ran.stdout.splitlines():
        package, _, file = line.partition(": ")
        owners.setdefault(Path(file).name, set()).add(package.split(":")[0].removesuffix("t64"))
    for package, name in libraries:
        assert name not in owners or package in owners[name], name
