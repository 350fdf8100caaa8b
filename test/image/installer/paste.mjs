// Adds the lines of `setup join` to the configuration of an owner, as a person does: paste.mjs CONFIGURATION LINES
import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

const [, , configuration, lines] = process.argv;
const read = (path) => parse(readFileSync(path, 'utf8'), { merge: true });

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const join = (own, added) => {
  if (Array.isArray(added)) return [...(own ?? []), ...added];
  if (!isMap(added)) return added;
  return {
    ...own,
    ...Object.fromEntries(Object.keys(added).map((key) => [key, join(own?.[key], added[key])])),
  };
};

writeFileSync(configuration, stringify(join(read(configuration), read(lines))));
