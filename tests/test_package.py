"""The package as strangers get it: built, installed into an empty environment, and tried with every extra.

An environment with an extra sees exactly what the package declares for it, as links to those distributions, and nothing
else that the tests have installed.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

import pickomino
from hatch_build import description, links
from tests.server.parts import ServerProcess
from tools.drawings import DRAWINGS, PICTURES, drawing
from tools.licences import LOCKED, declared, licence, runtime

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
EXTRAS = set(declared()) - {""}

# With each extra, something that needs all its parts.
TRIED = {
    "": """
from pickomino.cli import main
from pickomino.locale import translate
assert main(["advise", "pkp1 classic 21-36 -/- A -:1333445W"]) == 0
assert main(["play", "--plain", "--seat", "A=bot:champion", "--seat", "B=bot:hard", "--seed", "1"]) == 0
assert translate("fr", "Take {tile}", tile=24) == "Prendre le 24"
""",
    "fast": "from pickomino.simulate import play_games",
    "arena": "from pickomino.cli import main\nassert main(['arena', 'random', 'cautious', '--games', '2']) == 0",
    "drill": "from pickomino.cli import main\nassert main(['drill', '--count', '1']) == 0",
    "envs": "import gymnasium\ngymnasium.make('pickomino.envs:pickomino/Pickomino-v0').reset(seed=1)",
    "openspiel": "import pyspiel, pickomino.envs.openspiel\npyspiel.load_game('python_pickomino')",
    "table": "from pickomino.server.run import make_server",  # and see below
    "postgres": "from pickomino.server.storage.postgres import PostgresStorage",
    "redis": "from pickomino.server.redis_bus import RedisBus",
    "terminal": "from pickomino.terminal.app import PickominoApp\nPickominoApp(None, lambda record: ())",
}
WITH = {"postgres": ("table", "postgres"), "redis": ("table", "redis")}  # storage and bus of the server


class Built(NamedTuple):
    wheel: Path
    python: Path  # of the environment that has the wheel, and nothing else
    links: Path  # what stands here can be imported there


def _built(folder: Path) -> Built:
    """The wheel is made from the sdist, so that nothing is missing there either."""
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    _run([*build, "-t", "sdist"], ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    _run([*build, "-t", "wheel"], folder / sdist.name.removesuffix(".tar.gz"))
    (wheel,) = folder.glob("*.whl")
    _run([sys.executable, "-m", "venv", "--without-pip", str(folder / "empty")], folder)
    python = folder / "empty" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    _run(
        [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(python),
            "install",
            "-q",
            "--no-deps",
            "--no-index",
            str(wheel),
        ],
        folder,
    )
    seen = folder / "seen"
    seen.mkdir()
    (place,) = folder.glob("empty/**/site-packages")
    (place / "seen.pth").write_text(f"{seen}\n")
    return Built(wheel, python, seen)


def _run(command: list[str], folder: Path, said: str = "") -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, input=said, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _show(built: Built, extras: tuple[str, ...]) -> None:
    for link in built.links.iterdir():
        link.unlink()
    for dist in runtime(extras).values():
        for top in {file.parts[0] for file in dist.files or () if file.parts[0] not in ("..", "__pycache__")}:
            if not (built.links / top).exists():
                (built.links / top).symlink_to(str(dist.locate_file(top)))


def test_every_extra_is_tried_and_explained() -> None:
    assert set(TRIED) - {""} == set(LOCKED) == EXTRAS - {"cluster", "train"}  # Ray and PyTorch are in no lock
    table = README[README.index("| extra | adds |") : README.index("New to the game?")]
    assert set(re.findall(r"`(\w+)`", table)) >= EXTRAS


def test_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One test, so that one process builds it once."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    built = _built(tmp_path)
    _has_all_files(built.wheel)
    said = _run([str(built.python), "-m", "pickomino", "--version"], tmp_path)
    assert said == f"pickomino {pickomino.__version__}\n"
    for extra, program in TRIED.items():
        _show(built, WITH.get(extra, (extra,) if extra else ()))
        _run([str(built.python), "-c", program], tmp_path, said="q\n")
        if extra == "table":
            _serves(built, tmp_path / "server")


def _serves(built: Built, folder: Path) -> None:
    server = ServerProcess(folder)
    server.python = str(built.python)
    server.start()
    try:
        for path in re.findall(r'"(/[^"]+\.(?:js|css|svg|webmanifest))"', server.ok("GET", "/")):
            assert server.ok("GET", path), path
    finally:
        status = server.stop()
    assert status == 0


def _has_all_files(path: Path) -> None:
    """The page, the champion's weights, the catalogue, licences: whatever is not Python too."""
    with zipfile.ZipFile(path) as wheel:
        inside = set(wheel.namelist())
    source = ROOT / "src"
    files = (path for path in source.rglob("*.*") if "__pycache__" not in path.parts)
    expected = {path.relative_to(source).as_posix() for path in files}
    assert expected <= inside
    assert (
        len([name for name in inside if name.endswith("LICENSE")]) == 3
    )  # ours, the font's, the font's beside it


def test_version_and_changelog_agree() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    first = re.search(r"^## (\S+), (unreleased|\d{4}-\d\d-\d\d)$", changes, re.MULTILINE)
    assert first is not None
    assert first[1] == pickomino.__version__


def test_the_description_leads_somewhere_with_and_without_an_address() -> None:
    bare = description(README, "")
    assert "](" not in bare.replace("](http", "")
    assert "![" not in bare
    assert not links("")
    full = description(README, "https://example.org/pickomino")
    assert set(re.findall(r"\]\((?!https://example\.org/pickomino/)([^)]*)\)", full)) == set()
    assert (
        "![A game in the browser: rolling, keeping, taking a tile](https://example.org/pickomino/raw/main/docs/"
        in full
    )
    assert links("https://example.org/pickomino")["Changelog"].endswith("/blob/main/CHANGELOG.md")


def test_every_licence_is_listed() -> None:
    listed = (ROOT / "docs/licences.md").read_text("utf-8")
    for name, found in runtime(LOCKED).items():
        assert f"| {name} | {licence(found)} |" in listed, "python tools/licences.py"


def test_the_drawings_are_those_of_today() -> None:
    for name in DRAWINGS:
        assert (PICTURES / f"{name}.svg").read_text("utf-8") == drawing(name), "python tools/drawings.py"
