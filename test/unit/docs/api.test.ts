import { expect, it } from 'vitest';
import { z } from 'zod';
import { HISTORY_DOCUMENT } from '../../../src/features/history/document.ts';
import { INCIDENTS_DOCUMENT, STATISTICS_DOCUMENT } from '../../../src/features/incidents/document.ts';
import { MONTH_DOCUMENT } from '../../../src/features/month/document.ts';
import { FLEET_DOCUMENT } from '../../../src/fleet/document.ts';
import { shippedText } from '../../rules/shipped.ts';

const BEGIN = '## The document\n';
const END = '## Size\n';

/** Objects with a table of their own, by the path of their field. */
const SECTIONS: readonly (readonly [title: string, document: z.ZodType, path: string])[] = [
  ['The document', FLEET_DOCUMENT, ''],
  ['An account', FLEET_DOCUMENT, 'accounts[]'],
  ['A reading', FLEET_DOCUMENT, 'accounts[].readings.devices'],
  ['A phone', FLEET_DOCUMENT, 'phones[]'],
  ['A cause', FLEET_DOCUMENT, 'causes[]'],
  ['A maintenance', FLEET_DOCUMENT, 'maintenance[]'],
  ['An incident', FLEET_DOCUMENT, 'incidents[]'],
  ['A phone that left', FLEET_DOCUMENT, 'left[]'],
  ['An event', FLEET_DOCUMENT, 'events[]'],
  ['Incidents', INCIDENTS_DOCUMENT, ''],
  ['Numbers about incidents', STATISTICS_DOCUMENT, ''],
  ['A row of numbers', STATISTICS_DOCUMENT, 'rows[]'],
  ['A month', MONTH_DOCUMENT, ''],
  ['A row of a month', MONTH_DOCUMENT, 'rows[]'],
  ['A day of a month', MONTH_DOCUMENT, 'days[]'],
  ['A history', HISTORY_DOCUMENT, ''],
  ['An account of a history', HISTORY_DOCUMENT, 'accounts[]'],
];

/** Fields of objects that another table shows. */
const SHOWN_ABOVE = /\.(?:incident|tunnels|balance)\.(?!.*Cents)|\.before\./;

type Field = { readonly path: string; readonly schema: z.core.$ZodType; readonly meaning: string };

/** Returns what a schema is of: the item of a list, and without `optional` and `readonly`. */
function bare(schema: z.core.$ZodType): { readonly schema: z.core.$ZodType; readonly suffix: string } {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly) return bare(schema.def.innerType);
  if (schema instanceof z.ZodArray) return { schema: bare(schema.def.element).schema, suffix: '[]' };
  return { schema, suffix: '' };
}

function meaningOf(schema: z.core.$ZodType): string {
  const own = z.globalRegistry.get(schema)?.description;
  if (own !== undefined) return own;
  return schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly
    ? meaningOf(schema.def.innerType)
    : '';
}

function fieldsOf(schema: z.core.$ZodType, prefix = ''): readonly Field[] {
  const object = bare(schema).schema;
  if (!(object instanceof z.ZodObject)) return [];
  return Object.entries(object.shape).flatMap(([name, field]: [string, z.core.$ZodType]) => {
    const inner = bare(field);
    const path = `${prefix}${name}${inner.suffix}`;
    return [{ path, schema: inner.schema, meaning: meaningOf(field) }, ...fieldsOf(inner.schema, `${path}.`)];
  });
}

function valuesOf(schema: z.core.$ZodType): string {
  if (!(schema instanceof z.ZodEnum)) return '';
  const values: readonly string[] = Object.values(schema.def.entries).map(String);
  return values.length > 7 ? '' : `${values.map((value) => `\`${value}\``).join(', ')}: `;
}

function tableOf(document: z.ZodType, path: string): string {
  const own = path === '' ? '' : `${path}.`;
  const others = SECTIONS.filter(([, of, each]) => of === document && each !== path).map(
    ([, , each]) => each,
  );
  const rows = fieldsOf(document)
    .filter((field) => field.path.startsWith(own))
    .filter(
      (field) =>
        !others.some((each) => each.startsWith(own) && field.path.startsWith(`${each}.`) && each !== ''),
    )
    .filter((field) => !SHOWN_ABOVE.test(field.path))
    // The table of an incident is that of the fleet.
    .filter((field) => document !== INCIDENTS_DOCUMENT || !field.path.startsWith('incidents[].'))
    .map((field) => `| \`${field.path.slice(own.length)}\` | ${valuesOf(field.schema)}${field.meaning} |`);
  return ['| field | meaning |', '|---|---|', ...rows].join('\n');
}

const TABLES = SECTIONS.map(
  ([title, document, path]) =>
    `${path === '' && document === FLEET_DOCUMENT ? '##' : '###'} ${title}\n\n${tableOf(document, path)}\n`,
).join('\n');

it('docs/API.md has the fields of the documents', async () => {
  const text = shippedText('docs/API.md');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  await expect(`${text.slice(0, begin)}${TABLES}\n${text.slice(end)}`).toMatchFileSnapshot(
    '../../../docs/API.md',
  );
});

it('docs/API.md has a meaning for each field', () => {
  const fields = [
    FLEET_DOCUMENT,
    INCIDENTS_DOCUMENT,
    STATISTICS_DOCUMENT,
    MONTH_DOCUMENT,
    HISTORY_DOCUMENT,
  ].flatMap((document) => fieldsOf(document));
  const without = fields.filter(({ meaning }) => meaning === '').map(({ path }) => path);
  expect(without).toEqual([]);
});

it('docs/API.md has an example that is a fleet', () => {
  const example = /```json\n(.*?)```/s.exec(shippedText('docs/API.md'))?.[1] ?? '';
  expect(() => FLEET_DOCUMENT.parse(JSON.parse(example))).not.toThrow();
});
