import type { ApiEvents } from '../../../src/api/events.ts';

/** Events that write down what they are told, one line each: `failed devices timeout`. */
export function recordEvents(): { readonly events: ApiEvents; readonly seen: string[] } {
  const seen: string[] = [];
  const note =
    (name: keyof ApiEvents) =>
    (...told: readonly (string | number)[]) => {
      seen.push([name, ...told].join(' '));
    };
  const events: ApiEvents = {
    answered: (endpoint, status) => note('answered')(endpoint, status),
    failed: note('failed'),
    access: note('access'),
    clockSkew: note('clockSkew'),
    itemRejected: note('itemRejected'),
    schemaViolation: note('schemaViolation'),
    unknownEnum: note('unknownEnum'),
    labelSanitized: note('labelSanitized'),
  };
  return { events, seen };
}
