import * as z from 'zod';
import type { Feature } from '../../cli/command.ts';
import { defineSection } from '../../config/schema.ts';
import { setting } from '../../config/settings.ts';
import { parsedText, parseOptionalPath } from '../../config/values.ts';
import type { FleetPhone } from '../../fleet/document.ts';
import { list, NOTE } from '../../fleet/fields.ts';
import { sectionFamilies } from '../../metrics/families.ts';
import { experimental, type Sample, samples } from '../../metrics/row.ts';
import { type FleetDevice, NO_PROPERTIES, propertyNames } from '../../model/fleet.ts';
import { shownData } from '../../model/reading.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { MINUTE } from '../../model/time.ts';
import { hasNoTitles, NO_TAG_BOOK, type TagBook, tagLineFinder, tagWarnings } from './book.ts';
import { createTagReader, unusable } from './file.ts';

const phoneFields = {
  tags: z.record(z.string(), z.string()).readonly().optional(),
  notes: list(NOTE).optional(),
};
const exporterFields = { tags: list(z.string()).optional() };

declare module '../../fleet/document.ts' {
  interface PhoneFields extends z.output<z.ZodObject<typeof phoneFields>> {}
  interface ExporterFields extends z.output<z.ZodObject<typeof exporterFields>> {}
}

const TAGS = defineSection('tags', {
  file: setting(parsedText('the path of a CSV file', parseOptionalPath).optional(), {
    isPath: true,
    description:
      'CSV file of tags: facts that only you know, such as carrier or owner (docs/TAGS.md). Its first column is the phone, every other column a tag. It is read again when it changes.',
    example: '/etc/hoster-exporter/phones.csv',
  }),
});

/** The book for a file whose first line names a phone. */
const WITHOUT_TITLES = unusable(
  'the first line names a phone, expected the names of the columns there, such as phone,carrier,owner',
);

/** Tags: facts that only the owner knows about phones, from a file (`tags.file`) that is read again when it changes. */
export const tags: Feature = {
  name: 'tags',
  settings: [TAGS],
  fields: { phone: phoneFields, exporter: exporterFields },
  commands: [
    {
      name: 'tags',
      summary: 'Prints the tags of the phones; --write creates or extends the file of tags.',
      load: async () => (await import('./command.ts')).tags,
    },
  ],
  families: () =>
    sectionFamilies<FleetDevice>({
      rows: [TAG_ROW],
      idLabel: 'device_id',
      subjects: ({ devices }) => shownData(devices)?.devices ?? [],
    }),
  check: async (config, { readFile, yieldToEventLoop }) => {
    const { warnings } = await createTagReader(readFile, yieldToEventLoop)(TAGS.of(config).file);
    return warnings;
  },
  create: ({ config, log, readFile, snapshot, yieldToEventLoop }) => {
    const read = createTagReader(readFile, yieldToEventLoop);
    let book: TagBook = { ...NO_TAG_BOOK, lines: undefined };
    let logged: readonly string[] = [];
    /** Takes a book. While the file cannot be read, the known tags stay. Returns true if the tags changed. */
    const take = (read: TagBook): boolean => {
      const before = book.lines;
      const next = hasNoTitles(read, snapshot()) ? WITHOUT_TITLES : read;
      book = next.lines === undefined ? { ...next, names: book.names, lines: before } : next;
      return book.lines !== before;
    };
    /** The names of the tags, including those that only the state file still has. */
    const namesNow = (): readonly string[] =>
      book.lines === undefined
        ? propertyNames(snapshot().accounts.map(({ known }) => known.fleet))
        : book.names;
    const look = async (): Promise<void> => {
      take(await read(TAGS.of(config()).file));
      const warnings = tagWarnings(book, snapshot());
      // Each is logged once, so that a phone that leaves is mentioned too.
      for (const warning of warnings) if (!logged.includes(warning)) log.warn({}, warning);
      logged = warnings;
    };
    return {
      judgement: (account) => {
        if (book.lines === undefined) return {};
        const find = tagLineFinder(book, account);
        return { propertiesOf: (id, label) => find(id, label)?.tags ?? NO_PROPERTIES };
      },
      configure: async (next) => {
        const readNow = await read(TAGS.of(next).file);
        return () => take(readNow);
      },
      exporter: () => {
        const warnings = tagWarnings(book, snapshot());
        const names = namesNow();
        return {
          ...(names.length > 0 && { tags: names }),
          ...(warnings.length > 0 && { warnings }),
        };
      },
      document: ({ phones }) => ({ phones: withTags(phones, snapshot(), book) }),
      work: { every: MINUTE, run: look },
    };
  },
};

/** Adds the phones' tags and the notes from the file, which have no time. */
function withTags(
  phones: readonly FleetPhone[],
  { accounts }: Snapshot,
  book: TagBook,
): readonly FleetPhone[] {
  const known = new Map(
    accounts.map(({ name, devices }) => [
      name,
      { devices: devices.data?.devices, find: tagLineFinder(book, name) },
    ]),
  );
  return phones.map((phone) => {
    const { devices, find } = known.get(phone.account) ?? {};
    const properties = devices?.get(phone.id)?.properties ?? NO_PROPERTIES;
    const text = find?.(phone.id, phone.label)?.note ?? '';
    if (properties.size === 0 && text === '') return phone;
    return {
      ...phone,
      ...(properties.size > 0 && { tags: Object.fromEntries(properties) }),
      ...(text !== '' && { notes: [{ text, by: 'tags.file' }, ...(phone.notes ?? [])] }),
    };
  });
}

const TAG_ROW = experimental(
  samples(
    'hoster_device_tag_info',
    "Always 1; the labels are one of the phone's tags and its value, from tags.file. Absent without tags.",
    ['tag', 'value'],
    ({ properties }: FleetDevice) => Array.from(properties, ([tag, value]): Sample => [1, tag, value]),
  ),
);
