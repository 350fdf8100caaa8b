import { expect, it } from 'vitest';
import { createChanges } from '../../../src/daemon/changes.ts';
import { definePart } from '../../../src/judge/part.ts';
import { NEW_ACCOUNT } from '../../../src/model/account.ts';
import { NO_CAUSES } from '../../../src/model/cause.ts';
import { createFakeClock } from '../../fake-clock.ts';

const NOTES = definePart<readonly string[], string>({
  name: 'notes',
  create: () => [],
  *update(notes, { effect }) {
    yield;
    return effect === undefined ? notes : [...notes, effect];
  },
});

/** A state file with one account. */
const saved = {
  accounts: [
    {
      identity: { name: 'main', apiUrl: 'https://api.example.com' },
      goneAt: undefined,
      account: NEW_ACCOUNT,
    },
  ],
  causes: NO_CAUSES,
};

it('a change that could not be judged is in no later state file', async () => {
  const changes = createChanges(NOTES, (notes, note) => [...notes, note], {
    snapshot: () => ({ accounts: [], causes: NO_CAUSES, events: [] }),
    observe: async () => {
      throw new Error('a bug of the judgement');
    },
    save: async () => undefined,
    clock: createFakeClock(),
  });
  await expect(changes.make([{ name: 'main', effect: 'cable replaced' }])).rejects.toThrow('a bug');
  const [account] = changes.withPending(saved).accounts;
  expect(account && NOTES.of(account.account)).toEqual([]);
});
