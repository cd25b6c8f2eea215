"""A failed or interrupted step of the Makefile does not spoil the next try."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAKE = shutil.which("make")
pytestmark = pytest.mark.skipif(MAKE is None or sys.platform == "win32", reason="make is not installed")

# `make test` gives its own variables to the programs that it runs.
OUTSIDE_MAKE = {
    name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name not in ("MFLAGS", "VENV")
}

# A Python whose first environment comes without pip, as Debian's without python3-venv, and whose later ones have one.
FLAWED = """#!/bin/bash
if [ "$1 $2" = "-m venv" ] && [ ! -e {folder}/repaired ]; then
  {python} -m venv --without-pip "${{@:3}}"
  echo "ensurepip is not available"
  exit 1
fi
exec {python} "$@"
"""

# An environment whose Python only writes down how pip was called.
RECORDING = """#!/bin/bash
[ "$1 $2" = "-m venv" ] || exec {python} "$@"
mkdir -p "$3/bin" "$3/lib/python3.11/site-packages"
printf '#!/bin/bash\\necho "$*" >> {folder}/calls\\n[ ! -e {folder}/offline ]\\n' > "$3/bin/python"
chmod +x "$3/bin/python"
"""


class Project:
    """A folder with the Makefile and nothing that it would install."""

    def __init__(self, folder: Path, python: str) -> None:
        self.folder = folder
        shutil.copy(ROOT / "Makefile", folder)
        for name in ("setup.cfg", "setup.py", "pyproject.toml"):
            (folder / name).touch()
        self.python = folder / "python"
        self.python.write_text(python.format(folder=folder, python=sys.executable))
        self.python.chmod(0o755)
        self.environment = folder / ".venv"

    def make(self, *words: str) -> subprocess.CompletedProcess[str]:
        assert MAKE is not None
        command = [MAKE, f"PYTHON={self.python}", *words]
        return subprocess.run(command, cwd=self.folder, env=OUTSIDE_MAKE, capture_output=True, text=True, check=False)

    def stamp(self, name: str) -> Path:
        return Path(".venv/.stamps") / name


def test_a_first_try_without_ensurepip_does_not_spoil_the_second(tmp_path: Path) -> None:
    project = Project(tmp_path, FLAWED)
    target = str(project.stamp("environment"))
    for _ in range(2):
        failed = project.make(target)
        assert failed.returncode != 0 and "ensurepip is not available" in failed.stdout
    (tmp_path / "repaired").touch()
    done = project.make(target)
    assert done.returncode == 0, done.stdout + done.stderr
    subprocess.run([project.environment / "bin" / "python", "-m", "pip", "--version"], check=True)


def test_an_environment_that_somebody_else_made_is_left_alone(tmp_path: Path) -> None:
    project = Project(tmp_path, RECORDING)
    subprocess.run([project.python, "-m", "venv", project.environment], check=True)
    own = project.environment / "own"
    own.touch()
    assert project.make(str(project.stamp("environment"))).returncode == 0
    assert own.exists()
    shutil.rmtree(project.environment)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", project.environment], check=True)
    own.touch()
    failed = project.make(str(project.stamp("environment")))
    assert failed.returncode != 0 and "remove that folder and try again" in failed.stderr
    assert own.exists()


def test_an_old_python_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    project = Project(tmp_path, "#!/bin/bash\nexit 1\n")
    failed = project.make(str(project.stamp("environment")))
    assert failed.returncode != 0 and "Python 3.11 or newer is needed" in failed.stderr
    assert not project.environment.exists()


def test_what_an_interrupted_pip_left_is_installed_anew(tmp_path: Path) -> None:
    project = Project(tmp_path, RECORDING)
    (tmp_path / "offline").touch()
    assert project.make(str(project.stamp("environment"))).returncode != 0
    (tmp_path / "offline").unlink()
    packages = project.environment / "lib" / "python3.11" / "site-packages"
    assert project.make(str(project.stamp("environment"))).returncode == 0

    (tmp_path / "offline").touch()
    half, whole = packages / "half-1.0.dist-info", packages / "whole-1.0.dist-info"
    for folder in (half, whole):
        folder.mkdir()
        (folder / "METADATA").touch()
    (whole / "RECORD").touch()
    assert project.make(str(project.stamp("run"))).returncode != 0
    assert not (tmp_path / project.stamp("run")).exists()
    (tmp_path / "offline").unlink()
    assert project.make(str(project.stamp("run"))).returncode == 0
    assert whole.exists() and not half.exists()
    assert "pip install" in (tmp_path / "calls").read_text()


NPM = """#!/bin/bash
while [ "$1" != --prefix ]; do shift; done
mkdir -p "$2/node_modules/gltf-validator"
[ -e {folder}/offline ] && exit 1
printf '{{\\n  "version": "%s"\\n}}\\n' "${{3#*@}}" > "$2/node_modules/gltf-validator/package.json"
"""


def validator(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    commands = folder / "bin"
    commands.mkdir(exist_ok=True)
    for name, script in (("npm", NPM.format(folder=folder)), ("node", "#!/bin/bash\n")):
        (commands / name).write_text(script)
        (commands / name).chmod(0o755)
    words = ["bash", str(ROOT / "tests" / "install" / "validator.sh"), str(folder / "validator")]
    environment = {"PATH": f"{commands}:/usr/bin:/bin"} | variables
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


def test_without_node_the_validator_stops_only_where_nothing_may_skip(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    words = [bash, str(ROOT / "tests" / "install" / "validator.sh"), str(tmp_path / "validator")]
    for variables, status in (({}, 0), ({"MAPEXPLORER_REQUIRE": "1"}, 1)):
        environment = {"PATH": str(tmp_path)} | variables
        ran = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr.count("\n")) == (status, 1), ran.stderr
        assert "node and npm are not installed" in ran.stderr


def test_an_interrupted_npm_leaves_no_validator(tmp_path: Path) -> None:
    (tmp_path / "offline").touch()
    failed = validator(tmp_path)
    assert failed.returncode == 0 and "could not install" in failed.stderr and "skip" not in failed.stdout
    assert not (tmp_path / "validator").exists()
    assert validator(tmp_path, MAPEXPLORER_REQUIRE="1").returncode == 1
    (tmp_path / "offline").unlink()
    assert validator(tmp_path).returncode == 0
    assert (tmp_path / "validator" / "node_modules" / "gltf-validator" / "package.json").exists()
    assert not (tmp_path / "validator.new").exists()
