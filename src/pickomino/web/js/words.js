// Events and moves in words, for the log, the buttons and who listens instead of looking.
import { either, list, percent, rich, t, tn } from "./i18n.js";

/** @typedef {import("./messages").View} View */
/** @typedef {import("./messages").EventInfo} GameEvent */

/**
 * Whom a text is about.
 * @typedef {object} Who
 * @property {(seat: string) => string} name
 * @property {(seat: string) => boolean} me whether "you" is meant
 */

/** The place of a seat in the lists of a view. @param {string} seat */
export const seatIndex = (seat) => seat.charCodeAt(0) - "A".charCodeAt(0);

/** @param {number} index */
export const seatLetter = (index) => String.fromCharCode("A".charCodeAt(0) + index);

/** @param {string} name of a specialist */
export function specialistName(name) {
  return (
    { can: t("can"), hen: t("hen"), crow: t("crow"), weasel: t("weasel"), gold: t("golden die"), apple: t("apple") }[
      name
    ] ?? name
  );
}

/** @param {string} name */
export function specialistText(name) {
  return (
    {
      can: t("The can counts as a worm when none of your kept dice is one."),
      hen: t("The hen guards: a bust or a thief takes the hen, not your tile."),
      crow: t("Take the crow's tile and you get a round worm. Then the crow flies on."),
      weasel: t("The weasel rolls the dice just rolled once more, once per turn, even after a bust."),
      gold: t("The golden die joins your dice. It shows only 1s and worms."),
      apple: t("The apple is worth extra worms at the end."),
    }[name] ?? ""
  );
}

/** @param {string} face */
export const faceName = (face) => (face === "W" ? t("worm") : face);

/** @param {string} face @param {number} n */
export function faceCount(face, n) {
  return face === "W" ? tn("one worm", "{n} worms", n) : tn("one {face}", "{n} × {face}", n, { face });
}

/** @param {number} n */
export const worms = (n) => tn("{n} worm", "{n} worms", n);

/**
 * An event's text and what to fill in; null for what needs no words.
 * @param {GameEvent} e @param {Who} who
 * @returns {[string, Record<string, string|number>]|null}
 */
function wording(e, who) {
  const seat = e.seat ?? "";
  const me = who.me(seat);
  const name = who.name(seat);
  const p = { who: name, tile: e.tile ?? 0, what: e.specialist ? specialistName(e.specialist) : "" };
  switch (e.event) {
    case "kept": {
      const what = faceCount(e.face ?? "", e.count ?? 0);
      return me
        ? ["You kept {what}: {total}.", { ...p, what, total: e.total ?? 0 }]
        : ["{who} kept {what}: {total}.", { ...p, what, total: e.total ?? 0 }];
    }
    case "took":
      return me ? ["You took {tile}.", p] : ["{who} took {tile}.", p];
    case "stole": {
      const victim = e.victim ?? "";
      if (who.me(victim)) return ["{who} stole {tile} from you.", p];
      return me
        ? ["You stole {tile} from {victim}.", { ...p, victim: who.name(victim) }]
        : ["{who} stole {tile} from {victim}.", { ...p, victim: who.name(victim) }];
    }
    case "busted":
      return me ? ["You busted.", p] : ["{who} busted.", p];
    case "returned":
      return ["{tile} goes back to the grill.", p];
    case "flipped":
      return ["{tile} is turned face down.", p];
    case "gold_used":
      return me ? ["You add the golden die.", p] : ["{who} adds the golden die.", p];
    case "weasel_used":
      return me ? ["Your weasel rolls again.", p] : ["The weasel of {who} rolls again.", p];
    case "got_round_worm":
      if (e.giver)
        return me
          ? ["You take a round worm from {giver}.", { ...p, giver: who.name(e.giver) }]
          : ["{who} takes a round worm from {giver}.", { ...p, giver: who.name(e.giver) }];
      return me ? ["You get a round worm.", p] : ["{who} gets a round worm.", p];
    case "got_specialist":
      return me ? ["You get the specialist: {what}.", p] : ["{who} gets the specialist: {what}.", p];
    case "specialist_moved":
      return ["Now on {tile}: {what}.", p];
    case "specialist_left":
      return ["Out of the game: {what}.", p];
    case "game_over":
      return ["The game is over.", p];
    default:
      return null;
  }
}

