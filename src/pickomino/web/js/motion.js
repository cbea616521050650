// Movement: transform and opacity only, as the Web Animations do off the main thread. Any key or tap lets it end at once.
import { dieFace, FACES } from "./art.js";
import { play as sound } from "./sound.js";
import { tempo } from "./store.js";

/** @type {Set<Animation>} */
const running = new Set();
let skipping = false;
/** @type {Set<() => void>} */
const sleepers = new Set();

export function skip() {
  for (const animation of running) animation.finish();
  for (const wakeUp of sleepers) wakeUp();
}

/** Nothing moves while the tab is hidden, or while one hurries to one's own turn. @param {boolean} on */
export function hurry(on) {
  skipping = on;
  if (on) skip();
}

export const still = () => skipping || document.hidden || tempo() === 0;

/** @param {number} ms at normal speed @returns {Promise<void>} */
export function sleep(ms) {
  if (still()) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      sleepers.delete(done);
      resolve();
    };
    const timer = setTimeout(done, ms * tempo());
    sleepers.add(done);
  });
}

/** Until a button is tapped, or the time is over. @param {HTMLElement} button @param {number} ms */
export function untilTapped(button, ms) {
  if (!still()) button.focus({ preventScroll: true });
  return sleep(ms); // any key or tap ends a wait, that on the button too
}

/**
 * @param {Element} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions & {duration: number}} options
 * @returns {Promise<void>}
 */
export async function move(element, frames, options) {
  if (still() || !element.isConnected) return;
  const delay = Number(options.delay ?? 0) * tempo();
  const animation = element.animate(frames, {
    fill: "backwards",
    ...options,
    duration: options.duration * tempo(),
    delay,
  });
  running.add(animation);
  try {
    await animation.finished;
  } catch {
    // Cancelled: the element has gone.
  }
  running.delete(animation);
}

/**
 * Dice fall: each spins through other faces, lands where chance wills, and is then put in order.
 * @param {Element[]} dice @param {Element|null} well where they scatter; null: in their row
 */
export async function tumble(dice, well) {
  if (still() || !dice.length) return;
  const box = well?.getBoundingClientRect();
  const ends = dice.map((die) => die.getBoundingClientRect());
  const slots = dice.map((_, i) => i).sort(() => Math.random() - 0.5);
  const rows = dice.length > 4 ? 2 : 1;
  const columns = Math.ceil(dice.length / rows);
  await Promise.all(
    dice.map(async (die, i) => {
      const end = /** @type {DOMRect} */ (ends[i]);
      const side = i % 2 ? 1 : -1;
      const slot = slots[i] ?? i;
      const room = box
        ? {
            x: box.left + ((slot % columns) + 0.5) * (box.width / columns),
            y: box.top + (Math.floor(slot / columns) + 0.5) * (box.height / rows),
          }
        : null;
      const dx = room ? room.x - end.left - end.width / 2 + (Math.random() - 0.5) * 14 : 0;
      const dy = room ? room.y - end.top - end.height / 2 + (Math.random() - 0.5) * 10 : 0;
      const turn = room ? (Math.random() - 0.5) * 46 : 0;
      const fall = 620 + ((i * 137) % 260);
      const all = room ? fall + 560 : fall;
      const at = (/** @type {number} */ share) => (share * fall) / all;
      const decoys = [0, 1].map((k) => cover(die, FACES[(i + k * 3) % FACES.length] ?? "")); // not what it will be
      const spin = side * (360 + 90 * (i % 3));
      const motion = move(
        die,
        [
          {
            transform: `translate(${dx - side * 40}px, ${dy - (room ? 150 : 46)}px) rotate(${-spin}deg) scale(1.12)`,
            opacity: 0,
            easing: "cubic-bezier(.3,.5,.7,1)",
          },
          {
            transform: `translate(${dx - side * 16}px, ${dy - (room ? 60 : 16)}px) rotate(${-spin * 0.55}deg) scale(1.1)`,
            opacity: 1,
            offset: at(0.3),
            easing: "ease-in",
          },
          {
            transform: `translate(${dx - side * 4}px, ${dy + 5}px) rotate(${-spin * 0.12 + turn}deg)`,
            offset: at(0.66),
            easing: "ease-out",
          },
          {
            transform: `translate(${dx}px, ${dy - 14}px) rotate(${turn * 1.1}deg)`,
            offset: at(0.82),
            easing: "ease-in",
          },
          { transform: `translate(${dx}px, ${dy}px) rotate(${turn}deg)`, offset: at(1), easing: "linear" },
          ...(room
            ? [
                {
                  transform: `translate(${dx}px, ${dy}px) rotate(${turn}deg)`,
                  offset: (fall + 240) / all,
                  easing: "cubic-bezier(.3,.8,.3,1)",
                },
              ]
            : []),
          { transform: "none" },
        ],
        { duration: all },
      );
      decoys.forEach(
        (other, k) =>
          void move(other, [{ opacity: 1 }, { opacity: 1, offset: 0.98 }, { opacity: 0 }], {
            duration: fall * (k ? 0.34 : 0.6),
            fill: "forwards",
          }),
      );
      await motion;
      for (const other of decoys) other.remove();
    }),
  );
}

