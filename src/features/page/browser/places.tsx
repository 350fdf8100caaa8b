import { useMemo } from 'preact/hooks';
import { describeVisit, nameIn } from '../../../fleet/describe.ts';
import { rentalDuration } from '../../../fleet/freshness.ts';
import type { PhoneEntry } from '../../../fleet/phones.ts';
import { causeTarget, phoneTarget } from '../../../fleet/targets.ts';
import type { Visit } from '../../../fleet/visits.ts';
import { listText, numberText, PROBLEM_FACTS, problemTitle } from '../../../fleet/words.ts';
import { isMuted, PROBLEMS } from '../../../model/problem.ts';
import { say } from '../../../text/say.ts';
import { Actions } from './actions.tsx';
import { cellStateOf } from './cards.ts';
import { basisOf, Link, type Shown } from './parts.tsx';
import { linkTo } from './view.ts';

/** Maximum number of places shown; the table has all phones. */
const NAMED_PLACES = 6;

/** Maximum number of phones that a text names. */
const NAMED = 4;

/** Maximum number of squares per outage; the wall has all of them. */
const MAX_SQUARES = 60;

/** The places that need attention, costliest first, then the problems that can wait. */
export function Places({ visits, shown }: { readonly visits: readonly Visit[]; readonly shown: Shown }) {
  const { phones, fleet } = shown;
  const waiting = useMemo(() => waitingOf(phones.entries), [phones]);
  if (visits.length + waiting.length === 0) return null;
  const rest = visits.length - NAMED_PLACES;
  return (
    <section id="attention" aria-labelledby="attention-heading">
      <h2 id="attention-heading" class={visits.length === 0 ? 'hidden' : undefined}>
        {say('page-needs-attention')} <span class="count">{numberText(visits.length)}</span>
      </h2>
      <ol id="visit" class="places">
        {visits.slice(0, NAMED_PLACES).map((visit) => (
          <Place key={visit.cause?.id ?? visit.entries[0]?.key} visit={visit} shown={shown} />
        ))}
      </ol>
      <ul class="chips">
        {rest > 0 && (
          <li>
            <a href={linkTo({ show: 'attention' })}>{say('page-more-phones', { count: rest })}</a>
          </li>
        )}
        {waiting.map(({ problem, entries }) => (
          <li key={problem}>
            <a href={linkTo({ show: problem })}>{`${problemTitle(problem)} ${numberText(entries.length)}`}</a>{' '}
            <bdi class="small">
              {listText(
                entries.map(({ name, phone }) => nameIn(fleet, name, phone.account)),
                NAMED,
                ', ',
              )}
            </bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Lists the problems that can wait, with their phones. */
function waitingOf(entries: readonly PhoneEntry[]) {
  return PROBLEMS.filter((problem) => PROBLEM_FACTS[problem].tone === 'info' && !isMuted(problem)).flatMap(
    (problem) => {
      const own = entries.filter(({ phone }) => phone.problem === problem);
      return own.length === 0 ? [] : [{ problem, entries: own }];
    },
  );
}

type PlaceProps = { readonly visit: Visit; readonly shown: Shown };

function Place({ visit, shown }: PlaceProps) {
  const { cause, entries, sold, selfRented } = visit;
  const { fleet, time } = shown;
  const [first] = entries;
  if (first === undefined) return null;
  const { asOf } = basisOf(shown, first.phone.account);
  const description = describeVisit(visit, fleet, asOf, time);
  const { title, name, counts, since, lasted, who, cost, advice } = description;
  const times =
    since === undefined
      ? [say('page-for', { duration: rentalDuration(first.phone, asOf) })]
      : [say('page-for', { duration: lasted }), say('since', { time: time(since) })];
  const href = cause === undefined ? linkTo({ phone: first.key }) : linkTo({ cause: cause.id });
  return (
    <li data-tone={sold + selfRented > 0 ? 'bad' : 'warn'} class={cause && 'outage'}>
      <Link href={href} name="place-name" text={name} />
      <span>{counts || title}</span>
      <span class="small">{[...times, cost].filter(Boolean).join(' · ')}</span>
      {who !== '' && <span class="small">{who}</span>}
      {cause !== undefined && [
        <Squares key="squares" visit={visit} shown={shown} />,
        <span key="advice" class="small">
          {advice}
        </span>,
      ]}
      <Actions
        shown={shown}
        target={() =>
          cause === undefined ? phoneTarget(first) : { ...causeTarget(cause, fleet.phones), title: name }
        }
      />
    </li>
  );
}

/** The squares of an outage: all phones of its group, as on the wall; for any other cause, the offline ones. */
function Squares({ visit: { cause, entries }, shown: { phones } }: PlaceProps) {
  const all = useMemo(() => {
    if (cause?.kind !== 'group') return entries;
    const account = entries[0]?.phone.account;
    return phones
      .ordered('phone', false)
      .filter(({ phone }) => phone.group === cause.value && phone.account === account);
  }, [phones, cause, entries]);
  return (
    <span class="squares" aria-hidden="true">
      {all.slice(0, MAX_SQUARES).map(({ key, phone }) => (
        <span key={key} class="cell" data-cell={cellStateOf(phone)} />
      ))}
    </span>
  );
}
