import type { ApiEvents, EnumField } from '../../model/api-events.ts';
import {
  MARKETPLACE_STATUSES,
  type MarketplaceStatus,
  type OpenStatus,
  OTHER,
  RENTAL_STATUSES,
  type RentalStatus,
  SETUP_STATUSES,
  type SetupStatus,
} from '../../model/status.ts';
import { remember } from './memo.ts';

/** A value of an enumeration, which the API may leave out. */
type Reader<Status> = (
  field: EnumField,
  text: string | null | undefined,
  events: Pick<ApiEvents, 'unknownEnum'>,
) => Status | undefined;

const STATUS = /^[a-z0-9_]{1,32}$/;

/** Longest text that is looked at: a status of 32 characters with some blanks around it. */
const MAX_LENGTH = 64;

/** Readers for the documented enumerations: a value that the API document does not list is `other`. */
export const readSetupStatus: Reader<SetupStatus> = reader(among(SETUP_STATUSES));
export const readRentalStatus: Reader<RentalStatus> = reader(among(RENTAL_STATUSES));
export const readMarketplaceStatus: Reader<MarketplaceStatus> = reader(among(MARKETPLACE_STATUSES));

/** The fields whose values are "not shown" in the API document, each with the value that an example shows. */
const OPEN_FIELDS = {
  'selfRent.status': [],
  'rotation.status': ['active'],
  'tunnel.status': ['enabled'],
  uptimeStatus: ['up'],
  'credential.status': ['active'],
} as const satisfies Partial<Record<EnumField, readonly string[]>>;

type OpenField = keyof typeof OPEN_FIELDS;

/** A value of an open field, which the API may leave out. */
export type OpenStatusReader = (field: OpenField, text: string | null | undefined) => OpenStatus | undefined;

/** Most different values of an open field, since each becomes a label value. */
const MOST_VALUES = 16;

const readWord = remember(normalise);

/**
 * Reader for the open fields of one account: any plain word, else `other`. The first {@link MOST_VALUES} words of a field
 * are kept apart, those that the document shows among them whenever they come; all further ones are `other`.
 */
export function createOpenStatusReader(events: Pick<ApiEvents, 'unknownEnum'>): OpenStatusReader {
  const known = new Map<string, Set<string>>(
    Object.entries(OPEN_FIELDS).map(([field, documented]) => [field, new Set<string>(documented)]),
  );
  return (field, text) => {
    if (text == null) return undefined;
    const word = readWord(text);
    const words = known.get(field);
    if (word !== OTHER && words !== undefined && (words.has(word) || words.size < MOST_VALUES)) {
      words.add(word);
      return word;
    }
    events.unknownEnum(field);
    return OTHER;
  };
}

function reader<Status extends string>(read: (text: string) => Status): Reader<Status | typeof OTHER> {
  const recall = remember(read);
  return (field, text, events) => {
    if (text == null) return undefined;
    const status = recall(text);
    if (status === OTHER) events.unknownEnum(field);
    return status;
  };
}

function among<Status extends string>(documented: readonly Status[]) {
  return (text: string): Status | typeof OTHER => {
    const word = normalise(text);
    return documented.find((status) => status === word) ?? OTHER;
  };
}

/** `" Not-Listed "` and `"not listed"` are spellings of `not_listed`; what is no `[a-z0-9_]{1,32}` then is `other`. */
function normalise(text: string): string {
  if (text.length > MAX_LENGTH) return OTHER;
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return STATUS.test(word) ? word : OTHER;
}
