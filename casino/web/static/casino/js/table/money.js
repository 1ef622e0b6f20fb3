/** Money on the glass: minor units in, digits out. Decimals stand only where they are not zero. */

/** @param {number} amount @param {number} exponent */
export function formatMinor(amount, exponent) {
  const unit = 10 ** exponent;
  const size = Math.abs(amount);
  const whole = String(Math.floor(size / unit)).replace(/\B(?=(\d{3})+$)/g, ",");
  const part = size % unit;
  const decimals = part ? `.${String(part).padStart(exponent, "0")}` : "";
  return `${amount < 0 ? "\u2212" : ""}${whole}${decimals}`;
}

/** With its sign, as a movement is written. @param {number} amount @param {number} exponent */
export function formatSigned(amount, exponent) {
  return `${amount > 0 ? "+" : ""}${formatMinor(amount, exponent)}`;
}

/** A price as people say it: [95, 100] is 0.95 to 1. @param {[number, number]} odds */
export function oddsNumber([numerator, denominator]) {
  return String(Number((numerator / denominator).toFixed(4)));
}

/** Which of the sizes an amount gets, so that it fits its place. @param {string} text */
export function sizeFor(text) {
  if (text.length <= 6) return "5";
  return text.length <= 9 ? "4" : "3";
}
