// The review, drawn from the figures and sentences that Python made; nothing is worked out here.
const { shown, seat: firstSeat, texts: T } = JSON.parse(document.getElementById("data").textContent);
const { players, turns, decisions, rolls } = shown;
const win = shown.objective === "win";
const app = document.getElementById("app");
const state = { seat: firstSeat, turn: 0, decision: -1 };

/* --- small helpers --- */
const esc = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const size = (value) => (win ? String(Math.abs(value)) : Math.abs(value).toFixed(1));
const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${size(value)}`;
const value = (figure) => (win ? `${figure} %` : `${figure < 0 ? "−" : ""}${size(figure)}`);
const colour = (index) => `var(--seat${index})`;
const seatOf = (letter) => players.findIndex((player) => player.seat === letter);
const DASH = ["", "", "7 4", "2 4", "9 3 2 3", "5 3", "1 4"];
const GRADES = ["best", "fine", "inaccuracy", "mistake", "blunder"];

const WORM =
  '<svg viewBox="0 0 34 24" aria-hidden="true"><path d="M3 18c3 3 7 3 9-1s5-5 7-1 6 4 7-1" fill="none" stroke="#85291c" stroke-width="8" stroke-linecap="round"/><path d="M3 18c3 3 7 3 9-1s5-5 7-1 6 4 7-1" fill="none" stroke="#e2654b" stroke-width="5.500" stroke-linecap="round"/><circle cx="27" cy="9" r="6" fill="#e2654b" stroke="#85291c" stroke-width="1.500"/><circle cx="29" cy="8" r="2.200" fill="#fff"/><circle cx="29.500" cy="8" r="1.100" fill="#33271c"/></svg>';
const GRADE = {
  best: '<circle cx="13" cy="13" r="12" fill="var(--ok)"/><path class="tick" d="M7.500 13.500l4 4 7-8.500"/>',
  fine: '<circle cx="13" cy="13" r="10.500" fill="none" stroke="var(--fine)" stroke-width="2.500"/><circle cx="13" cy="13" r="3.500" fill="var(--fine)"/>',
  inaccuracy:
    '<path d="M13 1.500L25 23H1z" fill="var(--inacc)"/><text x="13" y="20.500" style="font-size:12px">?!</text>',
  mistake: '<path d="M13 0L26 13 13 26 0 13z" fill="var(--mistake)"/><text x="13" y="18">?</text>',
  blunder: '<rect width="26" height="26" rx="5" fill="var(--blunder)"/><text x="13" y="18">??</text>',
};
const grade = (name) =>
  `<svg class="grade ${name}" viewBox="0 0 26 26" role="img" aria-label="${esc(T[`g_${name}`])}">${GRADE[name]}</svg>`;

/* --- dice and tiles --- */
const PIPS = {
  1: [[12, 12]],
  2: [
    [7, 7],
    [17, 17],
  ],
  3: [
    [6.5, 6.5],
    [12, 12],
    [17.5, 17.5],
  ],
  4: [
    [7, 7],
    [17, 7],
    [7, 17],
    [17, 17],
  ],
  5: [
    [6.5, 6.5],
    [17.5, 6.5],
    [12, 12],
    [6.5, 17.5],
    [17.5, 17.5],
  ],
};
function die(face, { gold = false, dim = false } = {}) {
  const marks =
    face === "W"
      ? '<path d="M5.500 15c2 3 4 2 5.500-1s3.500-4 5-1 2 1 2.500 0"/><circle cx="18" cy="8.500" r="2" style="fill:#b8432b"/>'
      : PIPS[face].map(([x, y]) => `<circle cx="${x}" cy="${y}" r="2.200"/>`).join("");
  return `<svg class="die${gold ? " gold" : ""}${dim ? " dim" : ""}" viewBox="0 0 24 24" aria-hidden="true"><rect x="1" y="1" width="22" height="22" rx="6"/>${marks}</svg>`;
}
function diceRow(text, kept = null) {
  const [white, gold] = text.split("+");
  const one = (face, isGold) => die(face, { gold: isGold, dim: kept !== null && face !== kept });
  return `<span class="group" role="img" aria-label="${esc(text)}">${[...white].map((face) => one(face, false)).join("")}${gold ? one(gold, true) : ""}</span>`;
}
const worms = (tile) => (tile < 21 ? 1 : Math.floor((tile - 21) / 4) + 1);
const tile = (number, kind = "", guest = "") =>
  `<span class="tile ${kind}">${number}${kind ? "" : `<i aria-hidden="true">${"•".repeat(worms(number))}</i>`}${guest ? `<span class="guest">${esc(guest)}</span>` : ""}</span>`;

function table(turn) {
  const { specialists } = turn;
  const all = [...new Set([...turn.grill, ...turn.flipped, ...turn.stacks.flat()])].sort((a, b) => a - b);
  const seats = players.map((player, index) => {
    const stack = turn.stacks[index];
    const extra = [
      ...(specialists ? specialists.held[index] : []),
      ...(turn.round_worms?.[index] ? [`○ ${turn.round_worms[index]}`] : []),
    ];
    return `<li class="${player.seat === turn.seat ? "acts" : ""}"><b>${esc(player.name)}</b>${stack.length ? tile(stack.at(-1)) : "<span></span>"}<small>${turn.scores[index]} • ${esc(extra.join(", "))}</small></li>`.replace(
      " • </small>",
      "</small>",
    );
  });
  const grill = all.map((number) =>
    turn.grill.includes(number)
      ? tile(number, "", specialists?.standing[number] ?? "")
      : tile(number, turn.flipped.includes(number) ? "flipped" : "gone"),
  );
  return `<ul class="seats">${seats.join("")}</ul><div class="grill${all.length > 16 ? " many" : ""}" role="img" aria-label="${esc(T.grill)}: ${turn.grill.join(", ")}">${grill.join("")}</div>`;
}

/* --- the curve with its two strips --- */
function curve(width) {
  const small = width < 560,
    left = 34,
    right = small ? 38 : 88,
    top = 12,
    high = small ? 190 : 210,
    strip = 44,
    gap = 30;
  const dice = top + high + gap,
    choice = dice + strip + gap - 8,
    height = choice + strip + 20;
  const points = turns.length ? [...turns.map((turn) => turn.before), turns.at(-1).after] : [];
  const span = Math.max(points.length - 1, 1),
    x = (index) => left + (index / span) * (width - left - right);
  const all = points.flat(),
    low = win ? 0 : Math.min(0, ...all),
    most = win ? 100 : Math.max(1, ...all);
  const y = (figure) => top + (1 - (figure - low) / (most - low)) * high;
  const me = players[state.seat],
    out = [];
  for (const turning of me.turning)
    out.push(
      `<rect class="band" x="${x(turning.turn - 1)}" y="${top}" width="${Math.max(x(1) - x(0), 4)}" height="${height - top - 18}"/>`,
    );
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    const figure = low + part * (most - low);
    out.push(`<path class="${part ? "gridline" : "zero"}" d="M${left} ${y(figure)}H${width - right}"/>`);
    if (!small || part * 2 === Math.round(part * 2))
      out.push(`<text class="ax" x="${left - 7}" y="${y(figure) + 4}" text-anchor="end">${Math.round(figure)}</text>`);
  }
  const order = players.map((_, index) => index).sort((a, b) => (a === state.seat) - (b === state.seat));
  for (const index of order) {
    const path = points
      .map((values, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${y(values[index]).toFixed(1)}`)
      .join("");
    const thick = index === state.seat ? 4 : 2.2;
    out.push(
      `<path class="halo" stroke-width="${thick + 3}" d="${path}"/><path class="line" style="stroke:${colour(index)}" stroke-width="${thick}" stroke-dasharray="${index === state.seat ? "" : DASH[index]}" d="${path}"/>`,
    );
  }
  // names at the ends of the lines, pushed apart where they would meet
  const ends = players
    .map((player, index) => ({ player, index, at: points.length ? y(points.at(-1)[index]) : top }))
    .sort((a, b) => a.at - b.at);
  ends.forEach((end, place) => {
    if (place) end.at = Math.max(end.at, ends[place - 1].at + 15);
  });
  [...ends].reverse().forEach((end, place, back) => {
    end.at = Math.min(end.at, place ? back[place - 1].at - 15 : top + high + 4);
  });
  for (const end of ends)
    out.push(
      `<text class="label" style="fill:${colour(end.index)}" x="${width - right + 7}" y="${end.at + 4}">${esc(small ? end.player.seat : end.player.name.slice(0, 10))}</text>`,
    );
  me.turning.forEach((turning, index) => {
    const at = (x(turning.turn - 1) + x(turning.turn)) / 2,
      up = y((turning.before + turning.after) / 2);
    out.push(
      `<g class="pin"><circle cx="${at}" cy="${up}" r="9"/><text x="${at}" y="${up + 4}">${index + 1}</text></g>`,
    );
  });
  const lucks = turns.map((turn) => turn.luck[state.seat]),
    costs = turns.map((turn) => (seatOf(turn.seat) === state.seat ? turn.error : 0));
  const scale = strip / 2 / Math.max(win ? 5 : 0.5, ...lucks.map(Math.abs)),
    lost = strip / Math.max(win ? 5 : 0.5, ...costs);
  const wide = Math.max(2, Math.min(16, (x(1) - x(0)) * 0.6)),
    middle = dice + strip / 2;
  out.push(
    `<text class="ax" x="${left}" y="${dice - 6}">${esc(fill(T.dice_strip, me))}</text><path class="zero" d="M${left} ${middle}H${width - right}"/>`,
  );
  out.push(
    `<text class="ax" x="${left}" y="${choice - 6}">${esc(fill(T.choice_strip, me))}</text><path class="zero" d="M${left} ${choice}H${width - right}"/>`,
  );
  turns.forEach((_, index) => {
    const at = (x(index) + x(index + 1) - wide) / 2,
      tall = Math.abs(lucks[index]) * scale;
    if (tall)
      out.push(
        `<rect class="${lucks[index] > 0 ? "up" : "down"}" x="${at}" y="${lucks[index] > 0 ? middle - tall : middle}" width="${wide}" height="${tall}"/>`,
      );
    if (costs[index])
      out.push(`<rect class="lost" x="${at}" y="${choice}" width="${wide}" height="${costs[index] * lost}"/>`);
  });
  out.push(
    `<text class="num" x="${width - right + 7}" y="${middle + 5}">${signed(me.balance.luck)}</text><text class="num" x="${width - right + 7}" y="${choice + 18}">${signed(me.balance.errors)}</text>`,
  );
  const every = Math.ceil(turns.length / (small ? 5 : 10));
  turns.forEach((turn, index) => {
    if (index % every === 0)
      out.push(
        `<text class="ax" x="${(x(index) + x(index + 1)) / 2}" y="${height - 4}" text-anchor="middle">${turn.turn}</text>`,
      );
  });
  if (turns.length) {
    const at = (x(state.turn) + x(state.turn + 1)) / 2;
    out.push(`<path class="cursor" d="M${at} ${top}V${height - 18}"/>`);
  }
  const said = players
    .map(
      (player, index) =>
        `${player.name} ${points.length ? `${value(points[0][index])} → ${value(points.at(-1)[index])}` : ""}`,
    )
    .join(", ");
  return {
    svg: `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${esc(`${T.chart}: ${said}`)}">${out.join("")}</svg>`,
    at: (px) => Math.min(turns.length - 1, Math.max(0, Math.floor(((px - left) / (width - left - right)) * span))),
  };
}
function nowText() {
  const turn = turns[state.turn];
  if (!turn) return "";
  const chances = players
    .map((player, index) => `${player.name} ${value(turn.before[index])} → ${value(turn.after[index])}`)
    .join(" · ");
  return `<b>${esc(fill(T.turn, { n: turn.turn }))}: ${esc(turn.words)}.</b> ${esc(chances)}`;
}

