import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { parseAst } from 'vite';

/*
 * Finds the calls that say a message. TypeScript 7 has no parser that runs in this process, so esbuild drops the types and Rollup
 * parses the rest.
 */

const ROOT = join(import.meta.dirname, '../../..');
const SAYING = new Set(['say', 'sayIf', 'sayInEnglish', 'translated']);

/** A call: the ids that it may say, and its values; undefined if they are not literal. */
export type Call = {
  readonly place: string;
  readonly ids: RegExp;
  readonly values: readonly string[] | undefined;
};

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function* nodesIn(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesIn(child);
}

const escaped = (text: string): string => text.replace(/[^\w-]/g, '\\$&');

/** Returns a pattern for the ids of a literal or of a template; undefined for another expression. */
function idsOf(node: unknown): RegExp | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal') return new RegExp(`^${escaped(String(node['value']))}$`);
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node['quasis'])) return undefined;
  const parts = node['quasis'].map(({ value: { cooked } }: { value: { cooked: string } }) => escaped(cooked));
  return new RegExp(`^${parts.join('[^-]+')}$`);
}

function valuesOf(node: unknown): readonly string[] | undefined {
  if (node === undefined) return [];
  if (!isNode(node) || node.type !== 'ObjectExpression' || !Array.isArray(node['properties']))
    return undefined;
  const names = node['properties'].map(
    (property: Node) => isNode(property['key']) && property['key']['name'],
  );
  return names.every((name) => typeof name === 'string') ? names : undefined;
}

/** Returns the nodes of a file that is TypeScript. */
function nodesOf(path: string, source: string): readonly Node[] {
  const { code } = transformSync(source, { loader: path.endsWith('x') ? 'tsx' : 'ts', jsx: 'automatic' });
  const program: unknown = parseAst(code);
  if (!isNode(program)) throw new Error(`${path} cannot be parsed`);
  return [...nodesIn(program)];
}

/** Properties of elements and components that people read. */
const READ = new Set(['children', 'aria-label', 'alt', 'label', 'placeholder', 'title']);

/** Lists the texts that components show, and that are written in their source. */
export function textsInComponents(folder: string): readonly string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.tsx'))
    .flatMap((name) => {
      const nodes = nodesOf(name, readFileSync(join(ROOT, folder, name), 'utf8'));
      return nodes.flatMap(({ type, key, value }) => {
        if (type !== 'Property' || !isNode(key) || !isNode(value)) return [];
        if (!READ.has(String(key['name'] ?? key['value']))) return [];
        const elements = value['elements'];
        const texts = Array.isArray(elements) ? elements : [value];
        return texts.flatMap((text) =>
          isNode(text) && typeof text['value'] === 'string' ? [text['value'].trim()] : [],
        );
      });
    });
}

/** Lists the calls in a folder of the project. */
export function callsIn(folder: string): readonly Call[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('text/'))
    .flatMap((name) => {
      const source = readFileSync(join(ROOT, folder, name), 'utf8');
      if (!source.includes('text/say.ts')) return [];
      return nodesOf(name, source).flatMap((node): readonly Call[] => {
        const callee = node['callee'];
        const args = node['arguments'];
        if (node.type !== 'CallExpression' || !isNode(callee) || !Array.isArray(args)) return [];
        if (!SAYING.has(String(callee['name']))) return [];
        const ids = idsOf(args[0]);
        if (ids === undefined) throw new Error(`${name}: the id of a message is not written out`);
        return [{ place: `${name}: ${ids.source}`, ids, values: valuesOf(args[1]) }];
      });
    });
}
