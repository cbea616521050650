"""What a person does at the page: look, and click."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHOICE = ".acts [data-move], .well button[data-move]"
END = "main.end"
CHANGED = f"""() => (document.querySelector('.acts')?.dataset.key ?? '') !== window.before
  || document.querySelector('{END}')"""
# The server has played what was chosen, and it is somebody's choice here again: another position is offered.
MOVED = f"""() => {{
  const [now, before] = [document.querySelector('.acts')?.dataset.key ?? '', window.before]
    .map((key) => key.split('|')[0]);
  return document.querySelector('{END}') || (now !== before && document.querySelector('{CHOICE}'));
}}"""
# The first choice, without the pointer. For who waits for `moved` afterwards.
CHOOSE_ONE = f"""() => {{
  window.before = document.querySelector('.acts').dataset.key;
  document.querySelector('{CHOICE}').click();
}}"""
REMEMBER = "() => { window.before = document.querySelector('.acts')?.dataset.key ?? ''; }"


def play_now(page: Page, edition: str = "classic") -> None:
    page.check(f"input[name=edition][value={edition}]")
    page.click("[data-go=now]")
    page.wait_for_selector(".table")


def call_me(page: Page, name: str) -> None:
    page.click("[data-go=name]")
    page.fill("dialog input", name)
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog", state="detached")


def new_table(page: Page, seats: int, *others: str) -> None:
    """A table in the waiting room, or begun where everybody is named: "me" or "bot:LEVEL" from the second seat on."""
    page.click("[data-go=make]")
    page.check(f"input[name=count][value='{seats}']")
    for index, who in enumerate(others, 1):
        page.select_option(f".makeseats li >> nth={index} >> select", who)
    page.click("[data-go=create]")
    page.wait_for_selector(".table" if len(others) == seats - 1 else ".invite .qr svg")


def take_seat(page: Page, seat: str, name: str) -> None:
    """By somebody who has not played here before."""
    page.click(f"[data-sit={seat}]")
    page.fill("dialog input", name)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"[data-look={seat}]")  # over a connection that knows whose it is


def give_up(page: Page) -> None:
    page.click(".top .menu")
    page.click("dialog[aria-label=Menu] .btn:has-text('Give up')")
    page.click("dialog[aria-label^='Give up'] .btn")
    page.wait_for_selector(END)


def told(page: Page, text: str, kind: str = "toast") -> None:
    """Wait until a note has said it, gone or not."""
    page.wait_for_function(
        "([kind, text]) => window.told.some(([of, said]) => of === kind && said.includes(text))",
        arg=[kind, text],
    )


def my_choice(page: Page) -> bool:
    """Wait until it is mine to choose; False at the end of the game."""
    page.wait_for_selector(f"{CHOICE}, {END}")
    return page.query_selector(END) is None


def who_may_choose(*pages: Page) -> Page:
    """The page of the player whose choice it is, as soon as it shows one."""
    for _ in range(600):
        for page in pages:
            if page.query_selector(CHOICE):
                return page
        pages[0].wait_for_timeout(50)
    raise AssertionError("nobody may choose")


# What a cautious newcomer clicks: what can be taken, else the worm, else the face that brings most, else the roll.
CHOOSE = """() => {
  const claim = document.querySelector('.acts .take, .acts .steal');
  if (claim) return claim;
  const groups = [...document.querySelectorAll('.well button[data-move]')];
  const total = (group) => Number((group.getAttribute('aria-label').match(/(\\d+)$/) || [0, 0])[1]);
  groups.sort((a, b) => total(b) - total(a));
  const best = groups.find((group) => group.dataset.face === 'W') || groups[0];
  return best || [...document.querySelectorAll('.acts [data-move]')].at(-1);
}"""

# Chooses without a way through the test for every click, up to a number of times; whether the game has ended.
PLAY_ON = f"""async (limit) => {{
  const choose = {CHOOSE};
  const key = () => document.querySelector('.acts')?.dataset.key ?? '';
  const over = () => document.querySelector('{END}') !== null;
  const until = (there) => new Promise((done, failed) => {{
    const late = setTimeout(() => failed(new Error("nothing happens")), 30_000);
    const look = () => {{
      if (!there()) return;
      eye.disconnect();
      clearTimeout(late);
      done();
    }};
    const eye = new MutationObserver(look);
    eye.observe(document.body, {{ subtree: true, childList: true, attributes: true }});
    look();
  }});
  for (let clicks = 0; clicks < limit && !over(); clicks += 1) {{
    let before = null;
    const click = () => {{
      const choice = choose();
      if (choice) before = key();
      choice?.click();
      return choice;
    }};
    await until(() => over() || click());
    await until(() => over() || key() !== before);
  }}
  return over();
}}"""


def choose(page: Page) -> None:
    """With the pointer, as a person does."""
    page.evaluate(REMEMBER)
    target = page.evaluate_handle(CHOOSE).as_element()
    assert target is not None
    target.click()
    page.wait_for_function(CHANGED)


def moved(page: Page) -> None:
    """After CHOOSE_ONE, however long the way to the server was."""
    page.wait_for_function(MOVED)


def play_on(page: Page, limit: int) -> bool:
    """Some choices more, without the pointer; whether the game is over."""
    over: bool = page.evaluate(PLAY_ON, limit)
    return over


def play_to_the_end(page: Page, limit: int = 1500) -> None:
    for _ in range(6):  # of which a few with the pointer
        if not my_choice(page):
            return
        choose(page)
    assert play_on(page, limit), "the game does not end"


# By how many pixels the page is wider than the window.
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"

# Texts that do not fit their box.
CUT_OFF = """() => [...document.querySelectorAll(
    'button, .btn b, .btn small, label, h1, h2, .line, .sum, .says, .tip small, .bustbox p, .seat .score')]
  .filter((e) => !e.closest('.hush, .tile, legend') && e.offsetParent && e.scrollWidth > e.clientWidth + 1)
  .filter((e) => getComputedStyle(e).display !== 'inline')
  .map((e) => e.textContent.trim()).filter(Boolean)"""

# Choices and parts of the table that are not wholly on the screen, and choices that lie under something else.
OUT_OF_SIGHT = """() => [...document.querySelectorAll(
    '.acts [data-move], .well [data-move], .quiet, .seat, .place, .line, .total, .tip, .well .die')]
  .filter((e) => e.offsetParent)
  .filter((e) => {
    const box = e.getBoundingClientRect();
    const { innerWidth: width, innerHeight: height } = window;
    if (!box.width) return false;
    if (box.left < -1 || box.top < -1 || box.right > width + 1 || box.bottom > height + 1) return true;
    const well = e.closest('.well')?.getBoundingClientRect();
    if (well && (box.top < well.top - 2 || box.bottom > well.bottom + 6)) return true;
    if (!e.matches('[data-move]')) return false;
    const seen = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return !(seen && (e.contains(seen) || seen.contains(e)));
  })
  .map((e) => `${e.className} ${e.textContent.trim()}`)"""

# Stacks that reach into their seat's number of worms.
TOUCHING = """() => [...document.querySelectorAll('.seat')].filter((seat) => {
    const score = seat.querySelector('.score').getBoundingClientRect();
    return [...seat.querySelectorAll('.pile .tile, .pile i')].map((e) => e.getBoundingClientRect())
      .some((e) => e.bottom > score.top && e.top < score.bottom && e.right > score.left && e.left < score.right);
  })
  .map((seat) => `${seat.dataset.seat}'s stack`)"""


def overflow(page: Page) -> int:
    width: int = page.evaluate(OVERFLOW)
    return width


def cut_off(page: Page) -> list[str]:
    found: list[str] = page.evaluate(CUT_OFF)
    return found


def out_of_sight(page: Page) -> list[str]:
    found: list[str] = page.evaluate(OUT_OF_SIGHT)
    return found
