import type { ApiEvents, TextLabel } from '../../model/api-events.ts';
import { cleanText, TEXT_LIMIT } from '../../model/text.ts';
import { remember } from './memo.ts';

/** Text that {@link cleanText} would leave alone, told at a tenth of its cost. */
const PRINTABLE_ASCII = /^[\x20-\x7E]*$/;

/** Who is told of a text that had to be changed. */
type Listener = Pick<ApiEvents, 'labelSanitized'>;

/** The one string for equal texts. */
const intern = remember((text) => text);

/** Text made safe to print; `''` where the API gave none. */
export function readText(label: TextLabel, text: string | null | undefined, events: Listener): string {
  if (text == null) return '';
  if (text.length <= TEXT_LIMIT && PRINTABLE_ASCII.test(text)) return text;
  const clean = cleanText(text);
  if (clean !== text) events.labelSanitized(label);
  return clean;
}

/** As {@link readText}, for text that many devices share. */
export function readSharedText(label: TextLabel, text: string | null | undefined, events: Listener): string {
  return intern(readText(label, text, events));
}
