/**
 * A swap for htmx that changes only what differs: nothing moves under the finger, focus and scroll stay.
 * Used as hx-ext="steady" hx-swap="steady"; the answer's first element is laid over the target.
 */

/** Make `old` say what `fresh` says, keeping every node that can stay. @param {Element} old @param {Element} fresh */
export function overlay(old, fresh) {
  for (const { name } of Array.from(old.attributes)) {
    if (!fresh.hasAttribute(name) && !name.startsWith("data-stale")) old.removeAttribute(name);
  }
  for (const { name, value } of Array.from(fresh.attributes)) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const were = Array.from(old.childNodes);
  const are = Array.from(fresh.childNodes);
  are.forEach((node, index) => lay(old, were[index], node));
  were.slice(are.length).forEach((node) => node.remove());
}

/** @param {Element} parent @param {ChildNode|undefined} was @param {ChildNode} is */
function lay(parent, was, is) {
  if (was === undefined) {
    parent.append(is);
  } else if (was.nodeType === Node.TEXT_NODE && is.nodeType === Node.TEXT_NODE) {
    if (was.nodeValue !== is.nodeValue) was.nodeValue = is.nodeValue;
  } else if (was instanceof Element && is instanceof Element && sameThing(was, is)) {
    overlay(was, is);
  } else {
    was.replaceWith(is);
  }
}

/** @param {Element} was @param {Element} is */
function sameThing(was, is) {
  return was.tagName === is.tagName && was.id === is.id && was.getAttribute("data-id") === is.getAttribute("data-id");
}

/** @param {any} htmx */
export function defineSteady(htmx) {
  htmx.defineExtension("steady", {
    isInlineSwap: (/** @type {string} */ style) => style === "steady",
    handleSwap: (/** @type {string} */ style, /** @type {Element} */ target, /** @type {Node} */ answer) => {
      if (style !== "steady") return false;
      const fresh = answer instanceof Element ? answer : Array.from(answer.childNodes).find((node) => node instanceof Element);
      if (fresh instanceof Element) overlay(target, fresh);
      return [target];
    },
  });
}
