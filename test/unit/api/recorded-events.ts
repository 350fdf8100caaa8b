import type { ApiEvents } from '../../../src/model/api-events.ts';

type Recorded = {
  readonly events: ApiEvents;
  readonly seen: string[];
};

/** Creates events that are recorded, one line each: `failed devices timeout`. */
export function recordEvents(): Recorded {
  const seen: string[] = [];
  const note =
    (name: keyof ApiEvents) =>
    (...told: readonly (string | number)[]) => {
      seen.push([name, ...told].join(' '));
    };
  const events: ApiEvents = {
    responded: (endpoint, status) => note('responded')(endpoint, status),
    failed: note('failed'),
    access: (_, state) => note('access')(state),
    clockSkew: note('clockSkew'),
    itemRejected: note('itemRejected'),
    schemaViolation: note('schemaViolation'),
    unknownEnum: note('unknownEnum'),
    labelSanitized: note('labelSanitized'),
  };
  return { events, seen };
}
