import { useMemo } from 'preact/hooks';
import type { FleetDocument } from '../../../fleet/document.ts';
import { compareTexts, hasNumbers, tagNames, tagOf } from '../../../fleet/phones.ts';
import { numberText, problemTitle } from '../../../fleet/words.ts';
import { PROBLEMS } from '../../../model/problem.ts';
import { say } from '../../../text/say.ts';
import type { PhoneGroup } from './cards.ts';
import { Choice, type ViewProps } from './parts.tsx';
import { countFiltered, DEFAULT_VIEW, type Filter, isWhole, parseView, STATE_FILTERS } from './view.ts';

/** Problems to choose from. `offline` is also a state, which includes the phones with this problem. */
const OPTIONS = PROBLEMS.filter((problem) => problem !== 'offline');

type ToolbarProps = ViewProps & { readonly groups: readonly PhoneGroup[] };

/** The search and the filters. */
export function Toolbar({ shown, view, onView, groups }: ToolbarProps) {
  const { fleet, phones } = shown;
  const groupNames = useMemo(
    () => [...new Set(groups.flatMap(({ entries: [first] }) => first?.phone.group || []))].sort(compareTexts),
    [groups],
  );
  const tags = useMemo(() => tagChoices(fleet), [fleet]);
  const byName = (names: readonly string[]) => names.map((name) => [name, name] as const);
  const accounts = byName(fleet.accounts.map(({ name }) => name));
  const choices = [
    ['account', say('page-account'), say('page-all-accounts'), accounts],
    ['group', say('page-group'), say('page-all-groups'), byName(groupNames)],
    ['tag', say('page-tag'), say('page-all-tags'), tags],
  ] as const;
  const counts = useMemo(() => countFiltered(phones.entries), [phones]);
  const isKnown = hasNumbers(fleet.accounts);
  const option = (filter: Filter, title: string) => (
    <option key={filter} value={filter}>
      {isKnown ? `${title} (${numberText(counts[filter])})` : title}
    </option>
  );
  return (
    <search class="controls" aria-label={say('page-phones')}>
      <input
        type="search"
        id="search"
        placeholder={say('page-search')}
        aria-label={say('page-search-phones')}
        autocomplete="off"
        spellcheck={false}
        value={view.query}
        onInput={({ currentTarget }) => onView({ query: currentTarget.value })}
      />
      <select
        id="show"
        aria-label={say('page-show')}
        value={view.show}
        onChange={({ currentTarget: { value } }) => onView({ show: parseView(`show=${value}`).show })}
      >
        {option('all', say('page-all'))}
        <optgroup label={say('page-needs-attention')}>
          {option('attention', say('page-any-problem'))}
          {OPTIONS.map((problem) => option(problem, problemTitle(problem)))}
        </optgroup>
        <optgroup label={say('page-state')}>
          {STATE_FILTERS.map((state) => option(state, say(`filter-${state}`)))}
        </optgroup>
      </select>
      {choices.map(
        ([key, label, all, options]) =>
          options.length > (key === 'tag' ? 0 : 1) && (
            <Choice
              key={key}
              label={label}
              id={key}
              options={[['', all], ...options]}
              value={view[key] ?? ''}
              onChoose={(name) => onView({ [key]: name || undefined })}
            />
          ),
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
          {say('page-clear')}
        </button>
      )}
    </search>
  );
}

/** Maximum number of a tag's values in the list. A tag with more can be searched. */
const CHOSEN_VALUES = 50;

/** Lists the phones' tags with their values, in the order of the file. */
function tagChoices({ exporter, phones }: FleetDocument): readonly (readonly [string, string])[] {
  return tagNames(exporter).flatMap((name) => {
    const values = new Set(phones.flatMap((phone) => tagOf(phone, name) ?? []));
    if (values.size > CHOSEN_VALUES) return [];
    return [...values].sort(compareTexts).map((value) => [`${name}=${value}`, `${name} ${value}`] as const);
  });
}

export function focusSearch(): void {
  document.getElementById('search')?.focus();
}
