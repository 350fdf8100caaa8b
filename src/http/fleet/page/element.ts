/** What an element is given: attributes by name; undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/**
 * An element with what is in it. Texts become text nodes and attributes values, never markup: the only way in which
 * anything of the API comes into the page.
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

/** The element of the page with this id. Throws where the page lacks it. */
export function place(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no place "${id}".`);
  return found;
}

/** Text that people chose: in a direction of its own, so that it can't turn round what stands beside it. */
export function foreign(text: string): HTMLElement {
  return element('bdi', {}, text);
}

/** Sets a text, and touches nothing where it is the same, so that nothing is laid out or read aloud anew. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Sets an attribute, likewise. */
export function setAttribute(target: Element, name: string, value: string): void {
  if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

/** Puts other content into an element. The keyboard stays on the link that it was on, where that is still there. */
export function renew(container: Element, ...content: readonly Node[]): void {
  const { activeElement } = document;
  const href = container.contains(activeElement) ? activeElement?.getAttribute('href') : undefined;
  container.replaceChildren(...content);
  if (typeof href !== 'string') return;
  const again = Array.from(container.querySelectorAll('a')).find(
    (link) => link.getAttribute('href') === href,
  );
  again?.focus({ preventScroll: true });
}
