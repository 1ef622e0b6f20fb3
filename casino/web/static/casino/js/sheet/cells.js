/** What a cell may hold: read as it is typed, by the same spelling that the server takes. Pure. */

const FACE = /^([A23456789TJQK])([SHDC])?$/;
const STAKE = /^(\d{1,3}(,\d{3})+|\d{1,12})(\.\d{1,4})?$/;
const CLOCK = /^(\d{1,2})[:. ]?(\d\d)$/;

/**
 * A card as it is stored: large letters, a ten as T.
 * @param {string} text
 */
export function faceOf(text) {
  return text.trim().toUpperCase().replace("10", "T");
}

/** Whether a card is whole, so that the next cell may be typed. @param {string} text */
export function isWholeFace(text) {
  const match = FACE.exec(faceOf(text));
  return faceOf(text) === "?" || (match !== null && match[2] !== undefined);
}

/** A time as it is shown: 1405 becomes 14:05, anything else stays. @param {string} text */
export function clockOf(text) {
  const match = CLOCK.exec(text.trim());
  if (match === null || Number(match[1]) > 23 || Number(match[2]) > 59) return text;
  return `${match[1].padStart(2, "0")}:${match[2]}`;
}

/**
 * Whether a cell's content can stand; an empty one always can.
 * @param {string} kind  stake, card, time or text
 * @param {string} text
 */
export function canStand(kind, text) {
  if (text.trim() === "") return true;
  if (kind === "card") return faceOf(text) === "?" || FACE.test(faceOf(text));
  if (kind === "stake") return STAKE.test(text.trim());
  if (kind === "time") return clockOf(text).includes(":");
  return true;
}
