/**
 * The line of calls to the server: one at a time, in order. A call that got no answer stays at the head,
 * exactly as it was, until it is sent again; nothing keyed is lost and nothing is sent twice as something
 * else. A refused call leaves the line; who pushed it decides what becomes of what was keyed.
 *
 * @typedef {object} Intent
 * @property {string} label                                  What is being saved, in words.
 * @property {() => {method: string, url: string, body?: object, once?: string}|null} freeze
 *           Makes the call once, when it is first sent; null when there is nothing left to save.
 * @property {(answer: any) => void} saved
 * @property {(problem: any) => void} refused
 * @property {object} [call]                                 The frozen call.
 *
 * @typedef {"idle"|"sending"|"held"} Status
 */

import { send } from "./api.js";

export class Sender {
  /** @param {() => void} changed  Called whenever the status changed. */
  constructor(changed) {
    this.changed = changed;
    /** @type {Intent[]} */
    this.line = [];
    /** @type {Status} */
    this.status = "idle";
  }

  /** What is under way or held, in words. */
  get label() {
    return this.line[0]?.label ?? "";
  }

  /** How many calls wait behind the first. */
  get behind() {
    return Math.max(0, this.line.length - 1);
  }

  /** @param {Intent} intent */
  push(intent) {
    this.line.push(intent);
    if (this.status === "idle") void this.#run();
    else this.changed();
  }

  /** Send the held call again, as it was. */
  again() {
    if (this.status === "held") void this.#run();
  }

  async #run() {
    while (this.line.length > 0) {
      const intent = this.line[0];
      intent.call ??= intent.freeze() ?? undefined;
      if (intent.call === undefined) {
        this.line.shift();
        continue;
      }
      this.status = "sending";
      this.changed();
      const answer = await send(/** @type {any} */ (intent.call));
      if (answer.kind === "lost") {
        this.status = "held";
        this.changed();
        return;
      }
      this.line.shift();
      // What was keyed behind a refused call was keyed in the belief that it holds: it goes too, and is named.
      const dropped = answer.kind === "refused" ? this.line.splice(0).map((behind) => behind.label) : [];
      this.status = "idle";
      if (answer.kind === "saved") intent.saved(answer);
      else intent.refused({ ...answer.problem, dropped });
    }
    this.status = "idle";
    this.changed();
  }
}
