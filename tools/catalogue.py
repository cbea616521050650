"""The catalogue's upkeep:   python tools/catalogue.py

Collects the texts of the page and of Python, lists in every ``.po`` those that are not there yet, drops those that
nobody uses any more, and writes the JSON that the page loads.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

from pickomino.locale.po import read_po

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "src/pickomino/web"
LOCALE = ROOT / "src/pickomino/locale"
SPEAKING = (
    "analysis",
    "arena",
    "bots",
    "chance",
    "cli",
    "drawing",
    "notation",
    "rules",
    "server",
    "solver",
    "terminal",
)
"""The packages that speak to people: in calls of `t`, `tn` and `said` and in errors with values, always with the text
itself."""
_TEXT = r'"((?:[^"\\]|\\.)*)"'
_ONE = re.compile(rf"\b(?:t|rich)\(\s*{_TEXT}")
_EITHER = re.compile(rf"\brich\([^\"]*\?\s+{_TEXT}\s+:\s+{_TEXT}")
_MANY = re.compile(rf"\btn\(\s*{_TEXT},\s*{_TEXT}")
_LISTED = re.compile(rf"\[\s*{_TEXT},\s+(?:p|\{{\s+\.\.\.p)")


def page_texts() -> dict[str, str | None]:
    """Every text of the page, with its plural where it has one."""
    found: dict[str, str | None] = {}
    for path in sorted((PAGE / "js").glob("*.js")):
        source = path.read_text("utf-8")
        for pattern in (_ONE, _EITHER, _LISTED):
            for match in pattern.findall(source):
                for text in (match,) if isinstance(match, str) else match:
                    found.setdefault(text, None)
        found |= dict(_MANY.findall(source))
    return found


def python_texts() -> dict[str, str | None]:
    """Every text of the packages that speak."""
    found: dict[str, str | None] = {}
    for package in SPEAKING:
        for path in sorted((ROOT / "src/pickomino" / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call):
                    _collect(node, found)
    return found


def _collect(call: ast.Call, found: dict[str, str | None]) -> None:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    texts = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    if texts and (name in ("t", "said") or (name.endswith("Error") and call.keywords)):
        found.setdefault(texts[0], None)
    elif name == "tn" and len(texts) == 2:
        found[texts[0]] = texts[1]


def write_po(path: Path, texts: dict[str, str | None]) -> list[str]:
    """Bring a catalogue up to date; gives what is still to be translated."""
    old = read_po(path.read_text("utf-8")) if path.exists() else {}
    blocks = [
        f'msgid ""\nmsgstr ""\n"Language: {path.stem}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"'
    ]
    missing = []
    for text, plural in sorted(texts.items()):
        have = old.get(text, "" if plural is None else ["", ""])
        if not have or not all(have):
            missing.append(text)
        lines = [f"msgid {_quoted(text)}"]
        if plural is None:
            lines.append(f"msgstr {_quoted(have if isinstance(have, str) else have[0])}")
        else:
            forms = [have, have] if isinstance(have, str) else have
            lines.append(f"msgid_plural {_quoted(plural)}")
            lines += [f"msgstr[{number}] {_quoted(form)}" for number, form in enumerate(forms)]
        blocks.append("\n".join(lines))
    path.write_text("\n\n".join(blocks) + "\n", "utf-8")
    return missing


def page_json(path: Path) -> str:
    """What the page loads for a catalogue: its own texts."""
    texts = page_texts()
    catalogue = {key: found for key, found in read_po(path.read_text("utf-8")).items() if key in texts}
    return json.dumps(catalogue, ensure_ascii=False, indent=0, sort_keys=True) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def main() -> None:
    texts = python_texts() | page_texts()
    for path in sorted(LOCALE.glob("*.po")):
        missing = write_po(path, texts)
        (PAGE / "locale" / f"{path.stem}.json").write_text(page_json(path), "utf-8")
        print(f"{path.name}: {len(texts)} texts, {len(missing)} to translate")
        for text in missing:
            print(f"  {text}")


if __name__ == "__main__":
    main()
