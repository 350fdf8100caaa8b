/**
 * Whether an If-None-Match header (RFC 9110, 13.1.2) names this entity tag, so that whoever asks has what would be sent.
 * The comparison is weak: `W/` makes no difference.
 */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const wanted = opaque(tag);
  return header.split(',').some((one) => opaque(one.trim()) === wanted);
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
