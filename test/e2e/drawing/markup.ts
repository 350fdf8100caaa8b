/** A text inside of HTML or SVG. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The size of what is drawn into, in pixels. */
export type Size = { readonly width: number; readonly height: number };
