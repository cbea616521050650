"""Away from the network, and what only time or ears notice: the service worker, clocks, sounds, icons."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING

from tests.server.parts import ServerProcess
from tests.web.play import call_me, my_choice, play_now, play_on
from tools.catalogue import PAGE

if TYPE_CHECKING:
    from tests.web.conftest import OpenPage


# Counts what sounds, and knows the first of the volumes: that of everything.
COUNT_SOUNDS = """
  window.made = [];
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...at) {
    window.made.push(1);
    start.apply(this, at);
  };
  const gain = AudioContext.prototype.createGain;
  AudioContext.prototype.createGain = function () {
    const made = gain.call(this);
    window.gain ??= made;
    return made;
  };
"""


def test_an_installed_page_opens_offline_and_says_so(
    server: ServerProcess, open_page: OpenPage, complaints: list[str]
) -> None:
    page = open_page(server.url)
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()  # through the worker, which keeps what it hands on
    page.wait_for_selector(".hero")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector(".offline")
    page.click(".offline .btn >> nth=0")  # the rules, with the numbers of the game that were kept
    page.wait_for_selector("dialog[open]")
    assert "21–24" in page.inner_text("dialog .prose")
    page.keyboard.press("Escape")
    page.context.set_offline(False)
    page.click(".offline .roll")
    page.wait_for_selector(".offline", state="detached")
    assert all("ERR_INTERNET_DISCONNECTED" in text or "Failed to fetch" in text for text in complaints)
    complaints.clear()  # the browser itself reports requests that fail


def test_a_clock_has_digits_and_runs_down(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url, speed="fast")
    page.click("[data-go=make]")
    page.check("input[name=count][value='2']")
    page.select_option(".makeseats li >> nth=1 >> select", "bot:easy")
    page.select_option("select[name=timer]", "30")
    page.click("[data-go=create]")
    assert my_choice(page)
    page.wait_for_selector(".seat.on .clock")
    first = int(page.inner_text(".clock"))
    assert 0 < first <= 30
    page.wait_for_function(f"() => Number(document.querySelector('.clock').textContent) < {first}")
    table = page.url.split("#table=")[1]
    info = page.request.get(f"{server.url}/api/tables/{table}").json()["table"]
    assert info["pace_ms"] > 0  # with a clock the bots take their time: nobody's runs while they are shown


# A page that is not looked at, on a device that buzzes and may send notes.
SIGNALS = """
  localStorage.setItem('pickomino.settings', '{"speed": "instant", "sound": false, "buzz": true, "notify": true}');
  window.buzzes = [];
  window.notes = [];
  window.away = false;
  navigator.vibrate = (ms) => window.buzzes.push(ms);
  window.Notification = class {
    static permission = "granted";
    constructor(title, { body }) { window.notes.push([title, body]); }
  };
  Object.defineProperty(document, "hidden", { get: () => window.away });
"""


def test_a_turn_calls_its_player(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url, script=SIGNALS)
    call_me(page, "Anna")
    play_now(page)
    assert my_choice(page)
    assert page.evaluate("[window.buzzes.length, window.notes]") == [1, []]  # one looks at it
    page.evaluate("() => { window.away = true; }")
    while not page.evaluate("window.notes.length"):
        assert not play_on(page, 1)  # three turns at most: the grill cannot be empty yet
    buzzes, notes = page.evaluate("[window.buzzes.length, window.notes]")
    assert (buzzes, notes[0]) == (1 + len(notes), ["Your turn", "Anna"])


def test_sounds_are_made_at_the_volume_that_is_set(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(server.url, script=COUNT_SOUNDS)
    silent, loud = page.evaluate(
        """async () => {
          const base = document.documentElement.dataset.static;
          const [{ play, wake }, { set }] = await Promise.all([import(`${base}/js/sound.js`), import(`${base}/js/store.js`)]);
          wake();
          for (const name of ["dice", "keep", "take", "steal", "bust", "turn", "tick", "end"]) play(name);
          const silent = window.made.length;
          set("sound", true);
          set("volume", 0.25);
          wake();
          for (const name of ["dice", "keep", "take", "steal", "bust", "turn", "tick", "end"]) play(name);
          return [silent, window.made.length];
        }"""  # noqa: E501 - a script
    )
    assert silent == 0  # the tests' page is mute
    assert loud >= 8
    assert page.evaluate("Math.abs(window.gain.gain.value - 0.25 * 1.4) < 1e-6")


def test_icons_are_as_large_as_they_say() -> None:
    manifest = json.loads((PAGE / "root/manifest.webmanifest").read_text("utf-8"))
    sizes = {icon["src"]: icon["sizes"] for icon in manifest["icons"]} | {"/icon-180.png": "180x180"}
    for name in ("icon-180.png", "icon-192.png", "icon-512.png"):
        width, height = struct.unpack(">II", (PAGE / "root" / name).read_bytes()[16:24])
        assert sizes[f"/{name}"] == f"{width}x{height}"
