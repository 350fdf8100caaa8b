import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { parse } from 'yaml';

/*
 * A stand-in for Prometheus and Alertmanager as processes: it loads the file of `--config.file` at the start and at SIGHUP, and
 * says what it has loaded under the paths of both. A file with `REFUSED` in it is not loaded.
 */

const flag = (name) => process.argv.find((each) => each.startsWith(`--${name}=`))?.split('=')[1] ?? '';
const external = flag('web.external-url').replace(/^[a-z]+:\/\/[^/]*/, '');
const prefix = (flag('web.route-prefix') || external).replace(/\/$/, '');
let loaded = {};
let text = '';
let loadedAt = 0;

function load() {
  const next = readFileSync(flag('config.file'), 'utf8');
  if (next.includes('REFUSED') && loadedAt > 0) return;
  text = next;
  loaded = parse(text, { merge: true }) ?? {};
  loadedAt = Date.now() / 1000;
}

const names = (list = []) => list.map((each) => each.job_name ?? each.name);
const hosts = () =>
  (loaded.alerting?.alertmanagers ?? []).flatMap((each) =>
    each.static_configs.flatMap(({ targets }) => targets),
  );
const hasRules = () =>
  (loaded.rule_files ?? []).some((path) => path.includes('hoster') || path.includes('*'));
const PATHS = {
  '/-/ready': () => 'ready',
  '/metrics': () =>
    ['prometheus', 'alertmanager']
      .map((kind) => `${kind}_config_last_reload_success_timestamp_seconds ${loadedAt}\n`)
      .join(''),
  '/api/v1/status/config': () => ({ data: { yaml: text } }),
  '/api/v1/targets': () => ({
    data: { activeTargets: names(loaded.scrape_configs).map((scrapePool) => ({ scrapePool })) },
  }),
  '/api/v1/rules': () => ({
    data: { groups: hasRules() ? [{ rules: [{ name: 'HosterSoldPhoneOffline' }] }] : [] },
  }),
  '/api/v1/alertmanagers': () => ({
    data: { activeAlertmanagers: hosts().map((host) => ({ url: `http://${host}/api/v2/alerts` })) },
  }),
  '/api/v2/receivers': () => names(loaded.receivers).map((name) => ({ name })),
};

const server = createServer((request, response) => {
  const path = new URL(request.url, 'http://x').pathname;
  const answer = PATHS[path.slice(prefix.length)];
  if (process.env.LOCKED) response.writeHead(401).end();
  else if (answer === undefined || !path.startsWith(`${prefix}/`)) response.writeHead(404).end();
  else {
    const said = answer();
    response.end(typeof said === 'string' ? said : JSON.stringify(said));
  }
});
load();
process.on('SIGHUP', load);
server.listen(Number(flag('web.listen-address').split(':')[1]), '127.0.0.1', () =>
  process.stdout.write('ready\n'),
);
