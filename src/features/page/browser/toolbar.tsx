import { useMemo } from 'preact/hooks';
import type { FleetDocument } from '../../../fleet/document.ts';
import { compareTexts, type PhoneIndex, tagOf } from '../../../fleet/phones.ts';
import { numberText, PROBLEM_WORDS } from '../../../fleet/words.ts';
import { PROBLEMS } from '../../../model/problem.ts';
import type { PhoneGroup } from './cards.ts';
import { Choice, type ViewProps } from './parts.tsx';
import { countShown, DEFAULT_VIEW, type Filter, isWhole, parseView, STATE_FILTERS, STATES } from './view.ts';

/** The search and the filters. */
export function Toolbar({
  shown: { fleet, phones },
  view,
  onView,
  groups,
}: ViewProps & { readonly groups: readonly PhoneGroup[] }) {
  const { query, show, account = '', group = '', tag = '' } = view;
  const accounts = fleet.accounts.map(({ name }) => name);
  const groupNames = useMemo(
    () => [...new Set(groups.flatMap(({ entries: [first] }) => first?.phone.group || []))].sort(compareTexts),
    [groups],
  );
  const tags = useMemo(() => tagChoices(fleet), [fleet]);
  const countOf = useMemo(() => counterOf(phones), [phones]);
  const option = (filter: Filter, title: string) => (
    <option key={filter} value={filter}>
      {`${title} (${numberText(countOf(filter))})`}
    </option>
  );
  return (
    <search class="controls" aria-label="Phones">
      <input
        type="search"
        id="search"
        placeholder="Search label, id, model …"
        aria-label="Search phones"
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={({ currentTarget }) => onView({ query: currentTarget.value })}
      />
      <select
        id="show"
        aria-label="Show"
        value={show}
        onChange={({ currentTarget: { value } }) => onView({ show: parseView(`show=${value}`).show })}
      >
        {option('all', 'All phones')}
        <optgroup label="Needs attention">
          {option('attention', 'Anything')}
          {PROBLEMS.map((problem) => option(problem, PROBLEM_WORDS[problem].title))}
        </optgroup>
        <optgroup label="State">{STATE_FILTERS.map((state) => option(state, STATES[state].title))}</optgroup>
      </select>
      {accounts.length > 1 && (
        <Choice
          label="Account"
          id="account"
          options={[['', 'All accounts'], ...accounts.map((name) => [name, name] as const)]}
          value={account}
          onChoose={(name) => onView({ account: name || undefined })}
        />
      )}
      {groupNames.length > 1 && (
        <Choice
          label="Group"
          id="group"
          options={[['', 'All groups'], ...groupNames.map((name) => [name, name] as const)]}
          value={group}
          onChoose={(name) => onView({ group: name || undefined })}
        />
      )}
      {tags.length > 0 && (
        <Choice
          label="Tag"
          id="tag"
          options={[['', 'All tags'], ...tags]}
          value={tag}
          onChoose={(name) => onView({ tag: name || undefined })}
        />
      )}
      {!isWhole(view) && (
        <button
          type="button"
          class="button"
          onClick={() => {
            onView(DEFAULT_VIEW);
            focusSearch();
          }}
        >
          Clear
        </button>
      )}
    </search>
  );
}

/** Values of a tag above which they are searched rather than chosen. */
const CHOSEN_VALUES = 50;

/** Lists the tags that phones have, with their values, in the order of the file. */
function tagChoices({ exporter, phones }: FleetDocument): readonly (readonly [string, string])[] {
  return (exporter.tags ?? []).flatMap((name) => {
    const values = new Set(phones.flatMap((phone) => tagOf(phone, name) ?? []));
    if (values.size > CHOSEN_VALUES) return [];
    return [...values].sort(compareTexts).map((value) => [`${name}=${value}`, `${name} ${value}`] as const);
  });
}

export function focusSearch(): void {
  document.getElementById('search')?.focus();
}

/** Returns a function that counts phones by filter. */
function counterOf({ entries }: PhoneIndex): (filter: Filter) => number {
  const filters: readonly Filter[] = ['all', 'attention', ...STATE_FILTERS];
  const counts = new Map<Filter, number>(filters.map((filter) => [filter, countShown(entries, filter)]));
  for (const { phone } of entries)
    if (phone.problem !== undefined) counts.set(phone.problem, (counts.get(phone.problem) ?? 0) + 1);
  return (filter) => counts.get(filter) ?? 0;
}
