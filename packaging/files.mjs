// What package.json's scripts do with files, on any system: `remove PATH…` and `executable PATH…`.

import { chmodSync, rmSync } from 'node:fs';

const [action, ...paths] = process.argv.slice(2);
const actions = {
  remove: (path) => rmSync(path, { recursive: true, force: true }),
  executable: (path) => chmodSync(path, 0o755),
};
if (!(action in actions)) throw new Error(`got ${action}, expected ${Object.keys(actions).join(' or ')}`);
for (const path of paths) actions[action](path);