/* --- a choice with its alternatives --- */
function ends(move) {
  if (!move.ends.length) return "";
  const name = ([what]) =>
    what === "bust"
      ? T.bust
      : what === "other"
        ? T.other
        : what[0] === "x"
          ? fill(T.steal, { tile: what.slice(1) })
          : what.slice(1);
  const bars = move.ends.map((end) => {
    const kind = end[0] === "bust" || end[0] === "other" ? end[0] : end[0][0] === "x" ? "steal" : "take";
    const text =
      end[1] === 100
        ? `${name(end)} ${T.sure}`
        : end[1] >= 24
          ? `${name(end)} ${end[1]} %`
          : end[1] >= 11
            ? name(end)
            : "";
    return `<span class="${kind}" style="width:${end[1]}%" aria-hidden="true">${esc(text)}</span>`;
  });
  const said = move.ends.map((end) => `${name(end)} ${end[1]} %`).join(", ");
  return `<div class="ends" role="img" aria-label="${esc(said)}" title="${esc(said)}">${bars.join("")}</div>`;
}
function option(decision, move) {
  const best = move.move === decision.best,
    mine = move.move === decision.played;
  const tags = `${best ? `<span class="tag best">${esc(T.best)}</span>` : ""}${mine ? `<span class="tag me">${esc(T.played)}</span>` : ""}`;
  return `<li class="${best ? "is-best" : ""} ${mine ? "is-played" : ""}">${grade(move.grade)}<span><span class="name">${esc(move.words)}</span>${tags}</span><span class="value">${value(move.value)}${move.cost ? `<small>−${size(move.cost)}</small>` : ""}</span>${ends(move)}</li>`;
}
function choiceButton(decision, text) {
  const at = decisions.indexOf(decision);
  return `<button type="button" data-decision="${at}" aria-current="${at === state.decision}">${grade(decision.grade)}${esc(text)}</button>`;
}
function rollList(turn) {
  const mine = rolls.filter((roll) => roll.turn === turn.turn);
  const items = mine.map((roll, index) => {
    const next = mine[index + 1]?.ply ?? Infinity;
    const made = decisions.filter((one) => one.ply > roll.ply && one.ply < next && one.turn === turn.turn);
    const keep = made.find((one) => one.played[0] === "k");
    const words = (one) =>
      one.moves.find((move) => move.move === one.played).words + (one.charged ? "" : ` (${T.by_clock})`);
    return `<li>${diceRow(roll.dice, keep ? keep.played[1] : null)}<div class="did"><b>${signed(roll.luck[seatOf(turn.seat)])}</b>${made.map((one) => choiceButton(one, words(one))).join("")}</div></li>`;
  });
  return `<ol class="rolls">${items.join("")}</ol>`;
}
function detail() {
  const decision = decisions[state.decision];
  if (!decision) return `<p>${esc(T.no_slips)}</p>`;
  const turn = turns[decision.turn - 1],
    player = players[seatOf(decision.seat)];
  const title = decision.title ?? decision.moves.find((move) => move.move === decision.played).words;
  const cost = decision.cost ? `<span class="costs">${esc(fill(T.costs, { n: size(decision.cost) }))}</span>` : "";
  const kept = decision.kept ? diceRow(decision.kept) : `<small>${esc(T.nothing)}</small>`;
  const rolled = decision.rolled
    ? `<span class="group"><small>${esc(T.rolled)}</small>${diceRow(decision.rolled)}</span>`
    : "";
  return `<div class="detail-head">${grade(decision.grade)}<h2>${esc(fill(T.turn, { n: decision.turn }))}: ${esc(title)}</h2><small>${esc(player.name)}</small>${cost}</div>
    <div class="look"><div>${table(turn)}<div class="tray" style="margin-top:8px"><span class="group"><small>${esc(T.kept)}</small>${kept}</span>${rolled}${decision.total ? `<span class="group sum"><small>${esc(T.total)}</small>${decision.total}</span>` : ""}</div></div>
    <div><ol class="options">${decision.moves.map((move) => option(decision, move)).join("")}</ol>${decision.sentence ? `<p class="said">${esc(decision.sentence)}</p>` : ""}${decision.afterword ? `<p class="then">${esc(decision.afterword)}</p>` : ""}</div></div>
    <h3 style="margin-top:12px">${esc(T.roll_by_roll)}</h3>${rollList(turn)}`;
}

