// How likely the dice show nothing that can still be kept. Plain counting of faces, for a label on a button.

/** Faces in a text of dice. @param {string} dice */
export const faces = (dice) => [...dice.replace("+", "")];

/** Kept faces, each once. @param {string} kept */
export const keptFaces = (kept) => new Set(faces(kept));

/**
 * The chance that the next roll of the seat to act is a bust; an unused weasel rolls a second time.
 * @param {import("./types.js").View} view
 */
export function bustChance(view) {
  const kept = keptFaces(view.kept);
  const golden = Boolean(view.golden_die) && !view.kept.includes("+");
  const white = view.dice_left - (golden ? 1 : 0);
  let chance = (kept.size / 6) ** white;
  if (golden) chance *= ((kept.has("1") ? 1 : 0) + (kept.has("W") ? 1 : 0)) / 2;
  const weasel = view.specialists?.weasel === view.seat && !view.position.includes(`weasel@${view.seat}*`);
  return weasel ? chance * chance : chance;
}

/** @param {string} kept */
export const missingFaces = (kept) => ["1", "2", "3", "4", "5", "W"].filter((face) => !keptFaces(kept).has(face));
