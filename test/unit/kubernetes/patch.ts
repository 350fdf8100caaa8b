import { z } from 'zod';

/** The part of JSON Patch (RFC 6902) that our kustomizations use. */
export const Patch = z.array(
  z.union([
    z.strictObject({ op: z.enum(['add', 'replace']), path: z.string(), value: z.unknown() }),
    z.strictObject({ op: z.literal('remove'), path: z.string() }),
  ]),
);

const Parent = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]);

/** @throws if something is to be replaced or removed that is not there */
export function patched<Shape>(document: Shape, patch: z.infer<typeof Patch>): Shape {
  const copy = structuredClone(document);
  for (const operation of patch) {
    const steps = operation.path.split('/').slice(1);
    const last = steps.pop() ?? '';
    const parent = steps.reduce<unknown>((value, step) => Object(value)[step], copy);
    // What a schema gives is a copy; it has to be the thing itself that is changed.
    if (!Parent.safeParse(parent).success) throw new Error(`nothing at ${operation.path}`);
    change(Object(parent), last, operation);
  }
  return copy;
}

function change(
  parent: Record<string, unknown>,
  key: string,
  operation: z.infer<typeof Patch>[number],
): void {
  if (operation.op !== 'add' && !(key in parent)) throw new Error(`nothing at ${operation.path}`);
  if (operation.op === 'remove') {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  } else if (Array.isArray(parent) && key === '-') parent.push(operation.value);
  else parent[key] = operation.value;
}
