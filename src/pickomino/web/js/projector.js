// Shows what arrives, state after state and frame after frame, each in its time. What is shown is always one frame.
import { hurry } from "./motion.js";

/** @typedef {import("./messages").State} State */

const PILED = 80; // states waiting: nobody wants to watch all that

export class Projector {
  /**
   * @param {object} screen
   * @param {(state: State) => Promise<void>} screen.begin another game, or the first state of this one
   * @param {(event: import("./messages").EventInfo, view: import("./messages").View) => Promise<void>} screen.frame
   * @param {(state: State) => void} screen.after what else the state tells
   * @param {(state: State) => void} screen.settled everything that has arrived has been shown
   */
  constructor(screen) {
    this.screen = screen;
    /** @type {State[]} */
    this.queue = [];
    /** The state whose frames have all been shown. @type {State|null} */
    this.state = null;
    this.busy = false;
    this.closed = false;
  }

  /** @param {State} state */
  push(state) {
    this.queue.push(state);
    if (!this.busy) void this.run();
  }

  async run() {
    this.busy = true;
    try {
      for (let state = this.queue.shift(); state && !this.closed; state = this.queue.shift()) {
        if (this.queue.length > PILED) hurry(true);
        if (this.state?.game !== state.game) await this.screen.begin(state);
        else
          for (const { event, view } of state.frames)
            if (!this.closed) await this.screen.frame(event, view ?? state.view);
        this.state = state;
        if (!this.closed) this.screen.after(state);
      }
    } finally {
      this.busy = false;
      hurry(false);
    }
    if (this.state && !this.closed) this.screen.settled(this.state);
  }

  close() {
    this.closed = true;
    this.queue = [];
    hurry(true);
    hurry(false);
  }
}