/* --- lists --- */
const turningItem = (turning, index) =>
  `<li><button type="button" class="row" data-turn="${turning.turn - 1}"><span class="no">${index + 1}</span><span><b>${esc(turning.words)}</b><small>${esc(fill(T.turn, { n: turning.turn }))} · ${esc(turning.why)}</small></span><span class="way">${value(turning.before)} → ${value(turning.after)}</span></button></li>`;
function slipItem(index) {
  const one = decisions[index];
  return `<li><button type="button" class="row" data-decision="${index}" aria-current="${index === state.decision}">${grade(one.grade)}<span><b>${esc(one.title)}, ${esc(fill(T.turn, { n: one.turn }).toLowerCase())}${one.decided ? ` (${esc(T.decided)})` : ""}</b><small>${esc(one.sentence)}</small></span><span class="amount">−${size(one.cost)}</span></button></li>`;
}
function balance(player, index) {
  const parts = ["luck", "errors", ...(player.balance.clock ? ["clock"] : []), "gifts", "estimate"];
  const steps = [{ key: "start", from: 0, to: player.balance.start }];
  for (const key of parts) steps.push({ key, from: steps.at(-1).to, to: steps.at(-1).to + player.balance[key] });
  steps.push({ key: "result", from: 0, to: player.balance.result });
  const edges = players.flatMap(({ balance: b }) => {
    const sums = [b.start];
    for (const key of ["luck", "errors", "clock", "gifts", "estimate"]) sums.push(sums.at(-1) + b[key]);
    return sums;
  });
  const low = Math.min(0, ...edges),
    high = Math.max(win ? 100 : 1, ...edges),
    place = (figure) => ((figure - low) / (high - low)) * 100;
  const rows = steps.map(({ key, from, to }) => {
    const whole = key === "start" || key === "result",
      kind = whole ? "whole" : to >= from ? "gain" : "loss";
    return `<tr><th scope="row" class="${whole ? "strong" : ""}">${esc(T[key])}</th><td><div class="steps" style="--c:${colour(index)}"><i class="${kind}" style="left:${place(Math.min(from, to))}%;width:${place(Math.max(from, to)) - place(Math.min(from, to))}%"></i></div></td><td class="${whole ? "strong" : ""}">${whole ? value(to) : signed(player.balance[key])}</td></tr>`;
  });
  const right = player.accuracy === null ? "" : `${fill(T.accuracy, { n: player.accuracy })} · `;
  return `<li><h3><span>${esc(player.name)}</span><small>${esc(right + fill(T.without, { v: value(player.adjusted) }))}</small></h3><table>${rows.join("")}</table></li>`;
}
function key() {
  const limits = shown.limits.map((limit) => String(limit)),
    text = [
      fill(T.under, { n: limits[0] }),
      fill(T.from_to, { a: limits[0], b: limits[1] }),
      fill(T.from_to, { a: limits[1], b: limits[2] }),
      fill(T.from_to, { a: limits[2], b: limits[3] }),
      fill(T.and_more, { n: limits[3] }),
    ];
  return (
    GRADES.map(
      (name, index) => `<span>${grade(name)} ${esc(T[`g_${name}`])} <small>${esc(text[index])}</small></span>`,
    ).join("") + `<small>${esc(T.points)}</small>`
  );
}
const turnItem = (turn) =>
  `<li><h3><span>${esc(fill(T.turn, { n: turn.turn }))}: ${esc(turn.words)}</span><small>${players.map((player, index) => `${esc(player.seat)} ${value(turn.after[index])}`).join(" · ")}</small></h3>${rollList(turn)}</li>`;