/** @param {GameEvent} event @param {Who} who @returns {Node[]} */
export function eventNodes(event, who) {
  const found = wording(event, who);
  return found ? rich(...found) : [];
}

/** The same to be heard; a roll is told here too. @param {GameEvent} event @param {Who} who */
export function eventSpeech(event, who) {
  if (event.event === "rolled") {
    const dice = [...(event.dice ?? "").replace("+", "")].map(faceName).join(" ");
    return who.me(event.seat ?? "")
      ? t("You rolled {dice}.", { dice })
      : t("{who} rolled {dice}.", { who: who.name(event.seat ?? ""), dice });
  }
  if (event.event === "turn_started") {
    return who.me(event.seat ?? "") ? t("Your turn.") : t("{who} plays.", { who: who.name(event.seat ?? "") });
  }
  const found = wording(event, who);
  return found ? t(...found) : "";
}

/** What a bust would cost. @param {import("./messages").BustView|null} bust @returns {string} */
export function costText(bust) {
  const parts = [];
  if (bust?.returned) parts.push(String(bust.returned));
  if (bust?.specialist) parts.push(specialistName(bust.specialist));
  return parts.length ? t("costs {what}", { what: list(parts) }) : t("nothing to lose");
}

/**
 * Why a turn ended with nothing, and what that cost. `before`: the view in which it could still go well.
 * @param {View} before @param {View} now
 * @returns {Node[]}
 */
export function bustText(before, now) {
  const why = now.rolled
    ? t("No new face.")
    : now.has_worm
      ? t("No tile for {total}.", { total: now.total })
      : t("No worm.");
  const cost = [];
  if (before.bust?.returned) cost.push(t("{tile} goes back", { tile: before.bust.returned }));
  if (before.bust?.specialist) cost.push(t("{what} goes back", { what: specialistName(before.bust.specialist) }));
  if (before.bust?.flipped) cost.push(t("{tile} is out", { tile: before.bust.flipped }));
  return [document.createTextNode(`${why} ${cost.length ? `${list(cost)}.` : t("It cost nothing.")}`)];
}

/**
 * What a button says: what it does, and what it brings or risks.
 * @param {string} move @param {View} view @param {Who} who
 * @returns {[string, string]}
 */
export function moveText(move, view, who) {
  const kind = move[0] ?? "";
  const rest = move.slice(1);
  if (move === "roll")
    return [
      tn("Roll one die", "Roll {n} dice", view.dice_left),
      view.bust?.returned || view.bust?.specialist ? t("a bust {cost}", { cost: costText(view.bust) }) : "",
    ];
  if (move === "r") {
    const risk = t("{chance} bust", { chance: percent(view.bust_prob ?? 0) });
    return [
      tn("Roll one die", "Roll {n} dice", view.dice_left),
      view.bust?.returned || view.bust?.specialist ? `${risk}, ${costText(view.bust)}` : risk,
    ];
  }
  if (kind === "k") {
    const keep = view.keeps.find((item) => item.move === move);
    return [
      t("Keep {what}", { what: faceCount(rest, keep?.count ?? 1) }),
      keep?.bust ? t("a bust") : t("total {total}", { total: keep?.total ?? 0 }),
    ];
  }
  if (kind === "t" || kind === "x") {
    const claim = view.claims.find((item) => item.move === move);
    const gain = [claim?.worms ? worms(claim.worms) : "", claim?.specialist ? specialistName(claim.specialist) : ""]
      .filter(Boolean)
      .join(", ");
    if (kind === "t") return [t("Take {tile}", { tile: rest }), gain];
    const from = t("from {victim}", { victim: who.name(claim?.from ?? "") });
    return claim?.worms
      ? [t("Steal {tile}", { tile: rest }), `${from}, ${gain}`]
      : [t("Steal: {what}", { what: gain }), from];
  }
  if (move === "s") return [view.phase === "keep" ? t("Accept the bust") : t("Give up this turn"), costText(view.bust)];
  if (move === "w")
    return [t("Send the weasel"), tn("rolls this die again", "rolls these {n} dice again", view.dice_left)];
  if (move === "g") return [t("Add the golden die"), t("one die more this turn")];
  if (move === "n") return [t("Without it"), t("keep it for later")];
  if (kind === "^") return [t("Take from {who}", { who: who.name(rest) }), t("one round worm")];
  if (kind === "<") return [t("Give back: {what}", { what: specialistName(rest) }), t("it returns to the grill")];
  return [move, ""];
}

