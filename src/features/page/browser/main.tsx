import { render } from 'preact';
import { createTimeZone } from '../../../base/time-zone.ts';
import { Page } from './app.tsx';
import { connectToExporter, eachSecond } from './exporter.ts';
import { goTo } from './parts.tsx';
import { focusSearch } from './toolbar.tsx';
import { fragmentOf, parseView, selectionOf, type TableView, viewAfter } from './view.ts';

/*
 * The fleet page. It is drawn from the document of the exporter, the view in the address, and the time.
 */

const root = document.getElementById('page');
if (root === null) throw new Error('The page has no element "page".');
const metrics = root.dataset['metrics'] ?? '';
const zone = createTimeZone();
let view = parseView(location.hash);
/** The section that the address names, such as #month, until the page has it. */
let wanted = sectionOf(location.hash);
const exporter = connectToExporter('api/v1/fleet', paint);
const actions = {
  onView: (part: Partial<TableView>) => show({ ...view, ...part }),
  onRefresh: exporter.refresh,
};

function paint(): void {
  const state = { ...exporter.state(), view, now: exporter.now(), zone, metrics };
  if (root === null) return;
  // A translator has replaced text nodes, and what it replaced would never change again.
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

/** Returns the id of a section in a fragment; undefined for a view. */
function sectionOf(fragment: string): string | undefined {
  const section = /^#([a-z]+)$/.exec(fragment)?.[1];
  // Its name before 0.1.0, which bookmarks may have.
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

root.textContent = '';
eachSecond(paint);
