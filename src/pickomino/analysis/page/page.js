// The review as a page of its own, drawn from the figures and sentences that Python made; nothing is worked out here. What it
// shares with the page of the server, `ReviewParts`, stands above it.
const { shown, seat: firstSeat, texts } = JSON.parse(document.getElementById("data").textContent);
for (const name of ["turns", "rolls", "moves", "decisions"]) {
  const { keys, texts: said, rows } = shown[name];
  const value = (found, at) => (said[at] && found !== null ? said[at][found] : found);
  shown[name] = rows.map((row) =>
    Object.fromEntries(row.map((found, at) => [keys[at], value(found, at)]).filter(([, found]) => found !== null)),
  );
}
for (const one of shown.decisions) {
  one.moves = shown.moves.splice(0, one.moves);
  one.view = { kept: one.kept, rolled: one.rolled }; // what the server's page is given of the table
}
const { players, turns, decisions } = shown;
const app = document.getElementById("app");
const state = { seat: firstSeat, turn: 0, decision: -1 };

const WORM = `<svg viewBox="0 0 34 24" aria-hidden="true"><path d="M3 18c3 3 7 3 9-1s5-5 7-1 6 4 7-1" fill="none" stroke="#85291c"
    stroke-width="8" stroke-linecap="round"/><path d="M3 18c3 3 7 3 9-1s5-5 7-1 6 4 7-1" fill="none" stroke="#e2654b"
    stroke-width="5.500" stroke-linecap="round"/><circle cx="27" cy="9" r="6" fill="#e2654b" stroke="#85291c"
    stroke-width="1.500"/><circle cx="29" cy="8" r="2.200" fill="#fff"/><circle cx="29.500" cy="8" r="1.100"
    fill="#33271c"/></svg>`;

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
function die(face, gold, dim) {
  const marks =
    face === "W"
      ? '<path d="M5.500 15c2 3 4 2 5.500-1s3.500-4 5-1 2 1 2.500 0"/><circle class="head" cx="18" cy="8.500" r="2"/>'
      : PIPS[face].map(([x, y]) => `<circle cx="${x}" cy="${y}" r="2.200"/>`).join("");
  return `<svg class="die${gold ? " gold" : ""}${dim ? " dim" : ""}" viewBox="0 0 24 24" aria-hidden="true"><rect x="1"
    y="1" width="22" height="22" rx="6"/>${marks}</svg>`;
}
function diceRow(text, kept = null) {
  const [white, gold] = text.split("+");
  const one = (face, isGold) => die(face, isGold, kept !== null && face !== kept);
  return `<span class="group" role="img"
    aria-label="${esc(text)}">${[...white].map((face) => one(face, false)).join("")}${gold ? one(gold, true) : ""}</span>`;
}
const parts = new ReviewParts(shown, texts, diceRow);
const T = (name) => esc(parts.word(name));
const tile = (number, kind = "", guest = "") =>
  `<span class="tile ${kind}">${number}${kind ? "" : `<i aria-hidden="true">${"•".repeat(shown.tiles[number])}</i>`}${
    guest ? figure(guest) : ""
  }</span>`;
const figure = (name) => `<span role="img" aria-label="${T(name)}" title="${T(name)}">${specialist(name)}</span>`;

function table(turn) {
  const { specialists } = turn;
  const all = [...new Set([...turn.grill, ...turn.flipped, ...turn.stacks.flat()])].sort((a, b) => a - b);
  const seats = players.map((player, index) => {
    const stack = turn.stacks[index];
    const held = (specialists ? specialists.held[index] : []).map(figure).join("");
    const owned = turn.round_worms?.[index]
      ? `${turn.scores[index]} • ○ ${turn.round_worms[index]}`
      : turn.scores[index];
    const top = stack.length ? tile(stack.at(-1)) : "<span></span>";
    const acts = player.seat === turn.seat ? "acts" : "";
    return `<li class="${acts}"><b>${esc(player.name)}</b>${top}<small>${esc(String(owned))}${held}</small></li>`;
  });
  const grill = all.map((number) =>
    turn.grill.includes(number)
      ? tile(number, "", specialists?.standing[number] ?? "")
      : tile(number, turn.flipped.includes(number) ? "flipped" : "gone"),
  );
  const named = turn.grill.map((number) => {
    const guest = specialists?.standing[number];
    return guest ? `${number} (${T(guest)})` : number;
  });
  return `<ul class="seats">${seats.join("")}</ul><div class="grill${all.length > 16 ? " many" : ""}" role="img"
    aria-label="${T("grill")}: ${named.join(", ")}">${grill.join("")}</div>`;
}

