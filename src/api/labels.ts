import type { OnApiEvent } from '../model/api-events.ts';
import {
  MARKETPLACE_STATUSES,
  type MarketplaceStatus,
  type OpenStatus,
  OTHER,
  RENTAL_STATUSES,
  type RentalStatus,
  SETUP_STATUSES,
  type SetupStatus,
} from '../model/device.ts';
import type { EnumField, TextLabel } from '../model/enums.ts';
import { cleanText, TEXT_LIMIT } from '../model/text.ts';

/** Text as the API sends it; null, omitted and empty all mean that there is none. */
export type ApiText = string | null | undefined;

/** Text that {@link cleanText} leaves alone, recognised at a tenth of the cost. */
const PRINTABLE_ASCII = /^[\x20-\x7E]*$/;

/** Makes text safe to print; `''` if the API sent none. */
export function toLabel(label: TextLabel, text: ApiText, on: OnApiEvent): string {
  if (text == null) return '';
  if (text.length <= TEXT_LIMIT && PRINTABLE_ASCII.test(text)) return text;
  const clean = cleanText(text);
  if (clean !== text) on({ kind: 'labelSanitized', label });
  return clean;
}

const STATUS = /^[a-z0-9_]{1,32}$/;

/** Maximum length of a status text that is normalised: 32 characters and some spaces around them. */
const MAX_STATUS_LENGTH = 64;

/** Fields whose values the API document lists, and the values. */
const DOCUMENTED = {
  setupStatus: statusTable<SetupStatus>(SETUP_STATUSES),
  rentalStatus: statusTable<RentalStatus>(RENTAL_STATUSES),
  marketplaceStatus: statusTable<MarketplaceStatus>(MARKETPLACE_STATUSES),
};

/** Fields whose values the API document does not list, each with the value from its example. */
const OPEN = {
  'selfRent.status': [],
  'rotation.status': ['active'],
  'tunnel.status': ['enabled'],
  uptimeStatus: ['up'],
  'credential.status': ['active'],
} as const satisfies Partial<Record<EnumField, readonly string[]>>;

/** Maximum number of distinct values of an open field, since each becomes a label value. */
const MAX_OPEN_VALUES = 16;

/** Converts statuses of one account. A missing value stays undefined. */
export type StatusReader = {
  readonly setupStatus: (text: ApiText) => SetupStatus | undefined;
  readonly rentalStatus: (text: ApiText) => RentalStatus | undefined;
  readonly marketplaceStatus: (text: ApiText) => MarketplaceStatus | undefined;
  readonly open: (field: keyof typeof OPEN, text: ApiText) => OpenStatus | undefined;
};

/**
 * Creates the reader of one account. A documented field keeps its documented values. An open one keeps plain words, at
 * most {@link MAX_OPEN_VALUES}, its documented example included. Everything else is `other`.
 */
export function createStatusReader(on: OnApiEvent): StatusReader {
  const openValues = new Map<string, Set<string>>(
    Object.entries(OPEN).map(([field, examples]) => [field, new Set<string>(examples)]),
  );
  const documented = <Status extends string>(field: EnumField, table: ReadonlyMap<string, Status>) => {
    return (text: ApiText): Status | typeof OTHER | undefined => {
      if (text == null) return undefined;
      const status = table.get(text) ?? table.get(normaliseStatus(text));
      if (status === undefined) on({ kind: 'unknownEnum', field });
      return status ?? OTHER;
    };
  };
  return {
    setupStatus: documented('setupStatus', DOCUMENTED.setupStatus),
    rentalStatus: documented('rentalStatus', DOCUMENTED.rentalStatus),
    marketplaceStatus: documented('marketplaceStatus', DOCUMENTED.marketplaceStatus),
    open: (field, text) => {
      if (text == null) return undefined;
      const values = openValues.get(field);
      if (values?.has(text)) return text;
      const word = normaliseStatus(text);
      if (word !== OTHER && values !== undefined && (values.has(word) || values.size < MAX_OPEN_VALUES)) {
        values.add(word);
        return word;
      }
      on({ kind: 'unknownEnum', field });
      return OTHER;
    },
  };
}

function statusTable<Status extends string>(statuses: readonly Status[]): ReadonlyMap<string, Status> {
  return new Map(statuses.map((status) => [status, status]));
}

/** Normalises the spelling of a status, such as `" Not-Listed "`; `other` unless that gives `[a-z0-9_]{1,32}`. */
function normaliseStatus(text: string): string {
  if (text.length > MAX_STATUS_LENGTH) return OTHER;
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return STATUS.test(word) ? word : OTHER;
}
