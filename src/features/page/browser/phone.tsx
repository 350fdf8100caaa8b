import { useRef, useState } from 'preact/hooks';
import type { FleetDocument } from '../../../fleet/document.ts';
import { durationText, parseTime } from '../../../fleet/freshness.ts';
import type { PhoneEntry } from '../../../fleet/phones.ts';
import { phoneTarget } from '../../../fleet/targets.ts';
import {
  causeName,
  incidentTitle,
  moneyText,
  offlineAfterText,
  PROBLEM_WORDS,
} from '../../../fleet/words.ts';
import { badge, COLUMNS, columnsOf } from './columns.tsx';
import { Dialog } from './dialog.tsx';
import { incidentState } from './incidents.tsx';
import { type DayState, lastDayOf, lastDayText } from './last-day.ts';
import { basisOf, Instant, Link, Name, type Shown, WorkButton } from './parts.tsx';
import { SECTIONS } from './sections.ts';
import { linkTo } from './view.ts';

/*
 * One phone: what it is, what it did in its last day and its last days, what was told of it, and what can be done.
 */

type PhoneSheetProps = {
  readonly entry: PhoneEntry;
  readonly shown: Shown;
  readonly onClose: () => void;
};

export function PhoneSheet({ entry, shown, onClose }: PhoneSheetProps) {
  const { phone, name } = entry;
  const { fleet, now, format } = shown;
  const told = fleet.incidents.filter((each) => each.phone === phone.id && each.account === phone.account);
  const board = boardOf(entry, fleet);
  return (
    <Dialog name="sheet" titleId="phone-heading" onClose={onClose}>
      <h2 id="phone-heading">
        <Name>{name}</Name>
      </h2>
      <PhoneId key={entry.key} id={phone.id} />
      <Problem entry={entry} shown={shown} />
      <LastDay entry={entry} shown={shown} />
      <Facts entry={entry} shown={shown} />
      {SECTIONS.map(({ name, Phone }) => Phone && <Phone key={`${name} ${entry.key}`} phone={phone} />)}
      <h3>Told within a day</h3>
      {told.length === 0 && <p class="small">Nothing.</p>}
      <ul class="small">
        {told.map((incident) => (
          <li key={incident.id}>{`${incidentTitle(incident)}, ${incidentState(incident, now, format)}`}</li>
        ))}
      </ul>
      <p class="buttons">
        <WorkButton shown={shown} target={() => phoneTarget(entry)} />
        {board !== undefined && (
          <a class="button" href={board}>
            Its board
          </a>
        )}
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  );
}

function PhoneId({ id }: { readonly id: string }) {
  const [isCopied, setCopied] = useState(false);
  const code = useRef<HTMLElement>(null);
  const copy = (): void => {
    // Without HTTPS a browser gives no clipboard: then the id is selected, so that the reader can copy it.
    if (code.current !== null) getSelection()?.selectAllChildren(code.current);
    void navigator.clipboard
      ?.writeText(id)
      .then(() => setCopied(true))
      .catch(() => {});
  };
  return (
    <p>
      <code ref={code} class="phone-id">
        {id}
      </code>{' '}
      <button type="button" class="button" onClick={copy}>
        Copy id
      </button>{' '}
      <span role="status">{isCopied ? 'Copied.' : ''}</span>
    </p>
  );
}

type EntryProps = { readonly entry: PhoneEntry; readonly shown: Shown };

/** Says what is wrong, since when, why, and what to do. */
function Problem({ entry: { phone }, shown }: EntryProps) {
  const { problem, problemSince, offlineAfterReason, offlineAfterSeconds } = phone;
  if (problem === undefined) return <p>No problem is known.</p>;
  const { title, tone, meaning, advice, runbook } = PROBLEM_WORDS[problem];
  const since = parseTime(problemSince);
  const cause = shown.fleet.causes.find(({ id }) => id === phone.cause);
  const { asOf } = basisOf(shown, phone.account);
  return (
    <>
      <p>
        {badge(title, tone)}
        {since !== undefined && [
          ` for ${durationText((asOf - since) / 1000)}, since `,
          <Instant key="since" at={problemSince} shown={shown} />,
        ]}
      </p>
      <p>
        {`${meaning} ${advice} `}
        <a href={`runbooks/${runbook}`}>What to do</a>
      </p>
      {offlineAfterReason !== undefined && (
        <p class="small">{offlineAfterText(offlineAfterReason, offlineAfterSeconds)}</p>
      )}
      {cause !== undefined && (
        <p>
          It is offline together with the others of{' '}
          <Link href={linkTo({ cause: cause.id })} text={causeName(cause)} />.
        </p>
      )}
    </>
  );
}

/** The colours of a day are those of the wall. */
const DAY_CELLS: Readonly<Record<DayState, string>> = {
  reporting: 'sold',
  offline: 'sold_offline',
  maintenance: 'worked_on',
  unknown: 'unknown',
};

/** Shows the last day as a strip, with its text below. */
function LastDay({ entry: { phone }, shown }: EntryProps) {
  const { fleet, now } = shown;
  const account = fleet.accounts.find(({ name }) => name === phone.account);
  if (account === undefined) return null;
  const parts = lastDayOf(phone, account, basisOf(shown, phone.account).learnedAt ?? now, now);
  return (
    <p class="last-day">
      <span class="strip" aria-hidden="true">
        {parts.map(({ state, milliseconds }, index) => (
          <span key={index} data-cell={DAY_CELLS[state]} style={{ flexGrow: milliseconds }} />
        ))}
      </span>
      <span class="small">{lastDayText(parts)}</span>
    </p>
  );
}

/** What the table shows in its columns, and what it has no room for. */
function Facts({ entry, shown }: EntryProps) {
  const { phone } = entry;
  const currency = shown.fleet.accounts.find(({ name }) => name === phone.account)?.currency;
  const price = phone.priceCentsPerDay;
  const more: readonly (readonly [title: string, text: string | undefined])[] = [
    ['Group', phone.group || undefined],
    ['Offline after', durationText(phone.offlineAfterSeconds)],
    ['A sold day', price === undefined ? undefined : `${moneyText(price, currency)} (estimate)`],
  ];
  return (
    <dl class="facts">
      {columnsOf(shown.fleet)
        .filter((column) => column !== 'phone' && column !== 'problem')
        .map((column) => {
          const [main, small] = COLUMNS[column].linesOf(entry, shown);
          return [
            <dt key={column}>{COLUMNS[column].title}</dt>,
            <dd key={`${column} of it`}>
              {main} {small}
            </dd>,
          ];
        })}
      {more.map(
        ([title, text]) =>
          text !== undefined && [
            <dt key={title}>{title}</dt>,
            <dd key={`${title} of it`}>
              <Name>{text}</Name>
            </dd>,
          ],
      )}
    </dl>
  );
}

/** Returns the address of the board of a phone; undefined without a Grafana. */
function boardOf(
  { phone: { account, id } }: PhoneEntry,
  { exporter: { grafanaUrl } }: FleetDocument,
): string | undefined {
  if (grafanaUrl === undefined) return undefined;
  const query = new URLSearchParams({ 'var-account': account, 'var-device_id': id });
  return `${grafanaUrl.replace(/\/$/, '')}/d/hoster-device?${query}`;
}
