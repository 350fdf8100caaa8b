import type { Feature } from './cli/command.ts';
import { createConfigSchema } from './config/schema.ts';
import { chat } from './features/chat/index.ts';
import { demo } from './features/demo/index.ts';
import { discovery } from './features/discovery/index.ts';
import { history } from './features/history/index.ts';
import { incidents } from './features/incidents/index.ts';
import { maintenance } from './features/maintenance/index.ts';
import { month } from './features/month/index.ts';
import { page } from './features/page/index.ts';
import { setup } from './features/setup/index.ts';
import { tags } from './features/tags/index.ts';

/** All features, in help order. To remove a feature, delete its line and its folder. */
export const FEATURES: readonly Feature[] = [
  setup,
  demo,
  page,
  history,
  maintenance,
  month,
  incidents,
  tags,
  chat,
  discovery,
];

/** The configuration with the settings of all features. */
export const CONFIG_SCHEMA = createConfigSchema(FEATURES.flatMap(({ settings = [] }) => settings));
