/** The dealer's page: reads the table, draws its regions, saves what is keyed. */

import { actionsFor, saveCards } from "./actions.js";
import { send } from "./api.js";
import { readTable } from "./calls.js";
import { region } from "./dom.js";
import { drawFelt, drawSteps, feltModel, stepsModel } from "./felt.js";
import { listen } from "./keys.js";
import { recall, recallPresence, remember, rememberPresence } from "./memory.js";
import { drawPad, padModel } from "./pad.js";
import { faultsText } from "./refusals.js";
import { Sender } from "./sender.js";
import { OVER, STAGES, freshLocal, puntersOf, screenOf } from "./state.js";
import { drawStrip } from "./strip.js";
import { callBank, readWords, say } from "./words.js";

const ASK_EVERY_MS = 4000;
const FRESH_MS = 500;
const AWAY_MS = 30_000; // as long as a round on paper takes at the least
const NOTHING_YET = { table: { code: "", game: "", name: "" }, session: null, shoe: null, ruleset: null, limits: {}, round: null, dealer: null, currency: { code: "", exponent: 2 } };

readWords(document);
const glass = /** @type {HTMLElement} */ (document.getElementById("glass"));
const code = glass.dataset.table ?? "";

/** Where the dealer counts the tray: the opener or the closer. */
function countUrl() {
  const state = store.view.session?.state;
  return (state === "opening" ? glass.dataset.countOpener : state === "closing" ? glass.dataset.countCloser : "") ?? "";
}

/** What the strip says beside the line of calls. @type {any} */
const strip = { label: "", receipt: null, refused: null, away: false };
const presence = recallPresence(code);
/** When the server last answered, by this tablet's clock; also before this page was loaded. */
let answeredAt = presence?.at ?? Date.now();
/** @type {any} */
const store = {
  code, view: NOTHING_YET, local: freshLocal(), stages: STAGES, read: false, fresh: false, taken: 0, returned: presence?.asks ?? false,
  sender: new Sender(() => draw()),
  draw: () => draw(),
  take, receipt, refuse, ask,
};
const actions = {
  ...actionsFor(store),
  again: () => store.sender.again(),
  dismiss: () => { strip.refused = null; draw(); },
  signOn: () => { window.location.href = `${glass.dataset.signOn}?next=${encodeURIComponent(window.location.pathname)}`; },
};

const drawers = {
  felt: region(find("felt"), (/** @type {any} */ model) => drawFelt(model, actions)),
  pad: region(find("pad"), (/** @type {any} */ model) => drawPad(model, { ...actions, countUrl: countUrl(), paperUrl: glass.dataset.paper ?? "" })),
  strip: region(find("strip"), (/** @type {any} */ model) => drawStrip(model, actions)),
  steps: region(find("steps"), drawSteps),
  shoe: region(find("shoe"), shoeText),
};

