// Small helpers over the DOM.
import { sign } from "./art.js";
import { unbroken } from "./choiceparts.js";
import { t } from "./i18n.js";

/** @typedef {Node|string|number|null|undefined|false} Child */

/**
 * An element: `h("button", {class: "quiet", onclick: roll}, "Roll")`.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props] attributes; `on…` are listeners, `html` is drawn by us
 * @param {...(Child|Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "html") element.innerHTML = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected")
      /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** @param {Element} element @param {(Child|Child[])[]} children */
function append(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : unbroken(child));
  }
}

/** Replace what an element holds. @param {Element} element @param {...(Child|Child[])} children */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/**
 * Make what is shown like `fresh`. What has not changed stays the same element, so that a click under way and the focus
 * survive; its listeners stay too, and must look things up when they are called.
 * @param {ChildNode} shown @param {ChildNode} fresh
 */
export function renew(shown, fresh) {
  if (shown.isEqualNode(fresh)) return;
  const whole = !(shown instanceof HTMLElement && fresh instanceof HTMLElement) || fresh.matches("button, a");
  if (whole || shown.tagName !== fresh.tagName) {
    shown.replaceWith(fresh);
    return;
  }
  for (const name of shown.getAttributeNames()) if (!fresh.hasAttribute(name)) shown.removeAttribute(name);
  for (const name of fresh.getAttributeNames()) shown.setAttribute(name, fresh.getAttribute(name) ?? "");
  const [old, now] = [[...shown.childNodes], [...fresh.childNodes]];
  for (const [index, child] of now.entries()) {
    const there = old[index];
    if (there) renew(there, child);
    else shown.append(child);
  }
  for (const child of old.slice(now.length)) child.remove();
}

/** A drawing as an element. @param {string} markup @returns {SVGElement} */
export function draw(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return /** @type {SVGElement} */ (/** @type {unknown} */ (template.content.firstElementChild));
}

/**
 * A large button; with a `note`, even an empty one, its text may have two lines.
 * @param {string} text @param {((event: any) => void)|null} go
 * @param {Record<string, any>} [more] `kind`, `icon`, `note`, and attributes as for `h`
 */
export const btn = (text, go, { kind = "", icon = "", note, ...props } = {}) =>
  h(
    "button",
    { class: `btn ${kind}`, type: "button", onclick: go, ...props },
    icon ? draw(sign(icon)) : null,
    note === undefined ? h("b", {}, text) : h("span", {}, h("b", {}, text), note ? h("small", {}, note) : null),
  );

/** A button that looks like a link. @param {string} text @param {() => void} go @param {Record<string, any>} [props] */
export const quiet = (text, go, props = {}) =>
  h("button", { class: "quiet", type: "button", onclick: go, ...props }, text);

/**
 * A round button with a sign.
 * @param {string} icon @param {string} label @param {() => void} go @param {Record<string, any>} [more] `kind`, attributes
 */
export const round = (icon, label, go, { kind = "", ...props } = {}) =>
  h("button", {
    class: `round ${kind}`,
    type: "button",
    "aria-label": label,
    html: sign(icon),
    onclick: go,
    ...props,
  });

/** @template T @param {T|null|undefined} found @returns {T} */
export function must(found) {
  if (found === null || found === undefined) throw new Error("missing element");
  return found;
}

/** Say something to who does not see the screen. @param {string} text */
export function announce(text) {
  const live = document.getElementById("live");
  if (!live || !text) return;
  live.append(h("p", {}, text));
  while (live.childElementCount > 12) live.firstElementChild?.remove();
}

/** @type {number|undefined} */
let toastTimer;

/** A short note at the bottom, above dialogs too. @param {string} text */
export function toast(text) {
  document.querySelector(".toast")?.remove();
  clearTimeout(toastTimer);
  const note = h("div", { class: "toast", role: "status", popover: "manual" }, text);
  document.body.append(note);
  if ("showPopover" in note) note.showPopover();
  toastTimer = window.setTimeout(() => note.remove(), 4000);
}

/**
 * A dialog that closes by its button, by Escape and by a tap beside it.
 * @param {string} title @param {...(Child|Child[])} children
 * @returns {HTMLDialogElement}
 */
export function sheet(title, ...children) {
  const close = round("close", t("Close"), () => dialog.close());
  const dialog = h(
    "dialog",
    { "aria-label": title },
    h("div", { class: "sheet" }, h("header", {}, h("h2", {}, title), close), ...children),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Radio buttons side by side.
 * @param {string} legend @param {string} name @param {[string, string][]} options @param {string} chosen
 * @param {(value: string) => void} [changed]
 */
export function choices(legend, name, options, chosen, changed) {
  return h(
    "fieldset",
    { class: "seg" },
    h("legend", {}, legend),
    options.map(([value, text]) =>
      h(
        "label",
        {},
        h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => changed?.(value) }),
        h("span", {}, text),
      ),
    ),
  );
}

/** @param {Element} root @param {string} name */
export function chosen(root, name) {
  const input = /** @type {HTMLInputElement|null} */ (root.querySelector(`input[name="${name}"]:checked`));
  return input ? input.value : "";
}

/**
 * Ask for a line of text; empty if it is not given.
 * @param {string} title @param {string} preset @param {string} go
 * @returns {Promise<string>}
 */
export function askLine(title, preset, go) {
  return new Promise((resolve) => {
    let given = "";
    const input = h("input", { type: "text", name: "line", maxlength: "24", "aria-label": title, value: preset });
    const form = h(
      "form",
      {
        class: "join",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          given = input.value.trim();
          dialog.close();
        },
      },
      input,
      h("button", { type: "submit" }, go),
    );
    const dialog = sheet(title, form);
    dialog.addEventListener("close", () => resolve(given));
    input.focus();
    input.select();
  });
}
