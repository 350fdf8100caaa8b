/** Attributes by name; undefined ones are not set. */
type Attributes = Readonly<Record<string, string | undefined>>;

/**
 * Creates an element. Texts become text nodes and attribute values, never markup. No text of the API comes into the page in
 * any other way.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(attribute, value);
  }
  made.append(...content);
  return made;
}

/** Finds an element of the page; throws if there is none. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element "${id}".`);
  return found;
}

/** Wraps text that people chose, so that its writing direction does not affect the text around it. */
export function isolated(text: string): HTMLElement {
  return element('bdi', {}, text);
}

/** Sets a text if it differs, so that nothing is laid out or read aloud again. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Sets an attribute if it differs. */
export function setAttribute(target: Element, name: string, value: string): void {
  if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

/** Replaces the content of an element. The keyboard focus stays on the same link or button, if that is still there. */
export function replaceContent(container: Element, ...content: readonly Node[]): void {
  const { activeElement } = document;
  const focused = container.contains(activeElement) ? nameOf(activeElement) : null;
  container.replaceChildren(...content);
  if (focused === null) return;
  const again = Array.from(container.querySelectorAll<HTMLElement>('a, button')).find(
    (each) => nameOf(each) === focused,
  );
  again?.focus({ preventScroll: true });
}

/** Returns what tells a link or a button from the others of its list. */
function nameOf(target: Element | null): string | null {
  return target?.getAttribute('href') ?? target?.getAttribute('aria-label') ?? null;
}