/**
 * The sentence above the choices.
 * @param {View} view @param {Who} who @param {string} [seat] named where one device serves several seats
 * @returns {Node[]}
 */
export function advice(view, who, seat = "") {
  if (view.phase === "roll" && !view.kept)
    return seat ? rich("{who}, it is your turn.", { who: seat }) : rich("It is your turn.");
  if (view.phase === "gold") return rich("The golden die shows only 1s and worms. Does it join?");
  if (view.phase === "giver") return rich("No round worm is left in the supply. Who gives one?");
  if (view.phase === "put back") return rich("You can hold only one specialist. Which one goes back?");
  if (view.phase === "keep") {
    if (!view.keeps.length) return rich("Nothing to keep, but the weasel can roll again.");
    return view.kept ? rich("Choose another face.") : rich("Choose one face: all its dice are kept.");
  }
  return view.phase === "go" ? goText(view, who) : [];
}

/** @param {View} view @param {Who} who @returns {Node[]} */
function goText(view, who) {
  const takes = view.claims.filter((claim) => claim.from === "grill");
  const steal = view.claims.find((claim) => claim.from !== "grill");
  const take = takes[0];
  const { total } = view;
  /** @type {Node[]} */
  let nodes = [];
  if (steal && !steal.worms)
    nodes = rich("The hen of {who} guards {tile}: a thief gets the hen.", {
      who: who.name(steal.from),
      tile: steal.tile,
    });
  else if (steal && take)
    nodes = rich("{who} has the {total}. You can steal it, or take from the grill.", {
      total,
      who: who.name(steal.from),
    });
  else if (steal) nodes = rich("{who} has the {total}.", { total, who: who.name(steal.from) });
  else if (takes.length > 1) nodes = rich("Take any marked tile.");
  else if (take?.specialist) nodes = [document.createTextNode(specialistText(take.specialist))];
  else if (take && take.tile === total) nodes = rich("{total} is on the grill.", { total });
  else if (take)
    nodes = rich("There is no {total} to take: the next lower tile is {tile}.", { total, tile: take.tile });
  else if (!view.has_worm) nodes = rich("No worm yet: nothing can be taken.");
  else nodes = rich("{total} reaches no tile yet.", { total });
  if (view.moves.includes("r"))
    nodes.push(
      document.createTextNode(" "),
      ...rich("A roll must bring {faces}.", { faces: either(view.faces_left.map(faceName)) }),
    );
  return nodes;
}

/** What a face would lead to. @param {import("./messages").KeepView} keep @returns {Node[]} */
export function keepAdvice(keep) {
  const what = faceCount(keep.face, keep.count);
  const claim = keep.claims[0];
  if (keep.bust) return rich("With {what}: a bust.", { what });
  if (claim) return rich("With {what}: {total}, enough for {tile}.", { what, total: keep.total, tile: claim.tile });
  return keep.has_worm
    ? rich("With {what}: {total}.", { what, total: keep.total })
    : rich("With {what}: {total}, without a worm.", { what, total: keep.total });
}

/**
 * How another's turn ended, in one line.
 * @param {GameEvent} event @param {Who} who @param {(tile: number) => number} wormsOf
 * @returns {Node[]}
 */
export function deedText(event, who, wormsOf) {
  const tile = event.tile ?? 0;
  if (event.event === "took") return rich("takes {tile}, {worms}", { tile, worms: worms(wormsOf(tile)) });
  if (event.event === "stole")
    return rich("steals {tile} from {victim}", {
      tile,
      victim: who.me(event.victim ?? "") ? t("you") : who.name(event.victim ?? ""),
    });
  if (event.event === "got_specialist") return rich("gets: {what}", { what: specialistName(event.specialist ?? "") });
  return [];
}
