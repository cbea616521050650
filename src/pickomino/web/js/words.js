// Events and moves in words, for the log, the buttons and who listens instead of looking.
import { either, percent, rich, t, tn } from "./i18n.js";
import { bustChance, missingFaces } from "./odds.js";

/**
 * Whom a text is about.
 * @typedef {object} Who
 * @property {(seat: string) => string} name
 * @property {(seat: string) => boolean} me whether "you" is meant
 */

/** @param {string} name of a specialist */
export function specialistName(name) {
  return { can: t("can"), hen: t("hen"), crow: t("crow"), weasel: t("weasel"), gold: t("golden die"), apple: t("apple") }[name] ?? name;
}

/** @param {string} name */
export function specialistText(name) {
  return {
    can: t("The can counts as a worm when none of your kept dice is one."),
    hen: t("The hen guards: a bust or a thief takes the hen, not your tile."),
    crow: t("Take the crow's tile and you get a round worm. Then the crow flies on."),
    weasel: t("The weasel rolls the dice just rolled once more, once per turn, even after a bust."),
    gold: t("The golden die is a ninth die with three 1s and three worms."),
    apple: t("The apple counts three worms at the end."),
  }[name] ?? "";
}

/** @param {string} face */
export const faceName = (face) => (face === "W" ? t("worm") : face);

/** @param {string} face @param {number} n */
export function faceCount(face, n) {
  return face === "W" ? tn("one worm", "{n} worms", n) : tn("one {face}", "{n} × {face}", n, { face });
}

/** @param {number} n */
export const worms = (n) => tn("{n} worm", "{n} worms", n);

/** An event's text and what to fill in; null for what needs no words. @param {import("./types.js").GameEvent} e @param {Who} who @returns {[string, Record<string, string|number>]|null} */
function wording(e, who) {
  const seat = e.seat ?? "";
  const me = who.me(seat);
  const name = who.name(seat);
  const p = { who: name, tile: e.tile ?? 0, what: e.specialist ? specialistName(e.specialist) : "" };
  switch (e.event) {
    case "kept": {
      const what = faceCount(e.face ?? "", e.count ?? 0);
      return me ? ["You kept {what}: {total}.", { ...p, what, total: e.total ?? 0 }] : ["{who} kept {what}: {total}.", { ...p, what, total: e.total ?? 0 }];
    }
    case "took": return me ? ["You took {tile}.", p] : ["{who} took {tile}.", p];
    case "stole": {
      const victim = e.victim ?? "";
      if (who.me(victim)) return ["{who} stole {tile} from you.", p];
      return me ? ["You stole {tile} from {victim}.", { ...p, victim: who.name(victim) }] : ["{who} stole {tile} from {victim}.", { ...p, victim: who.name(victim) }];
    }
    case "busted": return me ? ["You busted.", p] : ["{who} busted.", p];
    case "returned": return ["{tile} goes back to the grill.", p];
    case "flipped": return ["{tile} is turned face down.", p];
    case "gold_used": return me ? ["You add the golden die.", p] : ["{who} adds the golden die.", p];
    case "weasel_used": return me ? ["Your weasel rolls again.", p] : ["The weasel of {who} rolls again.", p];
    case "got_round_worm":
      if (e.giver) return ["{who} takes a round worm from {giver}.", { ...p, giver: who.name(e.giver) }];
      return me ? ["You get a round worm.", p] : ["{who} gets a round worm.", p];
    case "got_specialist": return me ? ["You get the specialist: {what}.", p] : ["{who} gets the specialist: {what}.", p];
    case "specialist_moved": return ["Now on {tile}: {what}.", p];
    case "specialist_left": return ["Out of the game: {what}.", p];
    case "game_over": return ["The game is over.", p];
    default: return null;
  }
}

/** @param {import("./types.js").GameEvent} event @param {Who} who @returns {Node[]} */
export function eventNodes(event, who) {
  const found = wording(event, who);
  return found ? rich(...found) : [];
}

/** The same to be heard; a roll is told here too. @param {import("./types.js").GameEvent} event @param {Who} who */
export function eventSpeech(event, who) {
  if (event.event === "rolled") {
    const dice = [...(event.dice ?? "").replace("+", "")].map(faceName).join(" ");
    return who.me(event.seat ?? "") ? t("You rolled {dice}.", { dice }) : t("{who} rolled {dice}.", { who: who.name(event.seat ?? ""), dice });
  }
  if (event.event === "turn_started") {
    return who.me(event.seat ?? "") ? t("Your turn.") : t("{who} plays.", { who: who.name(event.seat ?? "") });
  }
  const found = wording(event, who);
  return found ? t(...found) : "";
}

