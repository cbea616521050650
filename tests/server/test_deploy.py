"""The files for self-hosters: they name things that exist, and are as locked down as they say."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # it brings no types

from pickomino.cli import command_parser
from pickomino.server import config as settings
from pickomino.server.run import is_address

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
ENV = {"DOMAIN": "play.example", "POSTGRES_PASSWORD": "p" * 48, "ADMIN_TOKEN": "a" * 48}
"""What docs/hosting.md writes into the file beside compose.yaml."""
INSTRUCTIONS = {
    "FROM",
    "WORKDIR",
    "COPY",
    "RUN",
    "USER",
    "ENV",
    "EXPOSE",
    "HEALTHCHECK",
    "STOPSIGNAL",
    "ENTRYPOINT",
    "CMD",
}


def _serve(words: list[str]) -> argparse.Namespace:
    """What ``pickomino serve`` makes of its options; wrong ones end the test."""
    assert words[:2] == ["/opt/pickomino/bin/pickomino", "serve"]
    return command_parser("serve")[1].parse_args(words[2:])


def _instructions() -> list[tuple[str, str]]:
    text = re.sub(r"\\\n", " ", (DEPLOY / "Containerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def test_the_image_is_built_from_what_is_there_and_does_not_run_as_root() -> None:
    found = _instructions()
    assert {word for word, _ in found} <= INSTRUCTIONS
    for word, rest in found:
        if word == "COPY" and not rest.startswith("--from"):
            assert all((ROOT / name).exists() for name in rest.split()[:-1]), rest
    last = dict(found)
    assert last["USER"] == "pickomino"
    args = _serve(json.loads(last["ENTRYPOINT"]) + json.loads(last["CMD"]))
    assert not is_address(args.database)
    variables = dict(rest.split("=", 1) for word, rest in found if word == "ENV")
    assert settings.load(None, variables).host == "0.0.0.0"
    assert "/readyz" in last["HEALTHCHECK"]


def test_the_services_fit_together() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    compose: dict[str, Any] = yaml.safe_load(text)
    services = compose["services"]
    assert set(services) == {"server", "postgres", "redis", "proxy"}
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
        named = [volume.partition(":")[0] for volume in service.get("volumes", ())]
        assert all((DEPLOY / name).exists() for name in named if name.startswith("."))
        assert {name for name in named if not name.startswith(".")} <= set(compose["volumes"])
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    filled = {
        name: re.sub(r"\$\{(\w+)[^}]*\}", lambda found: ENV[found[1]], value)
        for name, value in services["server"]["environment"].items()
    }
    found = settings.load(None, filled)
    assert (found.hosts, is_address(found.database), found.redis) == (
        ("play.example",),
        True,
        "redis://redis",
    )
    assert found.proxies == (compose["networks"]["default"]["ipam"]["config"][0]["subnet"],)
    assert "reverse_proxy server:8000" in (DEPLOY / "Caddyfile").read_text()


@pytest.mark.parametrize("name", ["pickomino.service", "pickomino-backup.service"])
def test_units_start_what_exists_and_may_do_little(name: str, tmp_path: Path) -> None:
    text = (DEPLOY / name).read_text()
    unit = ConfigParser(strict=False, interpolation=None, comment_prefixes=("#",))
    unit.optionxform = str  # type: ignore[assignment, method-assign]  # names as they are
    unit.read_string(text)
    service = unit["Service"]
    args = _serve(shlex.split(service["ExecStart"]))
    assert args.database == f"/var/lib/{service['StateDirectory']}/pickomino.db"
    assert (args.backup is None) == (name == "pickomino.service")
    assert service["UMask"] == "0077"
    for wanted in ("DynamicUser", "NoNewPrivileges", "ProtectHome", "PrivateTmp"):
        assert service[wanted] == "yes", wanted
    assert service["ProtectSystem"] == "strict"
    if shutil.which("systemd-analyze"):
        program = tmp_path / "pickomino"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        copy = tmp_path / name
        copy.write_text(text.replace("/opt/pickomino/bin/pickomino", str(program)))
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
        )
        assert name not in done.stderr, done.stderr