/* --- the page --- */
function draw() {
  const me = players[state.seat];
  const tabs = players.map(
    (player, index) =>
      `<button type="button" data-seat="${index}" aria-pressed="${index === state.seat}"><span class="dot" style="--c:${colour(index)}" aria-hidden="true">${player.seat}</span><span><b>${esc(player.name)}</b> <small>${player.rank}. · ${player.score}</small></span></button>`,
  );
  const legend = players.map(
    (player, index) =>
      `<span><svg width="30" height="8" aria-hidden="true"><path d="M1 4H29" fill="none" style="stroke:${colour(index)}" stroke-width="${index === state.seat ? 4 : 2.2}" stroke-dasharray="${index === state.seat ? "" : DASH[index]}"/></svg>${esc(player.name)}</span>`,
  );
  const good = me.grades.best + me.grades.fine;
  const about = [
    shown.edition,
    fill(T.seats, { n: players.length }),
    fill(T.turns, { n: turns.length }),
    players.map((player) => `${player.name} ${player.score}`).join(", "),
    ...(shown.over ? [] : [T.unfinished]),
  ].join(" · ");
  app.innerHTML = `<header><span class="logo">${WORM}${esc(T.review)}</span><span class="about">${esc(about)}</span><div class="tools">
    <button type="button" class="round" data-do="theme" aria-label="${esc(T.theme)}"><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" stroke-width="2.400"/><path d="M12 3a9 9 0 0 1 0 18z" fill="currentColor"/></svg></button>
    <button type="button" class="round" data-do="print" aria-label="${esc(T.print)}"><svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.400" stroke-linejoin="round"><path d="M7 9V3h10v6M7 17H4v-8h16v8h-3M7 14h10v7H7z"/></svg></button></div></header>
  <nav class="tabs" aria-label="${esc(T.about)}">${tabs.join("")}</nav>
  <main>
    <section class="hero-card card hero"><h1>${esc(me.headline)}</h1><p>${esc(me.verdict)}</p>
      <div class="figures" style="margin-top:12px"><div><b>${signed(me.balance.luck)}</b><small>${esc(T.by_dice)}</small><small>${esc(fill(T.usual, { n: size(me.spread) }))}</small></div><div><b>${signed(me.balance.errors)}</b><small>${esc(T.by_choices)}</small></div><div><b>${esc(fill(T.of, { n: good, all: me.choices }))}</b><small>${esc(T.good)}</small><small>${me.accuracy === null ? "" : esc(`${fill(T.accuracy, { n: me.accuracy })}${me.level ? `, ${me.level}` : ""}`)}</small></div></div></section>
    <section class="curve-card card" aria-labelledby="h-curve"><h2 id="h-curve">${esc(T.chart)}</h2><p class="legend">${legend.join("")}</p><div class="plot"></div>
      <div class="scrub"${turns.length ? "" : " hidden"}><input type="range" min="0" max="${Math.max(turns.length - 1, 0)}" value="${state.turn}" aria-label="${esc(T.pick)}"></div><p class="now" role="status"></p></section>
    ${me.turning.length ? `<section class="turning-card card" aria-labelledby="h-turning"><h2 id="h-turning">${esc(T.turning)}</h2><ol class="rows">${me.turning.map(turningItem).join("")}</ol></section>` : ""}
    <section class="left card" aria-labelledby="h-slips"><h2 id="h-slips">${esc(T.slips)} <small>${esc(fill(T.of, { n: me.slips.length, all: me.choices }))}</small></h2>${me.slips.length ? `<ol class="rows slips">${me.slips.map(slipItem).join("")}</ol>` : `<p>${esc(T.no_slips)}</p>`}</section>
    <section class="mid card" id="choice" tabindex="-1">${detail()}</section>
    <section class="right card" aria-labelledby="h-balance"><h2 id="h-balance">${esc(T.balance)}</h2><ul class="balances">${players.map(balance).join("")}</ul><p style="margin-top:10px"><small>${esc(T.estimate_is)}</small></p></section>
    <section class="all card"><details><summary>${esc(T.all_turns)}</summary><ol class="turnlist"></ol></details></section>
    <section class="key-card"><p class="key">${key()}</p></section>
  </main>`;
  app.querySelector("details").addEventListener("toggle", (event) => {
    const list = event.target.querySelector("ol");
    if (event.target.open && !list.children.length) list.innerHTML = turns.map(turnItem).join("");
  });
  plot();
}
function plot(width = 0) {
  const box = app.querySelector(".plot"),
    made = curve(width || Math.max(280, Math.round(box.clientWidth)));
  box.innerHTML = made.svg;
  app.querySelector(".now").innerHTML = nowText();
  const svg = box.firstElementChild;
  const pick = (event) => {
    const area = svg.getBoundingClientRect();
    setTurn(made.at(((event.clientX - area.left) / area.width) * svg.viewBox.baseVal.width));
  };
  svg.addEventListener("pointerdown", pick);
  svg.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") pick(event);
  });
}
function setTurn(turn) {
  if (turn === state.turn || !turns[turn]) return;
  state.turn = turn;
  app.querySelector(".scrub input").value = String(turn);
  plot();
}
function show(index, { move = false } = {}) {
  state.decision = index;
  const part = app.querySelector(".mid");
  part.innerHTML = detail();
  for (const button of app.querySelectorAll("[data-decision]"))
    button.setAttribute("aria-current", String(Number(button.dataset.decision) === index));
  if (decisions[index]) setTurn(decisions[index].turn - 1);
  const { top, bottom } = part.getBoundingClientRect();
  if (move && (top > innerHeight * 0.6 || bottom < 60)) part.scrollIntoView({ block: "start" });
  if (move && innerWidth < 900) part.focus();
}
function choose(seat) {
  state.seat = seat;
  state.decision = players[seat].slips[0] ?? decisions.findIndex((one) => one.seat === players[seat].seat);
  state.turn = players[seat].turning[0] ? players[seat].turning[0].turn - 1 : 0;
  draw();
}
app.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { seat, decision, turn, do: act } = button.dataset;
  if (seat !== undefined) {
    choose(Number(seat));
    app.querySelector(`[data-seat="${seat}"]`).focus();
  }
  if (decision !== undefined) show(Number(decision), { move: true });
  if (turn !== undefined) setTurn(Number(turn));
  if (act === "theme") theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  if (act === "print") print();
});
app.addEventListener("input", (event) => {
  if (event.target.type === "range") setTurn(Number(event.target.value));
});
document.addEventListener("keydown", (event) => {
  // n and p: next and previous slip
  const { slips } = players[state.seat],
    step = { n: 1, p: -1 }[event.key];
  if (!step || !slips.length || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = slips.indexOf(state.decision);
  show(slips[(at + step + slips.length) % slips.length], { move: true });
});
const theme = (name) => {
  document.documentElement.dataset.theme = name;
};
theme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
let resized = 0;
addEventListener("resize", () => {
  cancelAnimationFrame(resized);
  resized = requestAnimationFrame(() => plot());
});
addEventListener("beforeprint", () => plot(700));
addEventListener("afterprint", () => plot());
choose(firstSeat);