/** What a bust would cost, short. @param {import("./types.js").Bust|null} bust */
export function costText(bust) {
  if (bust?.returned) return t("would cost your {tile}", { tile: bust.returned });
  if (bust?.specialist) return t("would cost you: {what}", { what: specialistName(bust.specialist) });
  return t("nothing to lose");
}

/** What a button says: what it does, and what it brings or risks. @param {string} move @param {import("./types.js").View} view @param {Who} who @returns {[string, string]} */
export function moveText(move, view, who) {
  const kind = move[0] ?? "";
  const rest = move.slice(1);
  if (move === "roll") return [tn("Roll one die", "Roll {n} dice", view.dice_left), view.bust?.returned ? t("a bust {cost}", { cost: costText(view.bust) }) : t("your turn")];
  if (move === "r") return [tn("Roll one die", "Roll {n} dice", view.dice_left), `${t("{chance} bust", { chance: percent(bustChance(view)) })} · ${costText(view.bust)}`];
  if (kind === "k") {
    const keep = view.keeps.find((item) => item.move === move);
    return [t("Keep {what}", { what: faceCount(rest, keep?.count ?? 1) }), keep?.bust ? t("a bust") : t("total {total}", { total: keep?.total ?? 0 })];
  }
  if (kind === "t" || kind === "x") {
    const claim = view.claims.find((item) => item.move === move);
    const gain = claim && !claim.worms ? t("only the hen") : worms(claim?.worms ?? 0);
    const extra = claim?.specialist && claim.worms ? `${gain} · ${specialistName(claim.specialist)}` : gain;
    if (kind === "t") return [t("Take {tile}", { tile: rest }), extra];
    return [t("Steal {tile} from {victim}", { tile: rest, victim: who.name(claim?.from ?? "") }), extra];
  }
  if (move === "s") return [t("Stop here"), view.phase === "keep" ? t("accept the bust") : t("a bust · {cost}", { cost: costText(view.bust) })];
  if (move === "w") return [t("Send the weasel"), tn("rolls this die again", "rolls these {n} dice again", view.dice_left)];
  if (move === "g") return [t("Add the golden die"), t("nine dice this turn")];
  if (move === "n") return [t("Leave the golden die"), t("eight dice this turn")];
  if (kind === "^") return [t("Take from {who}", { who: who.name(rest) }), t("one round worm")];
  if (kind === "<") return [t("Give back: {what}", { what: specialistName(rest) }), t("it returns to the grill")];
  return [move, ""];
}

/** The sentence beside the dice. @param {import("./types.js").View} view @param {string|null} mySeat @param {Who} who @returns {Node[]} */
export function advisory(view, mySeat, who) {
  if (view.phase === "roll") return rich(mySeat ? "Your turn. Roll the dice." : "{who} is about to roll.", { who: who.name(view.seat ?? "") });
  if (view.phase === "gold") return rich("The golden die may join this turn.");
  if (view.phase === "giver") return rich("No round worm is left in the supply. Who gives one?");
  if (view.phase === "put back") return rich("Nobody holds two specialists. Which one goes back?");
  if (view.phase === "keep") {
    if (!view.keeps.length) return rich("Nothing to keep. The weasel can roll again.");
    const options = view.keeps.map((keep) => `${faceCount(keep.face, keep.count)} → ${keep.total}`);
    return rich("Keep {options}.", { options: either(options) });
  }
  if (view.phase === "go") return goText(view, mySeat);
  return [];
}

/** @param {import("./types.js").View} view @param {string|null} mySeat @returns {Node[]} */
function goText(view, mySeat) {
  const need = either(missingFaces(view.kept).map(faceName));
  const first = view.claims[0];
  const seat = view.seat ? view.seat.charCodeAt(0) - 65 : -1;
  const nodes = [];
  if (!view.has_worm) nodes.push(...rich("No worm kept yet: nothing can be taken."));
  else if (!first) nodes.push(...rich("{total} reaches no tile yet.", { total: view.total }));
  else if (view.tops[seat] === view.total) nodes.push(...rich("{total} is your own tile, so the next lower: {tile}.", { total: view.total, tile: first.tile }));
  else if (first.tile === view.total) nodes.push(...rich("{total} is there for the taking.", { total: view.total }));
  else nodes.push(...rich("{total} is not there, so the next lower: {tile}.", { total: view.total, tile: first.tile }));
  if (view.moves.includes("r") && mySeat) nodes.push(document.createElement("br"), ...rich("Rolling on, you need {faces}.", { faces: need }));
  return nodes;
}