/** Another face on top of a die. @param {Element} die @param {string} face */
function cover(die, face) {
  const above = document.createElement("span");
  above.className = "decoy";
  above.innerHTML = dieFace(face, die.querySelector(".gold") ? "gold" : "");
  die.append(above);
  return above;
}

/** Elements glide from where they were. @param {Map<Element, DOMRect>} before @param {number} [duration] */
export async function glide(before, duration = 320) {
  if (still()) return;
  const after = new Map([...before.keys()].map((element) => [element, element.getBoundingClientRect()]));
  await Promise.all(
    [...before].map(([element, old], i) => {
      const now = /** @type {DOMRect} */ (after.get(element));
      const scale = now.width ? old.width / now.width : 1;
      const dx = old.left - now.left + (old.width - now.width) / 2;
      const dy = old.top - now.top + (old.height - now.height) / 2;
      return move(element, [{ transform: `translate(${dx}px, ${dy + 3}px) scale(${scale})` }, { transform: "none" }], {
        duration,
        delay: i * 30,
        easing: "ease-out",
      });
    }),
  );
}

/**
 * A copy of an element lifts off and flies to another place.
 * @param {Element} what @param {DOMRect} from @param {DOMRect} to @param {number} [duration]
 */
export async function fly(what, from, to, duration = 540) {
  if (still() || !from.width || !to.width) return;
  const copy = /** @type {HTMLElement} */ (what);
  copy.classList.add("flyer");
  copy.setAttribute("aria-hidden", "true");
  copy.style.width = `${from.width}px`;
  document.body.append(copy);
  const scale = to.width / from.width;
  const place = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ size,
    /** @type {number} */ turn,
  ) => `translate(${x}px, ${y}px) scale(${size}) rotate(${turn}deg)`;
  const shrink = (scale - 1) / 2;
  await move(
    copy,
    [
      { transform: place(from.left, from.top, 1, 0), easing: "ease-out" },
      { transform: place(from.left, from.top - 8, 1.1, 0), offset: 0.22, easing: "ease-in-out" },
      {
        transform: place((from.left + to.left) / 2, Math.min(from.top, to.top) - 26, (1 + scale) / 2 + 0.12, 7),
        offset: 0.6,
        easing: "ease-in-out",
      },
      { transform: place(to.left + from.width * shrink, to.top + from.height * shrink, scale, 0) },
    ],
    { duration },
  );
  copy.remove();
}

/** @param {Element} element @param {number} [delay] */
export const shake = (element, delay = 0) =>
  move(
    element,
    [
      [0, 0],
      [-7, 3],
      [6, -2],
      [-5, 2],
      [4, 0],
      [-2, 0],
      [0, 0],
    ].map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` })),
    { duration: 340, delay },
  );

/** Dice lose their colour one after the other, each with a nod. @param {HTMLElement[]} dice */
export async function pale(dice) {
  if (still()) return;
  await Promise.all(
    dice.map(async (die, i) => {
      const delay = i * 45;
      const bright = cover(die, die.dataset.face ?? "");
      await Promise.all([
        move(bright, [{ opacity: 1 }, { opacity: 0 }], { duration: 180, delay, fill: "both" }),
        move(
          die,
          [
            { transform: "none" },
            { transform: `translateY(6px) rotate(${i % 2 ? 7 : -7}deg)`, offset: 0.4 },
            { transform: "none" },
          ],
          { duration: 260, delay },
        ),
      ]);
      bright.remove();
    }),
  );
}

const FALL = 300; // ms from high above to the board

/**
 * A word falls with its whole weight; what stands around it feels it.
 * @param {Element} word @param {Element} board @param {Element} smoke @param {Element} reason
 */
export async function strike(word, board, smoke, reason) {
  const delay = 200; // the dice are pale by then
  const hit = delay + FALL;
  await Promise.all([
    move(
      word,
      [
        { transform: "translateY(-150px) scale(2.2) rotate(-7deg)", opacity: 0, easing: "cubic-bezier(.6,0,.9,.6)" },
        { transform: "translateY(-60px) scale(1.6) rotate(-5deg)", opacity: 1, offset: 0.35, easing: "ease-in" },
        { transform: "translateY(4px) scale(1.12, .84)", offset: FALL / 520, easing: "ease-out" },
        { transform: "translateY(-3px) scale(.97, 1.05)", offset: 0.8, easing: "ease-in-out" },
        { transform: "none" },
      ],
      { duration: 520, delay },
    ),
    shake(board, hit),
    move(
      smoke,
      [
        { transform: "translateY(46px) scale(.4)", opacity: 0 },
        { opacity: 0.95, offset: 0.3 },
        { transform: "translateY(-20px) scale(1)", opacity: 0.55 },
      ],
      { duration: 1000, delay: hit, easing: "cubic-bezier(.1,.7,.3,1)" },
    ),
    move(reason, [{ opacity: 0 }, { opacity: 1 }], { duration: 260, delay: hit + 180 }),
    sleep(hit).then(() => sound("bust")),
  ]);
}

/** Something appears. @param {Element} element @param {number} [delay] */
export const pop = (element, delay = 0) =>
  move(
    element,
    [
      { transform: "scale(.3)", opacity: 0 },
      { transform: "scale(1.12)", opacity: 1, offset: 0.7 },
      { transform: "none" },
    ],
    { duration: 320, delay, easing: "ease-out" },
  );
