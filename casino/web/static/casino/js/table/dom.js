/** Making elements, and keeping a region of the page in step with a value. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element. Attributes that are false, null or undefined are left out; `on` holds listeners.
 *
 * @param {string} tag
 * @param {Object<string, any>} [attributes]
 * @param {...(Node|string|null|false|undefined)} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter((child) => child !== null && child !== false && child !== undefined));
  return element;
}

/** A mark of the sprite. @param {string} name @param {string} [className] */
export function shape(name, className = "shape") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${document.documentElement.dataset.shapes}#${name}`);
  svg.append(use);
  return svg;
}

/**
 * A button that does one thing.
 *
 * @param {string} key  Names the button, so that it keeps the focus when the region is drawn again.
 * @param {string} className @param {(event: Event) => void} act
 * @param {Object<string, any>} attributes @param {...any} children
 */
export function button(key, className, act, attributes, ...children) {
  return h("button", { type: "button", class: className, "data-key": key, on: { click: act }, ...attributes }, ...children);
}

/**
 * Keep an element's content in step with a model: drawn again only when the model changed, so that
 * nothing moves under a finger, and with the focus where it was.
 *
 * @template M
 * @param {HTMLElement} element @param {(model: M) => (Node|string|null|false|undefined)[]} draw
 * @returns {(model: M) => void}
 */
export function region(element, draw) {
  let last = "";
  return (model) => {
    const signature = JSON.stringify(model);
    if (signature === last) return;
    last = signature;
    const active = document.activeElement;
    const key = active instanceof HTMLElement && element.contains(active) ? active.dataset.key : undefined;
    element.replaceChildren(...draw(model).filter((node) => node !== null && node !== false && node !== undefined));
    if (key === undefined) return;
    const again = element.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
    if (again instanceof HTMLElement) again.focus();
  };
}
