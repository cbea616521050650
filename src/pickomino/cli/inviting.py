"""Where the page is: told in the terminal, as a QR code for phones, and opened in the browser."""

from __future__ import annotations

import socket
import sys
import threading
import time
import urllib.request
import webbrowser

from pickomino.locale import t


def invite(port: int, *, lan: bool, browser: bool) -> None:
    """Say where to go, and go there once the server answers."""
    here = f"http://127.0.0.1:{port}/"
    if lan:
        there = f"http://{home_address()}:{port}/"
        print(qr_text(there), t("Phones in this network: {url}", url=there), sep="\n", flush=True)
    print(t("This machine: {url}   (Ctrl+C ends)", url=here), flush=True)
    if browser:
        threading.Thread(target=_open, args=(here,), daemon=True).start()


def home_address() -> str:
    """This machine's address in its network. Connecting a UDP socket sends nothing; it only picks a way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: nobody has it
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def qr_text(text: str) -> str:
    """A QR code of half blocks, dark on light, as phones like it."""
    try:
        import segno
    except ModuleNotFoundError:
        return ""
    rows = [[bool(cell) for cell in row] for row in segno.make(text, error="m", micro=False).matrix]
    quiet = [[False] * (len(rows[0]) + 4)] * 2
    rows = [*quiet, *([False, False, *row, False, False] for row in rows), *quiet]
    if len(rows) % 2:
        rows.append(quiet[0])
    signs = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    lines = ("".join(signs[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in pairs)
    # White on black by order, so that it reads on light terminals too.
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" if sys.stdout.isatty() else line for line in lines)


def _open(address: str, patience: float = 15.0) -> None:
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"{address}healthz", timeout=1):
                break
        except OSError:
            time.sleep(0.1)
    else:
        return
    webbrowser.open(address)
