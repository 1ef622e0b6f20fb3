/**
 * What was keyed and has no receipt outlives a reload of the page, for this round on this glass only.
 * It is no second store: whatever comes back is sent to the server as if it had just been keyed.
 * When the server last answered outlives the tablet's being switched off, too: a tablet that was dead asks what
 * was dealt on paper meanwhile.
 */

/** @param {string} code */
function keyFor(code) {
  return `keyed/${code}`;
}

/** @param {string} code @param {import("./state.js").View} view @param {import("./state.js").Local} local */
export function remember(code, view, local) {
  const { drafts, keyed, handed } = local;
  const nothing = keyed.length === 0 && Object.keys(drafts).length === 0 && Object.keys(handed).length === 0;
  try {
    if (nothing || view.round === null) sessionStorage.removeItem(keyFor(code));
    else sessionStorage.setItem(keyFor(code), JSON.stringify({ round: view.round.key, stage: view.round.stage, drafts, keyed, handed }));
  } catch {
    // A full or forbidden storage loses the help after a reload, nothing else.
  }
}

/**
 * @param {string} code @param {import("./state.js").View} view
 * @returns {Pick<import("./state.js").Local, "drafts"|"keyed"|"handed">|null}
 */
export function recall(code, view) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyFor(code)) ?? "null");
    if (kept === null || kept.round !== view.round?.key) return null;
    // Amounts belong to the part that was being settled.
    const handed = kept.stage === view.round.stage ? kept.handed ?? {} : {};
    return { drafts: kept.drafts, handed, keyed: kept.keyed.map((/** @type {any} */ card) => ({ ...card, sent: false })) };
  } catch {
    return null;
  }
}

/**
 * Keep when the server last answered, and whether nobody has said yet what was dealt on paper. Where no shoe is ready
 * nothing is dealt: who counts the tray or prepares the shoe is not away.
 *
 * @param {string} code @param {import("./state.js").View} view @param {{at: number, asks: boolean}} presence
 */
export function rememberPresence(code, view, presence) {
  try {
    if (view.session?.state === "open" && view.shoe?.state === "ready") localStorage.setItem(`answered/${code}`, JSON.stringify(presence));
    else localStorage.removeItem(`answered/${code}`);
  } catch {
    // A full or forbidden storage loses the question after a reload; its key stands there all the same.
  }
}

/** @param {string} code @returns {{at: number, asks: boolean}|null} */
export function recallPresence(code) {
  try {
    const kept = JSON.parse(localStorage.getItem(`answered/${code}`) ?? "null");
    return Number.isFinite(kept?.at) ? { at: kept.at, asks: kept.asks === true } : null;
  } catch {
    return null;
  }
}