/** @param {string} id */
function find(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** Take a new view; what was on the glass for another round is gone. @param {any} view */
function take(view) {
  const other = view.round?.key !== store.view.round?.key;
  if (other) {
    const seats = store.view.round?.seats ?? [];
    const before = Object.fromEntries(seats.map((/** @type {any} */ seat) => [seat.seat, seat.wagers]));
    store.previous = Object.keys(before).length > 0 ? before : store.previous;
    store.local = freshLocal();
    const kept = recall(code, view);
    if (kept) Object.assign(store.local, kept);
    if (view.round?.stage === "betting") store.local.seat = puntersOf(view)[0]?.seat ?? null;
  }
  callBank(view.round?.bank_seat ?? null);
  store.stages = view.stages ?? STAGES;
  store.view = { ...view, previous_wagers: view.previous_wagers ?? store.previous ?? {} };
  store.read = true;
  store.taken += 1;
  if (strip.receipt === null && view.last_receipt) strip.receipt = view.last_receipt;
  if (other && store.local.keyed.length > 0) saveCards(store);
  draw();
}

/** @param {string} label @param {any} given */
function receipt(label, given) {
  comeBack();
  Object.assign(strip, { label, receipt: given, refused: null, away: false, saved: true });
}

/** @param {string} label @param {any} problem */
function refuse(label, problem) {
  const expected = faultsText(problem.faults ?? [], store.view.currency.exponent ?? 0);
  strip.refused = {
    label: [...new Set([label, ...problem.dropped ?? []])].join(", "), code: problem.faults?.[0]?.code ?? problem.code ?? String(problem.status),
    detail: expected || problem.detail || say("strip_refused_how"), signOn: problem.status === 401,
  };
  draw();
  void ask();
}

function stripModel() {
  const { sender } = store;
  const base = { detail: "", code: "", receipt: strip.receipt, behind: sender.behind, away: strip.away, signOn: false, stuck: sender.status === "held" };
  if (store.local.question) return { ...base, state: "held", label: say("waits_for_answer") };
  if (sender.status === "held") return { ...base, state: "held", label: sender.label };
  if (strip.refused) return { ...base, state: "refused", ...strip.refused };
  if (sender.status === "sending") return { ...base, state: "sending", label: sender.label };
  if (strip.saved && !strip.away) return { ...base, state: "saved", label: strip.label };
  return { ...base, state: "quiet", label: say("strip_quiet_how") };
}

/** @param {{number: number|null, out: number|null, loaded: number|null, cut: boolean, pack: boolean}} shoe */
function shoeText({ number, out, loaded, cut, pack }) {
  if (number === null) return [say("no_shoe")];
  return [say(pack ? "pack" : "shoe", { number }), " \u00b7 ", say("cards_out", { out: out ?? 0, loaded: loaded ?? 0 }), cut ? ` \u00b7 ${say("cut_card")}` : ""];
}

function draw() {
  const { view, local, sender } = store;
  const shown = stripModel();
  find("strip").dataset.state = shown.state;
  drawers.strip(shown);
  drawers.steps(stepsModel(view, store.stages));
  drawers.shoe({ number: view.shoe?.number ?? null, out: view.shoe?.cards_out ?? null, loaded: view.shoe?.cards_loaded ?? null, cut: view.shoe?.cut_card_out ?? false, pack: view.shoe?.pack ?? false });
  if (store.read) {
    drawers.felt(feltModel(view, local));
    watchScreen(screenOf(view, local));
    drawers.pad(padModel(view, local, sender.status, { fresh: store.fresh, returned: store.returned }));
  }
  const between = view.round === null || OVER.includes(view.round.stage);
  find("leave").hidden = !between || sender.status !== "idle";
  remember(code, view, local);
  if (store.read) rememberPresence(code, view, { at: answeredAt, asks: store.returned });
}

/**
 * A screen that has just come takes no second tap: the round that was paid is looked at before the next opens.
 *
 * @param {string} screen
 */
function watchScreen(screen) {
  if (glass.dataset.screen === screen) return;
  glass.dataset.screen = screen;
  store.fresh = true;
  window.setTimeout(() => { store.fresh = false; draw(); }, FRESH_MS);
}

/** Ask the server how the table stands; never while something is keyed or under way. */
async function ask() {
  const { sender, local } = store;
  if (sender.status !== "idle" || local.keyed.length > 0 || document.hidden) return;
  const { taken } = store;
  const answer = await send(readTable(code));
  // An answer that was overtaken by a save is older than what the glass already knows.
  if (store.taken !== taken || sender.status !== "idle" || store.local.keyed.length > 0) return;
  if (answer.kind === "saved") {
    strip.away = false;
    comeBack();
    take(answer.view);
  } else if (answer.kind === "lost") {
    strip.away = true;
    draw();
  } else if (strip.refused === null) {
    const { problem } = answer;
    strip.refused = { label: say("reading"), code: problem.code ?? "", detail: problem.detail ?? "", signOn: problem.status === 401 };
    draw();
  }
}

/** A tablet that was away for long asks how many rounds were dealt on paper, once a round is over. */
function comeBack() {
  if (Date.now() - answeredAt > AWAY_MS) store.returned = true;
  answeredAt = Date.now();
}

/** Turn a choice of this tablet over and keep it. @param {string} name @param {string[]} between */
function turnOver(name, [one, other]) {
  const { dataset } = document.documentElement;
  dataset[name] = dataset[name] === one ? other : one;
  document.cookie = `${name}=${dataset[name]}; path=/; max-age=34560000; samesite=lax`;
}

listen(actions, () => ({ screen: screenOf(store.view, store.local), entering: store.local.entry !== null || store.local.paper }));
find("hand").addEventListener("click", () => turnOver("hand", ["left", "right"]));
find("suits").addEventListener("click", () => {
  turnOver("suits", ["four", "two"]);
  find("suits").setAttribute("aria-pressed", String(document.documentElement.dataset.suits === "four"));
});
window.addEventListener("online", () => store.sender.again());
document.addEventListener("visibilitychange", () => void ask());
window.setInterval(() => void ask(), ASK_EVERY_MS);
void ask();