function detail() {
  const decision = decisions[state.decision];
  if (!decision) return `<p>${T("no_slips")}</p>`;
  const turn = turns[decision.turn - 1],
    player = players[parts.seatOf(decision.seat)];
  const title = decision.title ?? decision.moves.find((move) => move.move === decision.played).words;
  const cost = decision.cost
    ? `<span class="costs">${esc(put(parts.word("costs"), { n: parts.size(decision.cost) }))}</span>`
    : "";
  const kept = decision.kept ? diceRow(decision.kept) : `<small>${T("nothing")}</small>`;
  const rolled = decision.rolled
    ? `<span class="group"><small>${T("rolled")}</small>${diceRow(decision.rolled)}</span>`
    : "";
  const said = (kind, text) => (text ? `<p class="${kind}">${esc(text)}</p>` : "");
  const total = decision.total ? `<span class="group sum"><small>${T("total")}</small>${decision.total}</span>` : "";
  return `<div class="detail-head">${parts.grade(decision.grade)}<h2
    >${esc(put(parts.word("turn"), { n: decision.turn }))}: ${esc(title)}</h2
    ><small>${esc(player.name)}</small>${cost}</div>
    <div class="look"><div>${table(turn)}<div class="tray"><span class="group"><small>${T("kept")}</small>${kept}</span>${rolled}${total}</div></div>
    <div>${parts.options(decision)}${said("said", decision.sentence)}${said("then", decision.afterword)}</div></div>
    <h3 class="by-roll">${T("roll_by_roll")}</h3>${parts.rollList(decision.turn, state.decision)}`;
}

/* --- the page --- */
function draw() {
  const me = players[state.seat],
    turning = parts.turningList(state.seat);
  const tabs = players.map(
    (player, index) =>
      `<button type="button" data-seat="${index}" aria-pressed="${index === state.seat}"><span class="dot s${index}"
        aria-hidden="true">${player.seat}</span><span><b>${esc(player.name)}</b> <small>${player.rank}. · ${player.score}</small></span></button>`,
  );
  const about = [
    shown.edition,
    put(parts.word("seats"), { n: players.length }),
    turns.length === 1 ? parts.word("one_turn") : put(parts.word("turns"), { n: turns.length }),
    players.map((player) => `${player.name} ${player.score}`).join(", "),
    ...(shown.over ? [] : [parts.word("unfinished")]),
  ].join(" · ");
  app.innerHTML = `<header><span class="logo">${WORM}${T("review")}</span><span class="about">${esc(about)}</span><div class="tools">
    <button type="button" class="round" data-do="theme" aria-label="${T("theme")}"><svg viewBox="0 0 24 24"
      aria-hidden="true"><circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" stroke-width="2.400"/><path
      d="M12 3a9 9 0 0 1 0 18z" fill="currentColor"/></svg></button>
    <button type="button" class="round" data-do="print" aria-label="${T("print")}"><svg viewBox="0 0 24 24"
      aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.400" stroke-linejoin="round"><path
      d="M7 9V3h10v6M7 17H4v-8h16v8h-3M7 14h10v7H7z"/></svg></button></div></header>
  <nav class="tabs" aria-label="${T("about")}">${tabs.join("")}</nav>
  <main class="${players.length > 3 ? "many-seats" : ""}">
    <section class="headline card"><h1>${esc(me.headline)}</h1><p>${esc(me.verdict)}</p>${parts.figures(state.seat)}</section>
    <section class="curve-card card"
      aria-labelledby="h-curve"><h2 id="h-curve">${T("chart")}</h2><p class="legend">${parts.legend(state.seat)}</p><div class="plot"></div>
      <div class="scrub"${turns.length ? "" : " hidden"}><input type="range" min="0"
        max="${Math.max(turns.length - 1, 0)}" value="${state.turn}" aria-label="${T("pick")}"></div><p class="now"
        role="status"></p></section>
    ${
      turning
        ? `<section class="turning-card card"
      aria-labelledby="h-turning"><h2 id="h-turning">${T("turning")}</h2>${turning}</section>`
        : ""
    }
    <section class="left card"
      aria-labelledby="h-slips"><h2 id="h-slips">${T("slips")} <small
      >${esc(put(parts.word("of"), { n: me.slips.length, all: me.choices }))}</small></h2
      >${parts.slipList(state.seat, state.decision)}</section>
    <section class="mid card" id="choice" tabindex="-1">${detail()}</section>
    <section class="right card" aria-labelledby="h-balance"><h2 id="h-balance">${T("balance")}</h2>${parts.balances()}</section>
    <section class="all card"><details><summary>${T("all_turns")}</summary><ol class="turnlist"></ol></details></section>
    <section class="key-card">${parts.key()}</section>
  </main>`;
  app.querySelector("details").addEventListener("toggle", (event) => {
    const list = event.target.querySelector("ol");
    if (event.target.open && !list.children.length) list.innerHTML = parts.turnList(state.decision);
  });
  plot();
}
function plot(width = 0) {
  const box = app.querySelector(".plot"),
    made = parts.curve(state.seat, state.turn, width || Math.max(280, Math.round(box.clientWidth)));
  box.innerHTML = made.svg;
  app.querySelector(".now").innerHTML = parts.turnText(state.turn);
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
