import type { FleetDocument } from '../fleet/document.ts';
import { compareTexts, type GroupCount, type PhoneIndex, TABLE_COLUMNS } from '../fleet/phones.ts';
import { numberText, PROBLEM_WORDS } from '../fleet/words.ts';
import { PROBLEMS } from '../model/problem.ts';
import { byId, element, setText } from './dom.ts';
import { COLUMN_TITLES } from './table.ts';
import {
  DEFAULT_VIEW,
  type Filter,
  isShown,
  parseView,
  STATE_FILTERS,
  STATE_TITLES,
  type TableView,
} from './view.ts';

type Toolbar = {
  /** Shows a view in its controls. */
  readonly show: (view: TableView) => void;
  /** Sets the options of the selects. */
  readonly setOptions: (fleet: FleetDocument, phones: PhoneIndex, groups: readonly GroupCount[]) => void;
  /** Shows the number of selected phones. */
  readonly count: (chosen: number, all: number) => void;
  readonly focusSearch: () => void;
};

/** @param onChange called with the changed part of the view */
export function createToolbar(onChange: (change: Partial<TableView>) => void): Toolbar {
  const search = element('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Search label, id, model …',
    'aria-label': 'Search phones',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const show = element('select', { id: 'show', 'aria-label': 'Show' });
  const account = element('select', { id: 'account', 'aria-label': 'Account' });
  const group = element('select', { id: 'group', 'aria-label': 'Group' });
  const sort = element(
    'select',
    { id: 'sort', 'aria-label': 'Sort by' },
    ...TABLE_COLUMNS.map((column) => element('option', { value: column }, `Sort: ${COLUMN_TITLES[column]}`)),
  );
  const clear = element('button', { type: 'button', class: 'clear', id: 'clear' }, 'Clear');
  byId('controls').replaceChildren(search, show, account, group, sort, clear);
  const chosen = (fields: Readonly<Record<string, string>>): TableView =>
    parseView(new URLSearchParams(fields).toString());
  search.addEventListener('input', () => onChange({ query: search.value }));
  show.addEventListener('change', () => onChange({ show: chosen({ show: show.value }).show }));
  account.addEventListener('change', () => onChange({ account: account.value || undefined }));
  group.addEventListener('change', () => onChange({ group: group.value || undefined }));
  sort.addEventListener('change', () =>
    onChange({ sort: chosen({ sort: sort.value }).sort, descending: false }),
  );
  clear.addEventListener('click', () => {
    onChange(DEFAULT_VIEW);
    search.focus();
  });
  let wanted: TableView = DEFAULT_VIEW;
  const apply = (view: TableView): void => {
    wanted = view;
    if (search.value !== view.query) search.value = view.query;
    show.value = view.show;
    account.value = view.account ?? '';
    group.value = view.group ?? '';
    sort.value = view.sort;
    const { query, account: ofAccount, group: ofGroup, cause } = view;
    const isWhole = [ofAccount, ofGroup, cause].every((choice) => choice === undefined);
    clear.hidden = query === '' && view.show === 'all' && isWhole;
  };
  return {
    show: apply,
    setOptions: (fleet, phones, groups) => {
      replaceOptions(show, showOptions(phones));
      account.hidden = fleet.accounts.length < 2;
      const names = fleet.accounts.map(({ name }) => element('option', { value: name }, name));
      replaceOptions(account, [element('option', { value: '' }, 'All accounts'), ...names]);
      group.hidden = groups.length < 2;
      const byName = [...new Set(groups.map((each) => each.group))].sort(compareTexts);
      replaceOptions(group, [
        element('option', { value: '' }, 'All groups'),
        ...byName.map((name) => element('option', { value: name }, name)),
      ]);
      apply(wanted);
    },
    count: (some, all) => {
      const text = some === all ? numberText(all) : `${numberText(some)} of ${numberText(all)}`;
      setText(byId('phones-count'), text);
    },
    focusSearch: () => search.focus(),
  };
}

/** Keeps an open list open if its options are the same. */
function replaceOptions(select: HTMLSelectElement, options: readonly HTMLElement[]): void {
  const wanted = element('select', {}, ...options);
  if (wanted.textContent !== select.textContent) select.replaceChildren(...wanted.children);
}

function showOptions({ entries }: PhoneIndex): readonly HTMLElement[] {
  const option = (show: Filter, title: string): HTMLElement => {
    const count = entries.filter(({ phone }) => isShown(phone, show)).length;
    return element('option', { value: show }, `${title} (${numberText(count)})`);
  };
  return [
    option('all', 'All phones'),
    element(
      'optgroup',
      { label: 'Needs attention' },
      option('attention', 'Anything'),
      ...PROBLEMS.map((problem) => option(problem, PROBLEM_WORDS[problem].title)),
    ),
    element(
      'optgroup',
      { label: 'State' },
      ...STATE_FILTERS.map((state) => option(state, STATE_TITLES[state])),
    ),
  ];
}
