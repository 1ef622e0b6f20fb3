/** The keyboard: the same keys as on the pad, so that a round can be keyed without touching the glass. */

/**
 * @param {any} actions
 * @param {() => {screen: string, entering: boolean}} where  What is on the pad now.
 */
export function listen(actions, where) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") {
      if (event.repeat) event.preventDefault();
      if (event.repeat || (event.target instanceof HTMLButtonElement && !where().entering)) return;
      event.preventDefault();
      if (!press('.receipt [data-key="again"]')) press("[data-primary]:not(:disabled)");
      return;
    }
    if (act(event.key.toUpperCase(), actions, where())) event.preventDefault();
  });
}

/** @param {string} key @param {any} actions @param {{screen: string, entering: boolean}} at */
function act(key, actions, at) {
  if (at.screen === "cards") return cardKey(key, actions);
  if (at.screen === "betting") return wagerKey(key, actions);
  if (at.screen === "ask") return askKey(key, actions);
  if (at.screen === "between" && /^[1-9]$/.test(key)) return done(actions.pickBank(Number(key)));
  if (at.entering && /^[0-9]$/.test(key)) return done(actions.keyDigit(key));
  if (at.entering && key === "BACKSPACE") return done(actions.keyDigit("back"));
  return false;
}

function cardKey(key, actions) {
  const rank = key === "0" ? "T" : key;
  if (/^[A23456789TJQK]$/.test(rank)) return done(actions.keyRank(rank));
  if (/^[SHDC]$/.test(key)) return done(actions.keySuit(key));
  if (key === "?") return done(actions.keyUnknown());
  if (key === "BACKSPACE") return done(actions.undo());
  return false;
}

function wagerKey(key, actions) {
  const kinds = { M: "main", P: "pair", J: "jacks", T: "tie" };
  if (/^[1-9]$/.test(key)) return done(actions.pickSeat(Number(key)));
  if (/^[QWER]$/.test(key)) return done(actions.addNthChip("QWER".indexOf(key)));
  if (key in kinds) return done(actions.pickKind(kinds[/** @type {keyof typeof kinds} */ (key)]));
  if (key === "BACKSPACE") return done(actions.clearSeat());
  if (key === "=") return done(actions.sameAgain());
  return false;
}

function askKey(key, actions) {
  const choices = { D: "hit", S: "stand", N: "no_decision" };
  if (key in choices) return done(actions.decide(choices[/** @type {keyof typeof choices} */ (key)]));
  if (key === "BACKSPACE") return done(actions.undo());
  return false;
}

/** @param {unknown} _nothing */
function done(_nothing) {
  return true;
}

/** @param {string} selector */
function press(selector) {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLButtonElement)) return false;
  found.click();
  return true;
}
