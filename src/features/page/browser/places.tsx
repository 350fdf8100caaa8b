import { useMemo } from 'preact/hooks';
import type { FleetPhone } from '../../../fleet/document.ts';
import { durationText, rentalDuration } from '../../../fleet/freshness.ts';
import type { PhoneEntry } from '../../../fleet/phones.ts';
import { causeTarget, phoneTarget } from '../../../fleet/targets.ts';
import { type Visit, visitsOf } from '../../../fleet/visits.ts';
import {
  causeName,
  causeProof,
  listText,
  moneyText,
  numberText,
  PROBLEM_WORDS,
} from '../../../fleet/words.ts';
import { isMuted, PROBLEMS } from '../../../model/problem.ts';
import { basisOf, Link, Name, type Shown, WorkButton } from './parts.tsx';
import { linkTo, phoneFragment } from './view.ts';

/** Places that are shown; the table has all phones. */
const NAMED_PLACES = 6;

/** Phones that a text names. */
const NAMED = 4;

/** Reports whether somebody should look at a phone now; the other problems can wait. */
function isUrgent({ problem }: FleetPhone): boolean {
  return problem !== undefined && PROBLEM_WORDS[problem].tone !== 'info';
}

/** Where to go now, each phone or rack once, the most expensive place first; then what can wait. */
export function Places({ shown }: { readonly shown: Shown }) {
  const { fleet, phones } = shown;
  const visits = useMemo(() => visitsOf(fleet, phones.entries, isUrgent), [fleet]);
  const waiting = useMemo(() => waitingOf(phones.entries), [phones]);

  const rest = visits.length - NAMED_PLACES;
  return (
    <section id="attention" aria-labelledby="attention-heading">
      <h2 id="attention-heading">
        Where to go now <span class="count">{visits.length === 0 ? '' : numberText(visits.length)}</span>
      </h2>
      <ol id="visit" class="places">
        {visits.slice(0, NAMED_PLACES).map((visit) => (
          <Place key={visit.cause?.id ?? visit.entries[0]?.key} visit={visit} shown={shown} />
        ))}
      </ol>
      <ul class="chips">
        {rest > 0 && (
          <li>
            <a href={linkTo({ show: 'attention' })}>{`${numberText(rest)} more, on the wall`}</a>
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
      {visits.length + waiting.length === 0 && <Nothing shown={shown} />}
    </section>
  );
}

/** Returns the problems that can wait, with their phones. */
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
  const amounts = costs.map(({ currency, cents }) => moneyText(cents, currency)).join(' and ');
  const cost = amounts === '' ? [] : [`estimate: ${amounts} a day`];
  const href = cause === undefined ? phoneFragment(first.key) : linkTo({ cause: cause.id });
  const what =
    cause === undefined
      ? problem && PROBLEM_WORDS[problem].title
      : `${numberText(cause.phones)} of ${numberText(cause.ownPhones)} phones offline together, ${numberText(cause.soldPhones)} sold`;
  return (
    <li data-tone={sold + selfRented > 0 ? 'bad' : 'warn'}>
      <Link href={href} name="place-name" text={cause === undefined ? first.name : causeName(cause)} />
      <span>{what}</span>
      <span class="small">
        {fleet.accounts.length > 1 && [<Name key="account">{account}</Name>, ' · ']}
        {[...timesOf(visit, first, shown), ...cost].join(' · ')}
      </span>
      {cause !== undefined && <span class="small">{causeProof(cause)}</span>}
      <WorkButton
        shown={shown}
        target={() => (cause === undefined ? phoneTarget(first) : causeTarget(cause, fleet.phones))}
      />
    </li>
  );
}

/** Says for how long it lasts, and since when. */
function timesOf({ since }: Visit, { phone }: PhoneEntry, shown: Shown): readonly string[] {
  const { asOf } = basisOf(shown, phone.account);
  if (since === 0) return [`for ${rentalDuration(phone, asOf)}`];
  return [`for ${durationText((asOf - since) / 1000)}`, `since ${shown.format.brief(since, shown.now)}`];
}

/** Says that nothing is wrong, as far as that is known. */
function Nothing({ shown: { fleet } }: { readonly shown: Shown }) {
  const { accounts } = fleet;
  const empty = accounts.filter(({ totals }) => totals?.phones === 0).map(({ name }) => name);
  const which = accounts.length === 1 ? 'This account has' : `${empty.join(', ')}:`;
  const isOfflineKnown = accounts.every(({ gracePeriodEndsAt }) => gracePeriodEndsAt === undefined);
  const doubts: readonly (readonly [isSo: boolean, text: string])[] = [
    [accounts.some(({ totals }) => totals === undefined), 'No data yet.'],
    [
      accounts.some(({ readings }) => readings.devices.state !== 'fresh'),
      'No problem was known at last; what happened since is not known.',
    ],
    [empty.length > 0, `${which} no phones. Is it the right key?`],
    [!isOfflineKnown, 'No problems known, and phones may still be offline since the outage.'],
  ];
  const doubt = doubts.find(([isSo]) => isSo);
  return (
    <p class="calm" data-tone={doubt === undefined ? 'good' : undefined}>
      {doubt === undefined ? 'No problems found.' : doubt[1]}
    </p>
  );
}
