"""A tree in a commit of git."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mapexplorer.decomp import revisions
from mapexplorer.decomp.revisions import RevisionFiles, revision_files
from mapexplorer.decomp.tree import open_tree
from mapexplorer.errors import RomError, SourceError
from mapexplorer.world.opening import open_rom

Git = Callable[..., str]

FILES = {
    "platinum.us/filesys.csv": "Source File,Target File\nres/a.narc,/data/a.narc\nres/b.bin,/data/b.bin\n",
    "generated/map_headers.txt": "MAP_HEADER_A\n",
    "res/order.order": "one.bin\n",
    "res/meson.build": "custom_target('a.narc',\n    command: [files('order.order')],\n)\n",
    "res/one.bin": "first",
    "res/b.bin": "plain\n",
    "res/name with blanks é.txt": "text",
}


@pytest.fixture
def repository(tmp_path: Path, missing: Callable[[str], None]) -> Path:
    """A repository with two commits of a tree: `res/one.bin` is another one in the second."""
    if shutil.which("git") is None:
        missing("git is not installed")
    folder = tmp_path / "a@b" / "tree"
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    git(folder, "init", "-q")
    (folder / "link.txt").symlink_to("/etc/passwd")
    commit(folder, "first")
    (folder / "res" / "one.bin").write_text("second")
    commit(folder, "second")
    (folder / "res" / "one.bin").write_text("not committed")
    return folder


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.autocrlf=false")
    done = subprocess.run(["git", "-C", str(folder), *identity, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "-m", message)


def test_files_of_a_commit(repository: Path) -> None:
    files = RevisionFiles(repository, "HEAD~1")
    assert files.read("res/one.bin") == b"first"
    assert RevisionFiles(repository, "HEAD").read("res/one.bin") == b"second"
    assert files.names("") == {"platinum.us", "generated", "res", "link.txt"}
    assert files.names("res") == {path.partition("/")[2] for path in FILES if path.startswith("res/")}
    assert files.names("absent") == files.names("res/b.bin") == frozenset()
    assert files.text("res/name with blanks é.txt") == "text"
    assert files.has("res/meson.build") and not files.has("res/absent")
    assert (files.name, files.changed, files.place("res/b.bin")) == (f"{repository}@HEAD~1", frozenset(), None)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("absent.txt", "absent.txt: there is no such file"),
        ("res", "res: this is a folder"),
        ("link.txt", "link.txt: this is a link, which is not followed in a commit"),
        ("res/../res/b.bin", "res/../res/b.bin: there is no such file"),
        ("res/b.bin\nHEAD:res/one.bin", "res/b.bin\nHEAD:res/one.bin: there is no such file"),
        ("/etc/passwd", "/etc/passwd: there is no such file"),
    ],
)
def test_what_is_no_file_of_the_commit(repository: Path, path: str, why: str) -> None:
    with pytest.raises(SourceError) as error:
        RevisionFiles(repository, "HEAD").read(path)
    assert str(error.value) == why


def test_a_file_that_is_too_large(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revisions, "LARGEST", 1000)
    (repository / "res" / "b.bin").write_bytes(bytes(3500))
    commit(repository, "large")
    files = RevisionFiles(repository, "HEAD")
    with pytest.raises(SourceError, match="it has more than"):
        files.read("res/b.bin")
    assert files.read("res/one.bin") == b"not committed"


@pytest.mark.parametrize("revision", ["absent", "", "HEAD:res", "--help", "HEAD\nHEAD", "HEAD~9"])
def test_a_commit_that_is_not_there(repository: Path, revision: str) -> None:
    with pytest.raises(RomError) as error:
        RevisionFiles(repository, revision)
    assert str(error.value) == f"{repository}@{revision}: the repository has no commit {revision}."


def test_a_folder_without_a_repository(tmp_path: Path) -> None:
    with pytest.raises(RomError, match=r"@HEAD: not a git repository"):
        RevisionFiles(tmp_path, "HEAD")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked on POSIX systems only")
def test_a_forked_process_asks_git_itself(repository: Path) -> None:
    files = RevisionFiles(repository, "HEAD")
    child = os.fork()
    if not child:
        os._exit(0 if all(files.read("res/one.bin") == b"second" for _ in range(50)) else 1)
    assert all(files.read("res/b.bin") == b"plain\n" for _ in range(50))
    assert os.waitpid(child, 0)[1] == 0
    assert files.read("res/one.bin") == b"second"


def test_trees_are_named_with_their_commit(repository: Path) -> None:
    """An `@` may stand in the name of the folder, too."""
    trees = [open_tree(Path(name), name) for name in (f"{repository}@HEAD~1", f"{repository}@HEAD", str(repository))]
    contents = [tree.archive("data/a.narc")[0] for tree in trees if tree is not None]
    assert contents == [b"first", b"second", b"not committed"]
    commits = [git(repository, "rev-parse", name)[:9] for name in ("HEAD~1", "HEAD", "HEAD")]
    assert [tree.layout for tree in trees if tree is not None] == [f"source tree, commit {name}" for name in commits]
    assert revision_files(str(repository)) is None
    assert revision_files("nothing@HEAD") is None
    with pytest.raises(RomError, match="the repository has no commit absent"):
        open_rom(f"{repository}@absent")


def test_a_commit_without_a_tree(repository: Path) -> None:
    """Without the list of maps, as the tree of another game; without a table of files."""
    git(repository, "mv", "platinum.us/filesys.csv", "platinum.us/filesystem.csv")
    for name, why in (("generated", "HEAD has no generated/map_headers.txt"), ("platinum.us", "has no source tree of")):
        git(repository, "rm", "-q", "-r", "--cached", name)
        git(repository, "commit", "-q", "-m", name)
        with pytest.raises(RomError, match=why):
            open_rom(f"{repository}@HEAD")


def test_no_program_that_the_repository_names_is_run(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Filters, hooks, a file monitor, a pager, a transport for objects that are missing; variables of the user."""
    mark = tmp_path / "mark"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho run >> {mark}\n")
    program.chmod(0o755)
    (repository / ".gitattributes").write_text("* filter=own diff=own\n")
    commit(repository, "attributes")
    settings = ["core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "filter.own.smudge", "gpg.program"]
    settings += ["filter.own.clean", "filter.own.process", "diff.own.textconv", "credential.helper", "core.editor"]
    for setting in settings:
        git(repository, "config", setting, str(program))
    hooks = repository / ".git" / "hooks"
    for name in ("post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc", "fsmonitor-watchman"):
        shutil.copy(program, hooks / name)
    for setting, value in {
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::{program} %S",
        "protocol.ext.allow": "always",
        "core.repositoryFormatVersion": "1",
    }.items():
        git(repository, "config", setting, value)
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(program))
    mark.unlink(missing_ok=True)
    files = RevisionFiles(repository, "HEAD")
    assert files.read("res/one.bin") == b"not committed"
    with pytest.MonkeyPatch.context() as own:
        own.delenv("GIT_DIR")
        number = git(repository, "rev-parse", "HEAD:res/b.bin")
    mark.unlink(missing_ok=True)
    lost = repository / ".git" / "objects" / number[:2] / number[2:]
    os.chmod(lost, 0o600)
    lost.unlink()
    with pytest.raises((SourceError, RomError)):
        files.read("res/b.bin")
    assert not mark.exists()
