// Movement: transform and opacity only, on the compositor. Any key or tap lets it end at once.
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

/** Nothing moves while the tab is hidden, or while states pile up. @param {boolean} on */
export function hurry(on) {
  skipping = on;
  if (on) skip();
}

const still = () => skipping || document.hidden || tempo() === 0;

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

/** @param {Element} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions & {duration: number}} options @returns {Promise<void>} */
export async function move(element, frames, options) {
  if (still() || !element.isConnected) return;
  const delay = Number(options.delay ?? 0) * tempo();
  const animation = element.animate(frames, { ...options, duration: options.duration * tempo(), delay, fill: "backwards" });
  running.add(animation);
  try {
    await animation.finished;
  } catch {
    // Cancelled: the element has gone.
  }
  running.delete(animation);
}

/** Dice fall: each its own length, turn and bounce. @param {Element[]} dice */
export async function tumble(dice) {
  await Promise.all(dice.map((die, i) => {
    const side = i % 2 ? 1 : -1;
    const spins = 360 * (1 + (i % 3)) * side;
    return move(die, [
      { transform: `translate(${side * 46}px, -120px) rotate(${-spins}deg) scale(1.15)`, opacity: 0, easing: "cubic-bezier(.3,.6,.6,1)" },
      { transform: `translate(${side * 18}px, -40px) rotate(${-spins / 2}deg) scale(1.1)`, opacity: 1, offset: 0.3, easing: "ease-in" },
      { transform: `translate(${side * -6}px, 6px) rotate(${side * 14}deg) scale(.98)`, offset: 0.68, easing: "ease-out" },
      { transform: `translate(0, -9px) rotate(${side * -6}deg)`, offset: 0.82, easing: "ease-in" },
      { transform: "none", opacity: 1 },
    ], { duration: 600 + ((i * 137) % 300) });
  }));
}

/** Elements glide from where they were. @param {Map<Element, DOMRect>} before @param {number} [duration] */
export async function glide(before, duration = 320) {
  const moves = [];
  const after = new Map([...before.keys()].map((element) => [element, element.getBoundingClientRect()]));
  for (const [element, old] of before) {
    const now = /** @type {DOMRect} */ (after.get(element));
    const dx = old.left - now.left;
    const dy = old.top - now.top;
    const scale = now.width ? old.width / now.width : 1;
    if (Math.abs(dx) + Math.abs(dy) < 1 && Math.abs(scale - 1) < 0.02) continue;
    moves.push(move(element, [{ transform: `translate(${dx + (old.width - now.width) / 2}px, ${dy + (old.height - now.height) / 2}px) scale(${scale})` }, { transform: "none" }], { duration, easing: "cubic-bezier(.3,.8,.3,1)" }));
  }
  await Promise.all(moves);
}

/** A copy of an element flies from one place to another. @param {Element} what @param {DOMRect} from @param {DOMRect} to @param {number} [duration] */
export async function fly(what, from, to, duration = 620) {
  if (still() || !from.width || !to.width) return;
  const copy = /** @type {HTMLElement} */ (what.cloneNode(true));
  copy.classList.add("flyer");
  copy.setAttribute("aria-hidden", "true");
  copy.style.width = `${from.width}px`;
  document.body.append(copy);
  const scale = to.width / from.width;
  const mid = Math.min(from.top, to.top) - 40;
  const place = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ size, /** @type {number} */ turn) => `translate(${x}px, ${y}px) scale(${size}) rotate(${turn}deg)`;
  const shrink = (scale - 1) / 2;
  await move(copy, [
    { transform: place(from.left, from.top, 1, 0) },
    { transform: place((from.left + to.left) / 2, mid, (1 + scale) / 2 + 0.12, 8), easing: "ease-in" },
    { transform: place(to.left + from.width * shrink, to.top + from.height * shrink, scale, 0) },
  ], { duration, easing: "ease-out" });
  copy.remove();
}

/** @param {Element} element */
export const shake = (element) => move(element, [0, -8, 7, -5, 4, -2, 0].map((x) => ({ transform: `translateX(${x}px)` })), { duration: 420 });

/** @param {Element} element */
export const blink = (element) => move(element, [1, 0.1, 1, 0.1, 1].map((y) => ({ transform: `scaleY(${y})`, transformOrigin: "50% 48%" })), { duration: 700 });

/** Smoke. @param {Element} host */
export async function puff(host) {
  if (still()) return;
  await Promise.all([-70, -20, 30, 75].map(async (x, i) => {
    const cloud = document.createElement("i");
    cloud.className = "puff";
    host.append(cloud);
    await move(cloud, [
      { transform: `translate(${x / 3}px, 10px) scale(.4)`, opacity: 0 },
      { transform: `translate(${x / 2}px, -12px) scale(1)`, opacity: 0.8, offset: 0.3 },
      { transform: `translate(${x}px, -70px) scale(2)`, opacity: 0 },
    ], { duration: 760, delay: i * 60, easing: "ease-out" });
    cloud.remove();
  }));
}
