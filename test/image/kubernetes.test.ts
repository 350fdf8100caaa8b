import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { outputOf } from '../output.ts';
import { BASE, build, Manifest, PERSISTENT } from '../unit/kubernetes/kustomization.ts';

const isMissing = spawnSync('kubectl', ['version', '--client']).error !== undefined;
const because = isMissing ? ' (skipped: kubectl is needed)' : '';

/** The text of manifests as they are known, in a fixed order. */
function ordered(manifests: readonly unknown[]): readonly unknown[] {
  return manifests.toSorted((one, other) => (titleOf(one) < titleOf(other) ? -1 : 1));
}

function titleOf(manifest: unknown): string {
  const { kind, metadata } = Manifest.parse(manifest);
  return `${kind} ${metadata.name}`;
}

describe.skipIf(isMissing)(`config/kubernetes${because}`, () => {
  it.each([BASE, PERSISTENT])('is built by kubectl from %s as the other tests build it', async (folder) => {
    const { manifests, images } = build(folder);
    let text = await outputOf('kubectl', ['kustomize', folder]);
    // The two things that kubectl adds: hashes in names, and the whole name of the image.
    expect(text.match(/\bname: hoster-exporter-[2-9bcdfghkmt]{10}$/gm)).toHaveLength(2);
    text = text.replace(/\b(name: hoster-exporter)-[2-9bcdfghkmt]{10}$/gm, '$1');
    for (const { name, newName, newTag } of images) {
      expect(text).toContain(`image: ${newName}:${newTag}\n`);
      text = text.replace(`image: ${newName}:${newTag}\n`, `image: ${name}\n`);
    }
    const made = parseAllDocuments(text).map((document) => document.toJS());
    expect(ordered(made)).toEqual(ordered(manifests.map(withoutNothing)));
  });
});

/** kubectl prints no empty labels. */
function withoutNothing({ metadata, ...manifest }: Manifest): Manifest {
  const filled = Object.entries(metadata).filter(([, value]) => JSON.stringify(value) !== '{}');
  return Manifest.parse({ ...manifest, metadata: Object.fromEntries(filled) });
}
