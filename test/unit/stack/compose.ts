import { parse } from 'yaml';
import { z } from 'zod';
import { shippedText } from '../../rules/shipped.ts';

const Network = z.object({ aliases: z.array(z.string()).default([]) });

function withoutAliases(names: readonly string[]): Record<string, z.infer<typeof Network>> {
  return Object.fromEntries(names.map((name) => [name, { aliases: [] }]));
}

const Service = z.looseObject({
  image: z.string(),
  profiles: z.array(z.string()),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  networks: z
    .union([z.array(z.string()).transform(withoutAliases), z.record(z.string(), Network)])
    .default({}),
});

const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
  volumes: z.record(z.string(), z.unknown()),
  networks: z.record(z.string(), z.object({ internal: z.boolean().optional() })),
});

/** A service as compose.yaml declares it, as far as tests ask. */
export type Service = z.infer<typeof Service>;

/** compose.yaml as data, its anchors resolved. */
export const COMPOSE_DOCUMENT: unknown = parse(shippedText('compose.yaml'), { merge: true });

export const COMPOSE = Compose.parse(COMPOSE_DOCUMENT);

/** `live` is your account, `demo` the simulated marketplace. */
export const PROFILES = ['live', 'demo'] as const;

/** The services that a profile starts, by name. */
export function servicesOf(profile: string): readonly (readonly [name: string, service: Service])[] {
  return Object.entries(COMPOSE.services).filter(([, { profiles }]) => profiles.includes(profile));
}

/** A mount of a file or folder of the repository. */
export type Mount = { readonly source: string; readonly target: string; readonly mode: string | undefined };

export function mountsOf({ volumes }: Service): readonly Mount[] {
  return volumes.map((text) => {
    const [source = '', target = '', mode] = text.split(':');
    return { source, target, mode };
  });
}

/** The service of a profile that others reach by a name. */
export function reachedBy(profile: string, host: string): Service | undefined {
  return servicesOf(profile).find(([name, { networks }]) =>
    [name, ...Object.values(networks).flatMap(({ aliases }) => aliases)].includes(host),
  )?.[1];
}
