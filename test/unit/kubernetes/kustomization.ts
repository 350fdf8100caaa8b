import { readFileSync, statSync } from 'node:fs';
import { basename, join, normalize } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../../rules/shipped.ts';
import { Patch, patched } from './patch.ts';

export const BASE = 'config/kubernetes/base';
export const PERSISTENT = 'config/kubernetes/persistent';

const Texts = z.record(z.string(), z.string());

/** Fields of our kustomizations. The tests reject any other field. */
const Kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  resources: z.array(z.string()).default([]),
  generatorOptions: z
    .strictObject({ disableNameSuffixHash: z.boolean(), labels: Texts, annotations: Texts })
    .optional(),
  configMapGenerator: z.array(z.strictObject({ name: z.string(), files: z.array(z.string()) })).default([]),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })).default([]),
  patches: z
    .array(
      z.strictObject({
        path: z.string(),
        target: z.strictObject({ kind: z.string(), name: z.string() }),
      }),
    )
    .default([]),
});

export const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: Texts.optional() }),
});

/** An object that is sent to the cluster. */
export type Manifest = z.infer<typeof Manifest>;

/** A patch, and what it changes. */
type Change = { readonly path: string; readonly target: { readonly kind: string; readonly name: string } };

/** Builds a folder as `kubectl kustomize` does, without the names of images and the hashes in names. */
export type Built = {
  readonly manifests: readonly Manifest[];
  readonly images: z.infer<typeof Kustomization>['images'];
  /** Every file that has a part in it, from the root of the project. */
  readonly files: readonly string[];
};

/**
 * Reads a kustomization and everything that it names.
 *
 * @param folder from the root of the project
 * @throws if a file is not there, or lies outside of the folder of its kustomization, which kubectl refuses
 */
export function build(folder: string): Built {
  const file = join(folder, 'kustomization.yml');
  const content = Kustomization.parse(parse(read(file)));
  const { resources, configMapGenerator, generatorOptions, images, patches } = content;
  const parts = resources.map((resource) => {
    const path = normalize(join(folder, resource));
    return statSync(join(ROOT, path)).isDirectory() ? build(path) : single(within(folder, resource));
  });
  const generated = configMapGenerator.map(({ name, files }) => {
    const paths = files.map((part) => within(folder, part));
    const data = Object.fromEntries(paths.map((path) => [basename(path), read(path)]));
    const { labels = {}, annotations = {} } = generatorOptions ?? {};
    const metadata = { name, labels, annotations };
    return { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }], images: [], files: paths };
  });
  const all = [...parts, ...generated];
  const changes = patches.map(({ path, target }) => ({ path: within(folder, path), target }));
  return {
    manifests: changes.reduce(
      applied,
      all.flatMap(({ manifests }) => manifests),
    ),
    images: [...all.flatMap((part) => part.images), ...images],
    files: [file, ...all.flatMap(({ files }) => files), ...changes.map(({ path }) => path)],
  };
}

function applied(manifests: readonly Manifest[], change: Change): readonly Manifest[] {
  const { kind, name } = change.target;
  const patch = Patch.parse(parse(read(change.path)));
  return manifests.map((manifest) =>
    manifest.kind === kind && manifest.metadata.name === name ? patched(manifest, patch) : manifest,
  );
}

/** The one manifest of a kind, read by the schema of what the test looks at. */
export function only<Shape>(built: Built, kind: string, shape: z.ZodType<Shape>): Shape {
  const [found, ...others] = built.manifests.filter((manifest) => manifest.kind === kind);
  if (found === undefined || others.length > 0)
    throw new Error(`expected one ${kind}, got ${others.length + (found === undefined ? 0 : 1)}`);
  return shape.parse(found);
}

function single(path: string): Built {
  const manifests = parseAllDocuments(read(path), { merge: true }).map((document) =>
    // The rules share texts by merging them.
    Manifest.parse(document.toJS({ maxAliasCount: -1 })),
  );
  return { manifests, images: [], files: [path] };
}

function within(folder: string, path: string): string {
  if (normalize(path).startsWith('..')) throw new Error(`${path} lies outside of ${folder}`);
  return join(folder, path);
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
