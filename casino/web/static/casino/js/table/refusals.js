/**
 * What was expected, in words for the dealer: amounts as the glass writes them. The engine counts in minor
 * units and says so to clients; a fault that is not about money says it in its own words.
 */

import { formatMinor } from "./money.js";
import { handName, say } from "./words.js";

const OF_MONEY = new Set(["above_max", "below_min", "off_step", "over_aggregate", "over_cover", "over_table"].map((word) => `wager.${word}`));

/**
 * All faults of a refused call as one sentence; empty when it names none.
 *
 * @param {any[]} faults @param {number} exponent
 */
export function faultsText(faults, exponent) {
  return faults.map((fault) => faultText(fault, exponent)).filter(Boolean).join("; ");
}

/** @param {any} fault @param {number} exponent */
function faultText(fault, exponent) {
  if (!OF_MONEY.has(fault.code)) return (fault.detail ?? "").replace(/\.$/, "");
  const amounts = Object.entries(fault).filter(([, value]) => Number.isInteger(value));
  const text = say(`fault_${fault.code.split(".")[1]}`, Object.fromEntries(amounts.map(([name, value]) => [name, formatMinor(value, exponent)])));
  if (typeof fault.wager !== "string") return text;
  const wager = say(`wager_${fault.wager}`);
  return Number.isInteger(fault.seat) ? say("fault_of_wager", { seat: handName(fault.seat), wager, text }) : say("fault_of_kind", { wager, text });
}
