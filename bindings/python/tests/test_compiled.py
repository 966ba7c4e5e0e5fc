"""The cache of machine code: what lies in it is executed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import standin
from standin import _compiled

WORKS = """
import standin
schema = standin.parse_schema({"fields": [{"name": "sex", "constraints": {"enum": ["F"]}}]})
print(standin.parse_csv("sex\\nF\\n", schema).to_csv())
"""


def works(folder: Path | str) -> bool:
    """Whether the package works in a process of its own, with this cache."""
    env = {**os.environ, "STANDIN_CACHE": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", WORKS], env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip() == "sex\nF" and not done.stderr


def test_files_are_kept_for_their_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "cache"
    assert works(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    files = {path: path.stat() for path in folder.iterdir()}
    written = {path: found.st_mtime_ns for path, found in files.items()}
    assert sorted(path.name.rpartition("-")[0] for path in files) == ["engine", "standin-core"]
    assert {found.st_mode & 0o777 for found in files.values()} == {0o600}
    assert works(folder)
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == written


@pytest.mark.parametrize("content", [b"", b"rubbish", bytes(2_000_000)], ids=len)
def test_a_broken_file_is_replaced(content: bytes, tmp_path: Path) -> None:
    assert works(tmp_path)
    whole = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for path in whole:
        path.write_bytes(content)
    assert works(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == whole


def test_a_flipped_bit_is_seen(tmp_path: Path) -> None:
    assert works(tmp_path)
    [path, *_] = tmp_path.iterdir()
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    assert _compiled._kept(path) is None


@pytest.mark.skipif(os.name == "nt", reason="files have no modes here")
@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777])
def test_a_folder_that_others_may_write_to_is_not_used(mode: int, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(mode)
    assert works(folder)
    assert [*folder.iterdir()] == []


@pytest.mark.skipif(os.name == "nt", reason="files have no modes here")
def test_a_file_that_others_may_write_to_is_not_used(tmp_path: Path) -> None:
    assert works(tmp_path)
    [path, *_] = tmp_path.iterdir()
    assert _compiled._kept(path)
    path.chmod(0o620)
    assert _compiled._kept(path) is None


@pytest.mark.skipif(os.name == "nt", reason="files have no owners here")
def test_what_is_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert works(tmp_path)
    [path, *_] = tmp_path.iterdir()
    monkeypatch.setenv("STANDIN_CACHE", str(tmp_path))
    assert _compiled._folder() == tmp_path
    monkeypatch.setattr("os.geteuid", lambda: tmp_path.stat().st_uid + 1)
    assert _compiled._folder() is None
    assert _compiled._kept(path) is None


def test_a_link_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    monkeypatch.setenv("STANDIN_CACHE", str(tmp_path / "link"))
    assert _compiled._folder() is None


def test_it_works_without_a_cache(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert works("off")
    assert works(tmp_path / "file" / "folder")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other places")
def test_the_usual_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STANDIN_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert _compiled._folder() == tmp_path / "caches" / "standin"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert _compiled._folder() == tmp_path / ".cache" / "standin"


def test_machine_code_depends_on_its_module() -> None:
    assert _compiled._key(b"a") != _compiled._key(b"b")
    assert standin.__version__
