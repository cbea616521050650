"""Takes the pictures of the documentation:   python -m tests.web.pictures"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.server.parts import ServerProcess
from tests.web.conftest import CHROMIUM, FLAGS
from tests.web.play import call_me, choose, my_choice, play_now, play_to_the_end

PICTURES = Path(__file__).parent.parent.parent / "docs/pictures"
PHONE, LYING, TABLET, DESKTOP = (390, 664), (844, 390), (820, 1180), (1440, 900)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    server = ServerProcess(Path(tempfile.mkdtemp())).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)

        def page(size: tuple[int, int], scheme: str, language: str = "en") -> Page:
            context = browser.new_context(
                viewport={"width": size[0], "height": size[1]},
                color_scheme="dark" if scheme == "dark" else "light",
                locale=language,
                device_scale_factor=1.5 if size in (PHONE, LYING) else 1,
            )
            context.add_init_script(
                """localStorage.setItem('pickomino.bot', '"cautious"');
                localStorage.setItem('pickomino.settings', '{"speed": "instant", "sound": false}')"""
            )
            made = context.new_page()
            made.goto(server.url)
            made.wait_for_selector(".hero")
            return made

        def shot(shown: Page, name: str) -> None:
            shown.mouse.move(2, 2)
            shown.wait_for_timeout(2800)  # the scores that have just changed are marked for a while
            picture = Image.open(io.BytesIO(shown.screenshot()))
            picture.convert("RGB").save(PICTURES / f"{name}.webp", quality=80, method=6)

        def at_a_choice(shown: Page, wanted: str, least: int = 30) -> None:
            for step in range(400):
                if not my_choice(shown):
                    return
                if step >= least and shown.query_selector(wanted):
                    return
                choose(shown)

        home = page(DESKTOP, "light")
        shot(home, "home")
        desktop = page(DESKTOP, "dark")
        play_now(desktop)
        at_a_choice(desktop, ".acts .take")
        shot(desktop, "desktop-dark")
        play_to_the_end(desktop)
        desktop.wait_for_timeout(300)
        shot(desktop, "ending")
        phone = page(PHONE, "light")
        shot(phone, "phone-home")
        play_now(phone)
        at_a_choice(phone, ".well button[data-move]")
        shot(phone, "phone-light")
        deluxe = page(PHONE, "dark", "fr")
        play_now(deluxe, "deluxe")
        at_a_choice(deluxe, ".acts [data-move=r]", 20)
        shot(deluxe, "phone-deluxe")
        wide = page(DESKTOP, "light")
        play_now(wide, "deluxe")
        at_a_choice(wide, ".well button[data-move]", 25)
        shot(wide, "desktop-deluxe")
        lying = page(LYING, "light")
        play_now(lying)
        at_a_choice(lying, ".acts .take", 20)
        shot(lying, "phone-lying")
        tablet = page(TABLET, "light")
        play_now(tablet)
        at_a_choice(tablet, ".well button[data-move]", 30)
        shot(tablet, "tablet")
        waiting = page(DESKTOP, "dark")
        call_me(waiting, "Anna")
        waiting.click("[data-go=make]")
        waiting.click("[data-go=create]")
        waiting.wait_for_selector(".invite")
        waiting.click("[data-bot=C]")
        waiting.wait_for_selector(".seatlist .bot")
        shot(waiting, "waiting")
        seven = page(PHONE, "light")
        seven.click("[data-go=make]")
        seven.check("input[name=count][value='7']")
        shot(seven, "new-table")
        for index in range(1, 7):
            seven.select_option(f".makeseats li >> nth={index} >> select", "bot:easy")
        seven.click("[data-go=create]")
        seven.wait_for_selector(".table")
        at_a_choice(seven, ".well button[data-move]", 6)
        shot(seven, "phone-seven")
        browser.close()
    server.stop()


if __name__ == "__main__":
    main()
