import { useMemo } from 'preact/hooks';
import type { FleetPhone } from '../../../fleet/document.ts';
import { durationText, parseTime, rentalDuration } from '../../../fleet/freshness.ts';
import { type PhoneEntry, sumTotals } from '../../../fleet/phones.ts';
import { causeTarget, phoneTarget } from '../../../fleet/targets.ts';
import { type Visit, visitsOf } from '../../../fleet/visits.ts';
import {
  causeName,
  causeProof,
  listText,
  moneyText,
  numberText,
  outOfServiceText,
  PROBLEM_WORDS,
} from '../../../fleet/words.ts';
import { isMuted, PROBLEMS } from '../../../model/problem.ts';
import { basisOf, Link, MaintenanceButton, Name, type Shown } from './parts.tsx';
import { linkTo } from './view.ts';
import { WORDS } from './words.ts';

/** Maximum number of places; the table has all phones. */
const NAMED_PLACES = 6;

/** Maximum number of phones that a text names. */
const NAMED = 4;

/** The places that need attention, the most costly first, then the problems that can wait. */
export function Places({ shown }: { readonly shown: Shown }) {
  const { fleet, phones } = shown;
  const isUrgent = ({ problem }: FleetPhone) =>
    problem !== undefined && PROBLEM_WORDS[problem].tone !== 'info';
  const visits = useMemo(() => visitsOf(fleet, phones.entries, isUrgent), [fleet]);
  const waiting = useMemo(() => waitingOf(phones.entries), [phones]);

  const rest = visits.length - NAMED_PLACES;
  return (
    <section id="attention" aria-labelledby="attention-heading">
      <h2 id="attention-heading">
        {WORDS.needsAttention}{' '}
        <span class="count">{visits.length === 0 ? '' : numberText(visits.length)}</span>
      </h2>
      <ol id="visit" class="places">
        {visits.slice(0, NAMED_PLACES).map((visit) => (
          <Place key={visit.cause?.id ?? visit.entries[0]?.key} visit={visit} shown={shown} />
        ))}
      </ol>
      <ul class="chips">
        {rest > 0 && (
          <li>
            <a href={linkTo({ show: 'attention' })}>{WORDS.more(rest, `(Phones)`)}</a>
          </li>
        )}
        {waiting.map(({ problem, entries }) => (
          <li key={problem}>
            <a
              href={linkTo({ show: problem })}
              title={`${PROBLEM_WORDS[problem].meaning} ${listText(
                entries.map(({ name }) => name),
                NAMED,
                ', ',
              )}`}
            >
              {`${PROBLEM_WORDS[problem].title} ${numberText(entries.length)}`}
            </a>
          </li>
        ))}
      </ul>
      {visits.length + waiting.length === 0 && <NoProblem shown={shown} />}
    </section>
  );
}

/** Lists the problems that can wait, with their phones. */
function waitingOf(entries: readonly PhoneEntry[]) {
  return PROBLEMS.filter((problem) => PROBLEM_WORDS[problem].tone === 'info' && !isMuted(problem)).flatMap(
    (problem) => {
      const own = entries.filter(({ phone }) => phone.problem === problem);
      return own.length === 0 ? [] : [{ problem, entries: own }];
    },
  );
}

function Place({ visit, shown }: { readonly visit: Visit; readonly shown: Shown }) {
  const { cause, entries, sold, selfRented, costs } = visit;
  const { fleet } = shown;
  const [first] = entries;
  if (first === undefined) return null;
  const { account, problem } = first.phone;
  const amounts = costs.map(({ currency, cents }) => moneyText(cents, currency)).join(' + ');
  const cost = amounts === '' ? [] : [WORDS.costs(amounts)];
  const href = cause === undefined ? linkTo({ phone: first.key }) : linkTo({ cause: cause.id });
  const what =
    cause === undefined
      ? problem && PROBLEM_WORDS[problem].title
      : WORDS.cause(cause.phones, cause.ownPhones, cause.soldPhones);
  return (
    <li data-tone={sold + selfRented > 0 ? 'bad' : 'warn'}>
      <Link href={href} name="place-name" text={cause === undefined ? first.name : causeName(cause)} />
      <span>{what}</span>
      <span class="small">
        {fleet.accounts.length > 1 && [<Name key="account">{account}</Name>, ' · ']}
        {[...timesOf(visit, first, shown), ...cost].join(' · ')}
      </span>
      {cause !== undefined && <span class="small">{causeProof(cause)}</span>}
      <MaintenanceButton
        shown={shown}
        target={() => (cause === undefined ? phoneTarget(first) : causeTarget(cause, fleet.phones))}
      />
    </li>
  );
}

/** Returns the duration and the start of the problem of a place. */
function timesOf({ since }: Visit, { phone }: PhoneEntry, shown: Shown): readonly string[] {
  const { asOf } = basisOf(shown, phone.account);
  if (since === 0) return [`for ${rentalDuration(phone, asOf)}`];
  return [`for ${durationText((asOf - since) / 1000)}`, `since ${shown.format.brief(since, shown.now)}`];
}

/** Says that there are no problems, as far as that is known. */
function NoProblem({ shown: { fleet, now, format } }: { readonly shown: Shown }) {
  const { accounts } = fleet;
  const empty = accounts.filter(({ totals }) => totals?.phones === 0).map(({ name }) => name);
  const stale = accounts.filter(({ readings }) => readings.devices.state !== 'fresh');
  const [seenAt] = stale.flatMap(({ readings }) => readings.devices.lastSuccessAt ?? []).sort();
  const { phones, inMaintenance } = sumTotals(accounts);
  const doubts: readonly (readonly [isSo: boolean, text: string])[] = [
    [accounts.some(({ totals }) => totals === undefined), WORDS.noDataYet],
    [stale.length > 0, WORDS.noProblemAt(format.brief(parseTime(seenAt) ?? now, now))],
    [empty.length > 0, WORDS.empty(empty.join(', '))],
    [accounts.some(({ gracePeriodEndsAt }) => gracePeriodEndsAt !== undefined), WORDS.noProblemYet],
  ];
  const doubt = doubts.find(([isSo]) => isSo);
  const fine = [WORDS.fine(phones - inMaintenance), ...outOfServiceText({ notSetUp: 0, inMaintenance })];
  return (
    <p class="calm" data-tone={doubt === undefined ? 'good' : undefined}>
      {doubt === undefined ? `${fine.join(', ')}.` : doubt[1]}
    </p>
  );
}
