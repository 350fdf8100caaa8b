import { parseArgs } from 'node:util';
import { mayLimitMemory, shippedLimit } from './limit.ts';
import { hasNginx } from './nginx.ts';
import { type Figure, jsonLine, type Scenario, table } from './report.ts';
import { accounts } from './scenarios/accounts.ts';
import { attack } from './scenarios/attack.ts';
import { causes } from './scenarios/causes.ts';
import { cycle } from './scenarios/cycle.ts';
import { memory } from './scenarios/memory.ts';
import { messages } from './scenarios/messages.ts';
import { offline } from './scenarios/offline.ts';
import { poll } from './scenarios/poll.ts';
import { prometheus } from './scenarios/prometheus.ts';
import { render } from './scenarios/render.ts';
import { scrape } from './scenarios/scrape.ts';
import { size } from './scenarios/size.ts';
import { slowReaders } from './scenarios/slow-readers.ts';
import { stall } from './scenarios/stall.ts';

const SCENARIOS: readonly Scenario[] = [
  size,
  scrape,
  prometheus,
  render,
  poll,
  accounts,
  slowReaders,
  memory,
  stall,
  cycle,
  causes,
  offline,
  attack,
  messages,
];

function usual(): string {
  return SCENARIOS.filter(({ isSlow }) => isSlow !== true)
    .map(({ name }) => name)
    .join(',');
}

const USAGE = `npm run bench -- [--phones 1000,10000,100000] [--only scrape,render] [--rounds 15] [--minutes 5] [--limit MEBIBYTES]
Scenarios: ${SCENARIOS.map(({ name }) => name).join(', ')}.
Tables go to standard output, and each figure as a JSON line to standard error.`;

const { values } = parseArgs({
  options: {
    phones: { type: 'string', default: '1000,10000,100000' },
    only: { type: 'string', default: usual() },
    rounds: { type: 'string', default: '15' },
    minutes: { type: 'string', default: '5' },
    limit: { type: 'string', default: String(shippedLimit()) },
    help: { type: 'boolean', default: false },
  },
});

const unknown = values.only.split(',').filter((name) => !SCENARIOS.some((each) => each.name === name));

if (values.help) {
  console.log(USAGE);
} else if (unknown.length > 0) {
  console.error(`there is no scenario ${unknown.join(', ')}\n${USAGE}`);
  process.exitCode = 2;
} else {
  const phones = values.phones.split(',').map(Number);
  const rounds = Number(values.rounds);
  const minutes = Number(values.minutes);
  const limit = Number(values.limit);
  const chosen = values.only.split(',');
  console.log(`Node ${process.versions.node}`);
  if (!hasNginx()) console.log('nginx is not installed here (/usr/sbin/nginx): no figures beside it.');
  if (!mayLimitMemory())
    console.log('Only root on Linux can limit memory: no figures of memory with a limit.');
  for (const { name, title, run } of SCENARIOS.filter((scenario) => chosen.includes(scenario.name))) {
    const figures: Figure[] = [];
    for await (const figure of run({ phones, rounds, minutes, limit })) {
      figures.push(figure);
      console.error(jsonLine(name, figure));
    }
    console.log(table(title, figures));
  }
}
