"""Reading gettext's ``.po`` files: what our catalogues use of them."""

from __future__ import annotations

import json
import re

_LINE = re.compile(r'(msgid_plural|msgid|msgstr\[\d+\]|msgstr)?\s*("(?:[^"\\]|\\.)*")')


def read_po(text: str) -> dict[str, str | list[str]]:
    """Key to translation, or to its forms where there is a plural; what is not translated is left out."""
    catalogue: dict[str, str | list[str]] = {}
    for block in re.split(r"\n\s*\n", text):
        fields: dict[str, str] = {}
        last = ""
        for line in block.splitlines():
            found = _LINE.fullmatch(line.strip())
            if found is None:
                continue  # a comment
            last = found[1] or last
            fields[last] = fields.get(last, "") + json.loads(found[2])
        key = fields.get("msgid")
        if not key:
            continue  # the header
        if "msgid_plural" in fields:
            forms = [fields[name] for name in sorted(fields) if name.startswith("msgstr[")]
            if all(forms):
                catalogue[key] = forms
        elif fields.get("msgstr"):
            catalogue[key] = fields["msgstr"]
    return catalogue
