"""The documentation as a site:   python tools/site.py [--serve]

Gathers the pages in ``build/docs``: README.md as the first one, ``docs/``, and the reference that is made from the code
itself (commands from their parsers, the library from its docstrings, messages from their schema). Zensical turns
them into ``build/site``, and every link and anchor of the result is followed. Any warning is an error.
"""

from __future__ import annotations

import functools
import http.server
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

sys.path.insert(0, str(Path(__file__).parent.parent))

from tools.reference import api_pages, commands_page, messages_page

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build"
SOURCE, SITE = BUILD / "docs", BUILD / "site"
PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "LICENSE")


def gather() -> None:
    """All pages in one folder, with links that fit there."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(ROOT / "docs", SOURCE)
    (SOURCE / "index.md").write_text(_moved(ROOT / "README.md"), "utf-8")
    for name in PAGES:
        (SOURCE / name).write_text(_moved(ROOT / name), "utf-8")
    for path in SOURCE.rglob("*.md"):
        path.write_text(re.sub(r"\]\(\.\./([A-Z]{4,})", r"](\1", path.read_text("utf-8")), "utf-8")
    made = {"commands.md": commands_page(), "messages.md": messages_page(), **api_pages()}
    (SOURCE / "reference").mkdir()
    for name, text in made.items():
        (SOURCE / "reference" / name).write_text(text, "utf-8")
    links = "\n".join(f"- [{_title(text)}](reference/{name})" for name, text in made.items())
    with (SOURCE / "reference.md").open("a", encoding="utf-8") as page:
        page.write(f"\n## Made from the code\n\n{links}\n")


def _moved(path: Path) -> str:
    """A page of the root as a page of the site."""
    return path.read_text("utf-8").replace("](docs/", "](")


def _title(page: str) -> str:
    return page.split("\n", 1)[0].removeprefix("# ")


def build() -> None:
    shutil.rmtree(SITE, ignore_errors=True)
    run = [
        sys.executable,
        "-m",
        "zensical",
        "build",
        "--strict",
        "--clean",
        "-f",
        str(ROOT / "zensical.toml"),
    ]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    said = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
    if done.returncode or "Warning" in said:
        raise SystemExit(said)


class _Page(HTMLParser):
    """What a page offers to links, and where its own lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors, self.links, self.faults = {""}, set[str](), list[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.anchors |= {value for key in ("id", "name") if (value := found.get(key))}
        links = {value for key in ("href", "src") if (value := found.get(key))}
        self.links |= links
        self.faults += [f"fetched from elsewhere: {link}" for link in links if tag != "a" and "//" in link]
        if tag == "img" and not found.get("alt"):
            self.faults.append(f"no alt text: {found.get('src')}")


def broken_links(site: Path) -> list[str]:
    """Links that lead nowhere, pictures without a text, and anything that would be fetched from elsewhere."""
    pages = {path.resolve(): _Page(path.read_text("utf-8")) for path in site.rglob("*.html")}
    problems = []
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # its links are absolute, for a site at the root
        problems += [f"{path.relative_to(site.resolve())}: {fault}" for fault in page.faults]
        for link in sorted(page.links):
            address, anchor = urldefrag(link)
            if urlsplit(address).scheme:
                continue
            target = (path.parent / unquote(address)).resolve() if address else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists() or (
                anchor and anchor not in (pages[target].anchors if target in pages else ())
            ):
                problems.append(f"{path.relative_to(site.resolve())}: {link}")
    return problems


def not_in_menu() -> list[str]:
    """Pages that nobody would find."""
    menu = (ROOT / "zensical.toml").read_text("utf-8")
    pages = (path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.md"))
    return [f"{page}: not in the nav of zensical.toml" for page in pages if f'"{page}"' not in menu]


def main() -> None:
    gather()
    build()
    problems = broken_links(SITE) + not_in_menu()
    if problems:
        raise SystemExit("\n".join(problems))
    print(f"==> {SITE.relative_to(ROOT)}/index.html: {len(list(SITE.rglob('index.html')))} pages")
    if "--serve" in sys.argv:
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(SITE))
        with http.server.ThreadingHTTPServer(("127.0.0.1", 8080), handler) as server:
            print("http://127.0.0.1:8080, Ctrl+C ends it")
            server.serve_forever()


if __name__ == "__main__":
    main()
