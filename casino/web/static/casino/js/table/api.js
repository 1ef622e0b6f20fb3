/**
 * Calls to the API: a receipt, a refusal that says why, or no answer at all. These three are kept apart:
 * only a receipt means saved, and only "no answer" may be sent again as it is.
 *
 * @typedef {object} Fault
 * @property {string} code
 * @property {string} [where]
 * @property {string} [detail]
 * @property {object} [data]
 *
 * @typedef {object} Problem
 * @property {string} code @property {string} detail @property {number} status @property {Fault[]} [faults]
 *
 * @typedef {{kind: "saved", view: object, receipt: object|null}
 *          |{kind: "refused", problem: Problem}
 *          |{kind: "lost", status: number}} Answer
 */

const PATIENCE_MS = 8000;
const BUSY = new Set(["log.busy"]);

/** @param {string} name */
function cookie(name) {
  const pair = document.cookie.split("; ").find((item) => item.startsWith(`${name}=`));
  return pair ? decodeURIComponent(pair.slice(name.length + 1)) : "";
}

/**
 * Send one call. The same call may be sent again: its natural key and revision, or its idempotency key,
 * make it one effect.
 *
 * A call in the background does not count as a sign that somebody is there.
 *
 * @param {{method: string, url: string, body?: object, once?: string, background?: boolean}} call
 * @returns {Promise<Answer>}
 */
export async function send({ method, url, body, once, background = false }) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET") headers["X-CSRFToken"] = cookie(document.documentElement.dataset.csrfCookie ?? "csrftoken");
  if (once !== undefined) headers["Idempotency-Key"] = once;
  if (background) headers["X-Background"] = "1";
  try {
    const response = await fetch(url, {
      method, headers, credentials: "same-origin", cache: "no-store",
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    const data = text === "" ? {} : JSON.parse(text);
    if (response.ok) {
      return { kind: "saved", view: data.view ?? data, receipt: data.receipt ?? null };
    }
    if (response.status >= 500 || response.status === 429 || BUSY.has(data.code)) {
      return { kind: "lost", status: response.status };
    }
    return { kind: "refused", problem: { faults: [], ...data, status: response.status } };
  } catch {
    return { kind: "lost", status: 0 };
  }
}

/** A key for a call that has no natural one; kept with the call when it is sent again. */
export function onceKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
