import type { OnApiEvent } from '../../../src/model/api-events.ts';

type Recorded = {
  readonly on: OnApiEvent;
  readonly seen: string[];
};

/** Records events, one line each: `failed devices timeout`. */
export function recordEvents(): Recorded {
  const seen: string[] = [];
  return {
    on: (event) => {
      if (event.kind === 'responded') seen.push(`responded ${event.endpoint} ${event.status}`);
      else if (event.kind === 'access') seen.push(`access ${event.state}`);
      else seen.push(Object.values(event).join(' '));
    },
    seen,
  };
}
