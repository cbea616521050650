// Short soft sounds, made here with Web Audio. Nothing is loaded, and nothing plays before the first tap.
import { settings } from "./store.js";

/** @type {AudioContext|null} */
let context = null;

/** Everything goes through here: one volume for all. @type {GainNode|null} */
let out = null;

/** The browser lets sound begin after a tap or a key. */
export function wake() {
  if (!settings.sound || context) return;
  try {
    context = new AudioContext();
    out = context.createGain();
    out.connect(context.destination);
  } catch {
    context = null;
  }
}

/**
 * @param {number} from Hz @param {number} to Hz @param {number} at s @param {number} length s @param {number} volume
 * @param {OscillatorType} [wave]
 */
function tone(from, to, at, length, volume, wave = "sine") {
  if (!context) return;
  const start = context.currentTime + at;
  const voice = context.createOscillator();
  const gain = context.createGain();
  voice.type = wave;
  voice.frequency.setValueAtTime(from, start);
  voice.frequency.exponentialRampToValueAtTime(to, start + length);
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(volume, start + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  voice.connect(gain).connect(out ?? context.destination);
  voice.start(start);
  voice.stop(start + length + 0.02);
}

/** A knock of wood on wood. @param {number} at s @param {number} volume */
function knock(at, volume) {
  if (!context) return;
  const length = 0.05;
  const buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 3;
  const source = context.createBufferSource();
  source.buffer = buffer;
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = 900 + Math.random() * 900;
  const gain = context.createGain();
  gain.gain.value = volume;
  source
    .connect(filter)
    .connect(gain)
    .connect(out ?? context.destination);
  source.start(context.currentTime + at);
}

/** @type {Record<string, () => void>} */
const SOUNDS = {
  dice: () => {
    for (let i = 0; i < 9; i += 1) knock(i * 0.06 + Math.random() * 0.04, 0.5 - i * 0.03);
  },
  keep: () => knock(0, 0.6),
  take: () => {
    tone(420, 640, 0, 0.14, 0.12);
    tone(640, 860, 0.1, 0.2, 0.1);
  },
  steal: () => {
    tone(700, 300, 0, 0.22, 0.1, "triangle");
    tone(300, 900, 0.2, 0.25, 0.1, "triangle");
  },
  bust: () => tone(220, 70, 0, 0.4, 0.16, "triangle"),
  turn: () => {
    tone(523, 523, 0, 0.12, 0.08);
    tone(784, 784, 0.12, 0.22, 0.08);
  },
  tick: () => knock(0, 0.35),
  end: () => [523, 659, 784, 1047].forEach((pitch, i) => tone(pitch, pitch, i * 0.13, 0.35, 0.09)),
};

/** @param {"dice"|"keep"|"take"|"steal"|"bust"|"turn"|"tick"|"end"} name */
export function play(name) {
  if (!settings.sound || !context || context.state === "closed") return;
  if (context.state === "suspended") context.resume().catch(() => undefined);
  if (out) out.gain.value = settings.volume * 1.4;
  SOUNDS[name]?.();
}
