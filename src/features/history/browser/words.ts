import { numberText } from '../../../fleet/words.ts';

/** Texts of the charts besides the titles of their lines. */
export const WORDS = {
  title: 'Over time',
  table: 'Table',
  money: 'Changes of the balance',
  in: 'In',
  out: 'Out',
  none: 'No charts:',
  offlinePhones: 'Offline phones',
  yesterday: 'Yesterday',
  comparison: (offline: number, more: number) => {
    const count = `${numberText(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'}`;
    return `${numberText(offline)} offline, ${more === 0 ? 'the same as' : `${count} than`} yesterday at this time`;
  },
};
