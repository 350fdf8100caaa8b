/**
 * Whether an Accept-Encoding header (RFC 9110, 12.5.3) takes gzip: it is named, or `*` is and gzip is not, and its
 * weight is not 0. A missing header takes anything; we answer it with plain text, as a person with curl expects.
 */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const item of (header ?? '').toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const weight = weights.get('gzip') ?? weights.get('*') ?? 0;
  return weight > 0;
}
