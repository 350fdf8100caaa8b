import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { outputOf } from '../output.ts';
import { ROOT } from '../rules/shipped.ts';

/** Where images and what they are made of stay between two runs; git ignores it. */
export const STORE = join(ROOT, '.build/image');

/** buildah with a store of its own, so that nothing of this machine's is touched. */
export function buildah(...parameters: readonly string[]): Promise<string> {
  mkdirSync(STORE, { recursive: true });
  const store = ['--root', join(STORE, 'store'), '--runroot', join(STORE, 'run'), '--storage-driver', 'vfs'];
  return outputOf('buildah', [...store, ...parameters]);
}

/** Why no image can be built here; undefined if one can. */
export async function missing(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return 'root on Linux is needed, to build an image without an engine';
  }
  try {
    await outputOf('buildah', ['--version']);
  } catch {
    return 'buildah is needed (Debian: apt-get install --no-install-recommends buildah)';
  }
  return undefined;
}

const Image = z
  .object({
    OCIv1: z.object({
      architecture: z.string(),
      config: z.object({
        User: z.string(),
        ExposedPorts: z.record(z.string(), z.unknown()),
        Env: z.array(z.string()),
        Entrypoint: z.array(z.string()),
        WorkingDir: z.string(),
        Labels: z.record(z.string(), z.string()),
      }),
    }),
    Docker: z.object({
      config: z.object({
        Healthcheck: z.object({ Test: z.tuple([z.literal('CMD')], z.string()) }),
      }),
    }),
  })
  .transform(({ OCIv1: { architecture, config }, Docker }) => ({
    architecture,
    user: config.User,
    ports: Object.keys(config.ExposedPorts),
    environment: Object.fromEntries(config.Env.map(variable)),
    entrypoint: config.Entrypoint,
    workingFolder: config.WorkingDir,
    labels: config.Labels,
    healthcheck: Docker.config.Healthcheck.Test.slice(1),
  }));

/** Configuration of an image. */
export type Image = z.infer<typeof Image>;

export async function inspect(name: string): Promise<Image> {
  return Image.parse(JSON.parse(await buildah('inspect', '--type', 'image', name)));
}

function variable(text: string): [string, string] {
  const cut = text.indexOf('=');
  return [text.slice(0, cut), text.slice(cut + 1)];
}
