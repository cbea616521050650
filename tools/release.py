"""All of a release but the upload:   python tools/release.py     (`make release` runs the tests first)

Checks that everything is committed and the changelog has a date for this version, builds sdist and wheel into
``dist/``, and writes the SBOM (CycloneDX) beside them, with a checksum for each.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from pickomino import __version__
from tools.licences import LOCKED, licence, runtime

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"


def problems() -> list[str]:
    """What stands in the way of a release."""
    found = []
    if subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, check=True).stdout:
        found.append("something is not committed")
    first = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    if first is None or not re.fullmatch(rf"{re.escape(__version__)}, \d{{4}}-\d\d-\d\d", first[1]):
        found.append(f"CHANGELOG.md must begin with '## {__version__}, YYYY-MM-DD'")
    return found


def sbom() -> dict[str, object]:
    """What the package needs with all extras, as tested; CycloneDX 1.6."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _component("pickomino", __version__, "MIT AND OFL-1.1", "application")},
        "components": [
            _component(name, found.version, licence(found)) for name, found in sorted(runtime(LOCKED).items())
        ],
    }


def _component(name: str, version: str, terms: str, kind: str = "library") -> dict[str, object]:
    purl = f"pkg:pypi/{name}@{version}"
    return {
        "type": kind,
        "bom-ref": purl,
        "name": name,
        "version": version,
        "purl": purl,
        "licenses": [{"expression": terms}],
    }


def main() -> None:
    if found := problems():
        raise SystemExit("\n".join(found))
    shutil.rmtree(DIST, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(DIST)], cwd=ROOT, check=True)
    (DIST / f"pickomino-{__version__}.cdx.json").write_text(json.dumps(sbom(), indent=1) + "\n", "utf-8")
    sums = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(DIST.iterdir())
    ]
    (DIST / "SHA256SUMS").write_text("".join(sums), "utf-8")
    print("".join(sums), end="")
    print(f"Next: git tag v{__version__}, push it, and upload dist/*.whl and dist/*.tar.gz.")


if __name__ == "__main__":
    main()
