// Whoever is to act is not there: how long until a bot plays for them.

/** @typedef {import("./messages").TableInfo} TableInfo */

export class Away {
  /** @param {() => void} tick every second while somebody is waited for */
  constructor(tick) {
    this.seat = "";
    this.until = 0;
    this.timer = window.setInterval(() => this.until && tick(), 1000);
  }

  /** The server says how long it still is. @param {TableInfo} table */
  table(table) {
    const absent = table.seats.find((seat) => seat.bot_in_ms !== null);
    this.set(absent?.seat ?? "", absent?.bot_in_ms ?? 0);
  }

  /** With every new state the time begins again. @param {import("./messages").State} state @param {TableInfo} table */
  state(state, table) {
    if (!state.entries.length) return; // nothing new: what the table said holds
    const seat = table.seats.find((item) => item.seat === state.seat);
    const absent = seat?.kind === "person" && !seat.connected && !seat.stand_in && !seat.resigned;
    this.set(absent ? seat.seat : "", (table.away ?? 0) * 1000);
  }

  /** @param {string} seat @param {number} ms */
  set(seat, ms) {
    this.seat = seat;
    this.until = seat && ms ? performance.now() + ms : 0;
  }

  /** Seconds until a bot plays for a seat; null where nobody is waited for. @param {string} seat */
  left(seat) {
    return this.until && this.seat === seat ? Math.max(0, Math.ceil((this.until - performance.now()) / 1000)) : null;
  }

  close() {
    clearInterval(this.timer);
  }
}
