import { render } from 'preact';
import { createTimeZone, isTimeZone, type TimeZone } from '../../../base/time-zone.ts';
import type { FleetDocument } from '../../../fleet/document.ts';
import { REQUEST_FAILURES, timeTextAt, withoutSeconds } from '../../../fleet/freshness.ts';
import { say } from '../../../text/say.ts';
import { Page } from './app.tsx';
import { connectToExporter, eachSecond } from './exporter.ts';
import { loadLanguage } from './language.ts';
import { goTo } from './parts.tsx';
import { showTab } from './status.tsx';
import { focusSearch } from './toolbar.tsx';
import { hiddenVerdictOf } from './verdict.ts';
import { fragmentOf, parseView, selectionOf, type TableView, viewAfter } from './view.ts';

declare const PAGE_VERSION: string;

/* The fleet page. It is drawn from the exporter's document, the view in the address, and the time. */

const root = document.getElementById('page');
if (root === null) throw new Error('The page has no element "page".');
const metrics = root.dataset['metrics'] ?? '';
let zone = createTimeZone();
let zoneName = '';
let view = parseView(location.hash);
/** The section that the address names, such as #month, until the page shows it. */
let wanted = sectionOf(location.hash);
/** The texts are loaded. */
let isReady = false;
const exporter = connectToExporter('api/v1/fleet', paint);
const actions = {
  onView: (part: Partial<TableView>) => show({ ...view, ...part }),
  onRefresh: exporter.refresh,
};

function paint(): void {
  if (!isReady) return;
  const { latest, ...known } = exporter.state();
  const now = exporter.now();
  // If the document lacks it, a part fails, and the page names that part.
  const own: Partial<FleetDocument['exporter']> = latest?.exporter ?? {};
  zone = zoneOf(own.timeZone ?? '');
  const version = own.version ?? PAGE_VERSION;
  const isUpgraded = known.connection.failure === REQUEST_FAILURES.upgraded;
  const newer = isUpgraded ? 'new' : version === PAGE_VERSION ? undefined : version;
  const state = { ...known, view, now, zone, metrics, newer };
  if (newer !== undefined) reloadFor(newer);
  if (document.hidden) {
    const { title, tone } = hiddenVerdictOf(latest, known.connection, now, timeTextAt(now, zone));
    showTab(title, tone);
    return;
  }
  if (root === null) return;
  // A translator has replaced text nodes. The replaced ones would never change again.
  if (root.querySelector('font') !== null) {
    render(null, root);
    root.textContent = '';
  }
  render(<Page state={state} actions={actions} />, root);
  if (wanted !== undefined && state.fleet !== undefined) {
    goTo(wanted);
    wanted = undefined;
  }
}

/** Returns the owner's time zone, or this device's if the browser is too old to know the name. */
function zoneOf(name: string): TimeZone {
  if (name === zoneName) return zone;
  zoneName = name;
  return createTimeZone(isTimeZone(name) ? name : undefined);
}

/** Reloads the page once for each newer version of the exporter, but not while somebody types or has a dialog open. */
function reloadFor(version: string): void {
  if (document.querySelector('dialog, form.note, input:focus, select:focus') !== null) return;
  try {
    if (sessionStorage.getItem('reloaded-for') === version) return;
    sessionStorage.setItem('reloaded-for', version);
  } catch {
    // Without session storage, it would reload forever.
    return;
  }
  location.reload();
}

/** Returns the id of a section in a fragment; undefined for a view. */
function sectionOf(fragment: string): string | undefined {
  const section = /^#([a-z]+)$/.exec(fragment)?.[1];
  // Its name before 0.1.0, which bookmarks may still have.
  return section === 'alerts' ? 'incidents' : section;
}

/** Shows a view and stores it in the address. */
function show(next: TableView): void {
  view = next;
  history.replaceState(null, '', fragmentOf(view));
  paint();
}

addEventListener('hashchange', () => {
  wanted = sectionOf(location.hash);
  if (wanted !== undefined) return paint();
  const before = view;
  show(viewAfter(before, location.hash));
  if (selectionOf(before) !== selectionOf(view)) goTo('phones');
});
// A link to a section leaves the view in the address.
addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link !== null && goTo(link.getAttribute('href')?.replace(/^#/, '') ?? '')) event.preventDefault();
});
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  focusSearch();
});

// A browser that freezes the page does not wake it up, so its tab shows the past from now on.
document.addEventListener('freeze', () => {
  const now = exporter.now();
  showTab(say('page-at', { time: withoutSeconds(timeTextAt(now, zone)(now)) }), 'wait');
});
document.addEventListener('visibilitychange', paint);

// If the texts do not load, the message for browsers without scripts is shown again.
root.hidden = true;
void loadLanguage(root.dataset['language'] ?? '')
  .then(() => {
    root.textContent = '';
    isReady = true;
    eachSecond(paint);
  })
  .finally(() => root.removeAttribute('hidden'));
