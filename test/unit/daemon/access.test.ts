import { describe, expect, it } from 'vitest';
import { trackAccess } from '../../../src/daemon/accounts.ts';
import type { AccessState, Endpoint } from '../../../src/model/enums.ts';

/** The state of the key after each of these responses. */
function statesAfter(...responses: readonly (readonly [Endpoint, AccessState])[]): readonly AccessState[] {
  const track = trackAccess();
  return responses.map(([endpoint, state]) => track(endpoint, state));
}

describe('the state of a key', () => {
  it('is granted while one endpoint accepts it, even if another one refuses it', () => {
    expect(
      statesAfter(['balance', 'invalid_key'], ['devices', 'granted'], ['balance', 'invalid_key']).slice(1),
    ).toEqual(['granted', 'granted']);
  });

  it('is refused when no endpoint has accepted it since the first refusal', () => {
    expect(
      statesAfter(
        ['devices', 'granted'],
        ['tunnel', 'granted'],
        ['devices', 'invalid_key'],
        ['balance', 'denied'],
      ),
    ).toEqual(['granted', 'granted', 'invalid_key', 'denied']);
  });

  it('is granted again with the first endpoint that accepts it', () => {
    expect(
      statesAfter(['devices', 'suspended'], ['balance', 'suspended'], ['balance', 'granted']).at(-1),
    ).toBe('granted');
  });
});
