import type { Feature } from '../../cli/command.ts';
import { loadPage } from './files.ts';

/** The fleet page and the runbooks. */
export const page: Feature = {
  name: 'page',
  create: ({ config, readPageFile }) => ({
    routes: () =>
      Array.from(
        loadPage(readPageFile, config().web.telemetry_path, () => config().language ?? ''),
        ([path, answer]) => [path, { methods: ['GET'] as const, answer }] as const,
      ),
  }),
};
