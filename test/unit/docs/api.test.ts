import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HISTORY_DOCUMENT } from '../../../src/features/history/document.ts';
import { INCIDENTS_DOCUMENT, STATISTICS_DOCUMENT } from '../../../src/features/incidents/document.ts';
import { MONTH_DOCUMENT } from '../../../src/features/month/document.ts';
import { FEATURES } from '../../../src/features.ts';
import { fleetSchema } from '../../../src/fleet/document.ts';
import { shippedText } from '../../rules/shipped.ts';

const FLEET_DOCUMENT = fleetSchema(FEATURES);

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

type Field = { readonly path: string; readonly schema: z.core.$ZodType };

/** Returns what a schema is of: the item of a list, and without `optional` and `readonly`. */
function bare(schema: z.core.$ZodType): { readonly schema: z.core.$ZodType; readonly suffix: string } {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly) return bare(schema.def.innerType);
  if (schema instanceof z.ZodArray) return { schema: bare(schema.def.element).schema, suffix: '[]' };
  return { schema, suffix: '' };
}

function fieldsOf(schema: z.core.$ZodType, prefix = ''): readonly Field[] {
  const object = bare(schema).schema;
  if (!(object instanceof z.ZodObject)) return [];
  return Object.entries(object.shape).flatMap(([name, field]: [string, z.core.$ZodType]) => {
    const inner = bare(field);
    const path = `${prefix}${name}${inner.suffix}`;
    return [{ path, schema: inner.schema }, ...fieldsOf(inner.schema, `${path}.`)];
  });
}

/** Returns the fields that the table of a section names. */
function fieldsIn(document: z.ZodType, path: string): readonly string[] {
  const own = path === '' ? '' : `${path}.`;
  const others = SECTIONS.filter(([, of, each]) => of === document && each !== path).map(
    ([, , each]) => each,
  );
  return (
    fieldsOf(document)
      .filter((field) => field.path.startsWith(own))
      .filter(
        (field) =>
          !others.some((each) => each.startsWith(own) && field.path.startsWith(`${each}.`) && each !== ''),
      )
      .filter((field) => !SHOWN_ABOVE.test(field.path))
      // An incident's table is the fleet's.
      .filter((field) => document !== INCIDENTS_DOCUMENT || !field.path.startsWith('incidents[].'))
      .map((field) => field.path.slice(own.length))
  );
}

describe('docs/API.md', () => {
  it.each(SECTIONS)('has a row with a meaning for each field of: %s', (title, document, path) => {
    const [, section = ''] = shippedText('docs/API.md').split(new RegExp(`^##+ ${title}\n`, 'm'));
    const [table = ''] = section.split(/^#/m);
    const rows = Array.from(table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm), ([, name = '']) => name);
    expect(rows.toSorted()).toEqual(fieldsIn(document, path).toSorted());
  });
});

it('docs/API.md has an example that is a fleet', () => {
  const example = /```json\n(.*?)```/s.exec(shippedText('docs/API.md'))?.[1] ?? '';
  expect(() => FLEET_DOCUMENT.parse(JSON.parse(example))).not.toThrow();
});
