"""What `make check-bare` says before it makes anything, and when its steps fail."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("bare.sh")
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a chroot is a thing of Linux")


def run(folder: Path, stubs: dict[str, str], **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs the script with a few real commands and stubs on its PATH."""
    for name in ("bash", "dirname"):
        (folder / name).symlink_to(shutil.which(name) or name)
    for name, script in stubs.items():
        (folder / name).write_text(f"#!/bin/bash\n{script}\n")
        (folder / name).chmod(0o755)
    environment = {"PATH": str(folder), "HOME": str(folder), "TMPDIR": str(folder)} | variables
    return subprocess.run(["bash", str(SCRIPT)], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("stubs", "variables", "status", "words"),
    [
        ({"id": "echo 1000"}, {}, 1, "needs root"),
        ({"id": "echo 0"}, {}, 1, "debootstrap is not installed"),
        ({"id": "echo 0", "debootstrap": ""}, {"RELEASE": "nonesuch"}, 2, "knows no release nonesuch"),
        ({"id": "echo 0"}, {"STEPS": "user tea"}, 2, "no step tea; the steps are: root-demo root-test user"),
    ],
)
def test_one_sentence_says_what_is_missing(
    tmp_path: Path, stubs: dict[str, str], variables: dict[str, str], status: int, words: str
) -> None:
    ran = run(tmp_path, stubs, **variables)
    assert (ran.returncode, ran.stdout) == (status, "")
    assert words in ran.stderr and ran.stderr.count("\n") == 1
    assert not (tmp_path / ".cache").exists()


def test_a_step_fails_with_its_first_failing_command(tmp_path: Path) -> None:
    code = """set -euo pipefail
. "$1"
fails() { echo first; false; echo second; }
passes() { false || true; echo second; }
for step in fails passes; do
  in_background "$2" "$step"
  echo "$job_status" $(cat "$2")
done"""
    words = ["bash", "-c", code, "bash", str(SCRIPT.with_name("bare") / "job.sh"), str(tmp_path / "log")]
    ran = subprocess.run(words, capture_output=True, text=True, check=True)
    assert ran.stdout == "1 first\n0 second\n"
