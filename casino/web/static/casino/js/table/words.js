/** The words of this page; they are written and translated in its template, not here. */

/** @type {Map<string, string>} */
const words = new Map();

/** Read the words from the page's <template id="words">. @param {Document} page */
export function readWords(page) {
  const holder = /** @type {HTMLTemplateElement} */ (page.getElementById("words"));
  for (const node of holder.content.querySelectorAll("[data-word]")) {
    words.set(node.getAttribute("data-word") ?? "", (node.textContent ?? "").trim());
  }
}

/**
 * A word or sentence with its values filled in.
 *
 * @param {string} name @param {Object<string, string|number>} [values]
 */
export function say(name, values = {}) {
  const text = words.get(name);
  if (text === undefined) throw new Error(`The page has no word "${name}".`);
  return text.replace(/\{(\w+)\}/g, (_all, key) => String(values[key] ?? ""));
}

/** @type {number|null} */
let bankSeat = null;

/** Who hand 0 is: the House, or the seat that holds the bank. @param {number|null} seat */
export function callBank(seat) {
  bankSeat = seat;
}

/** @param {number|null} hand  null is a card that went into no hand. */
export function handName(hand) {
  if (hand === null) return say("no_hand");
  if (hand > 0) return say("seat", { seat: hand });
  return bankSeat === null ? say("house") : say("bank_at_seat", { seat: bankSeat });
}

/** "Seat 3, second card". @param {number} hand @param {number} lap */
export function placeName(hand, lap) {
  return say("place", { hand: handName(hand), nth: say(`nth_${lap}`) });
}

/** A face in words: KS is king of spades. @param {string|null} face */
export function faceName(face) {
  if (face === null || face === "") return say("no_card");
  if (face === "?") return say("face_not_known");
  const rank = say(`rank_${face[0]}`);
  return face.length === 1 ? rank : say("rank_of_suit", { rank, suit: say(`suit_${face[1]}`) });
}
