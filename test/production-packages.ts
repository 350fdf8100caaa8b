import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Names = z.record(z.string(), z.string()).default({});

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      dependencies: Names,
      optionalDependencies: Names,
      hasInstallScript: z.boolean().default(false),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
    }),
  ),
});

/** A package that is installed with the program. */
export type ProductionPackage = z.infer<typeof Lock>['packages'][string] & {
  readonly name: string;
  /** Where it lies, from the root of the project. */
  readonly path: string;
};

/** The packages that the program needs, and those that they need: found by following the lock file, not by its marks. */
export function productionPackages(): readonly ProductionPackage[] {
  const { packages } = Lock.parse(
    JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')),
  );
  const found = new Map<string, ProductionPackage>();
  const follow = (from: string): void => {
    const { dependencies, optionalDependencies } = packages[from] ?? {
      dependencies: {},
      optionalDependencies: {},
    };
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = `node_modules/${name}`;
      const entry = packages[path];
      // Each is there once, at the top: npm would put a second version elsewhere.
      if (entry === undefined || packages[`${from}/${path}`] !== undefined) throw new Error(`not at ${path}`);
      if (found.has(path)) continue;
      found.set(path, { ...entry, name, path });
      follow(path);
    }
  };
  follow('');
  return [...found.values()];
}
