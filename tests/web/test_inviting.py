"""``pickomino serve --lan --open``: the address, its QR code, and the browser."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

from pickomino.cli.inviting import home_address, qr_text


def test_the_code_in_the_terminal_is_square() -> None:
    lines = qr_text("http://192.168.1.20:8000/").splitlines()
    assert len({len(line) for line in lines}) == 1
    assert abs(len(lines) * 2 - len(lines[0])) <= 1


def test_an_address_of_this_machine() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\.\d+", home_address())


def test_serve_says_where_it_is_and_opens_the_browser(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    opened = tmp_path / "opened"
    browser = tmp_path / "browser.sh"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part\nmv {opened}.part {opened}\n')
    browser.chmod(0o755)
    command = [sys.executable, "-m", "pickomino", "serve", "--lan", "--open", "--port", str(port)]
    command += ["--host", "127.0.0.1", "--database", str(tmp_path / "games.db"), "--log-level", "warning"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "BROWSER": f"{browser} %s"}
    )
    try:
        for _ in range(300):
            if opened.exists():
                break
            try:
                process.wait(0.1)
                break
            except subprocess.TimeoutExpired:
                continue
        assert opened.read_text().strip() == f"http://127.0.0.1:{port}/"
    finally:
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=20)[0]
    assert f":{port}/" in said
    assert "Phones in this network" in said
