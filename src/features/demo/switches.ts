import { DEFAULT_GROUPS, groupOf } from '../../model/group.ts';
import type { Marketplace } from './marketplace.ts';

/** Number of groups that have a button. */
const SHOWN_GROUPS = 12;

/** Returns a page with buttons for the faults, so that nobody needs curl. */
export function switchesPage(marketplaces: readonly Marketplace[]): string {
  const labels = marketplaces.flatMap((marketplace) => marketplace.phones().map(({ label }) => label));
  const groups = [...new Set(labels.map((label) => groupOf(label, DEFAULT_GROUPS)))].filter((group) =>
    /^[\w-]+$/.test(group),
  );
  const button = (method: string, path: string, text: string): string =>
    `<button data-method="${method}" data-path="${path}">${text}</button>\n`;
  const cuts = groups.sort().slice(0, SHOWN_GROUPS);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>Simulated marketplace</title>
<style>body { font: 16px system-ui; margin: 2rem } button { font: inherit; padding: .5rem 1rem; margin: .25rem }</style>
<h1>Simulated marketplace</h1>
<p>Start a fault, and watch the fleet page. A power cut shows within four minutes.</p>
<p>${button('PUT', '/down', 'API down')}${button('PUT', '/slow', 'API slow')}${button('PUT', '/refused-key', 'Key refused')}</p>
<p>${cuts.map((group) => button('PUT', `/group/${group}`, `Cut ${group}`)).join('')}</p>
<p>${button('DELETE', '', 'End all faults')}</p>
<p>Active: <b id="active">none</b></p>
<script>
const show = async (method, path) => {
  const response = await fetch('/-/faults' + path, { method });
  const { data } = await response.json();
  active.textContent = data.active.map(({ name, phones }) => name + (phones > 0 ? ' (' + phones + ' phones)' : '')).join(', ') || 'none';
};
document.addEventListener('click', ({ target: { dataset } }) => dataset.method && show(dataset.method, dataset.path));
show('GET', '');
</script>
`;
}
