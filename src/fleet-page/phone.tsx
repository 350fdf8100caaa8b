import { useRef, useState } from 'preact/hooks';
import type { FleetDocument } from '../fleet/document.ts';
import { durationText, heartbeatAge, parseTime, rentalDuration } from '../fleet/freshness.ts';
import { phoneTarget } from '../fleet/maintenance.ts';
import { type PhoneEntry, tunnelWord } from '../fleet/phones.ts';
import {
  causeName,
  incidentTitle,
  moneyText,
  PROBLEM_WORDS,
  silenceText,
  statusText,
} from '../fleet/words.ts';
import { Dialog } from './dialog.tsx';
import { lastDayOf, lastDayText } from './last-day.ts';
import { basisOf, Instant, Name, type Shown, WorkButton } from './parts.tsx';
import { incidentState } from './told.tsx';
import { linkTo } from './view.ts';

/*
 * One phone: what it is, what it did in its last day, what was told of it, and what can be done.
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
  const { problem, problemSince, silence, silenceLimitSeconds } = phone;
  if (problem === undefined) return <p>No problem is known.</p>;
  const { title, tone, meaning, advice, runbook } = PROBLEM_WORDS[problem];
  const since = parseTime(problemSince);
  const cause = shown.fleet.causes.find(({ id }) => id === phone.cause);
  const { asOf } = basisOf(shown, phone.account);
  return (
    <>
      <p>
        <span class="badge" data-tone={tone}>
          {title}
        </span>
        {since !== undefined && [
          ` for ${durationText((asOf - since) / 1000)}, since `,
          <Instant key="since" at={problemSince} shown={shown} />,
        ]}
      </p>
      <p>
        {`${meaning} ${advice} `}
        <a href={`runbooks/${runbook}`}>What to do</a>
      </p>
      {silence !== undefined && <p class="small">{silenceText(silence, silenceLimitSeconds)}</p>}
      {cause !== undefined && (
        <p>
          It is silent together with the others of{' '}
          <a href={linkTo({ cause: cause.id })}>
            <Name>{causeName(cause)}</Name>
          </a>
          .
        </p>
      )}
    </>
  );
}

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
          <span key={index} data-day={state} style={{ flexGrow: milliseconds }} />
        ))}
      </span>
      <span class="small">{lastDayText(parts)}</span>
    </p>
  );
}

function Facts({ entry: { phone }, shown }: EntryProps) {
  return (
    <dl class="facts">
      {termsOf(phone, shown).map(
        ([title, text]) =>
          text !== undefined && [
            <dt key={title}>{title}</dt>,
            <dd key={`${title} text`}>
              <Name>{text}</Name>
            </dd>,
          ],
      )}
    </dl>
  );
}

type Term = readonly [title: string, text: string | undefined];

function termsOf(phone: PhoneEntry['phone'], shown: Shown): readonly Term[] {
  const { now, format, fleet } = shown;
  const { heartbeatAgeSeconds, rentalStatus, rotationIntervalSeconds, tunnel, priceCentsPerDay } = phone;
  const [beat, rented] = [parseTime(phone.lastHeartbeatAt), parseTime(phone.rentalStatusSince)];
  const basis = basisOf(shown, phone.account);
  // Of data that is held or expired, the age stands still.
  const moves = basis.state === 'fresh' || basis.learnedAt === undefined;
  const time = (instant: number): string => format.brief(instant, now);
  const currency = fleet.accounts.find(({ name }) => name === phone.account)?.currency;
  return [
    ['Account', phone.account],
    ['Group', phone.group || undefined],
    [
      'Rental',
      `${statusText(rentalStatus)}${rented === undefined ? '' : ` for ${rentalDuration(phone, basis.asOf)}, since ${time(rented)}`}`,
    ],
    ['Market', statusText(phone.marketplaceStatus)],
    [
      'Last heartbeat',
      beat === undefined || heartbeatAgeSeconds === undefined
        ? 'unknown'
        : `${durationText(heartbeatAge(heartbeatAgeSeconds, basis))} ${moves ? 'ago' : `before ${time(basis.asOf)}`}, at ${time(beat)}`,
    ],
    ['Silent after', durationText(phone.silenceLimitSeconds)],
    ['Tunnel', tunnel && statusText(tunnelWord(tunnel))],
    [
      'Rotation',
      `${statusText(phone.rotationStatus)}${rotationIntervalSeconds === undefined ? '' : `, every ${durationText(rotationIntervalSeconds)}`}`,
    ],
    ['Setup', statusText(phone.setupStatus)],
    ['Model', [phone.brand, phone.model].filter(Boolean).join(' ') || undefined],
    ['App', phone.appVersion || undefined],
    [
      'A sold day',
      priceCentsPerDay === undefined ? undefined : `${moneyText(priceCentsPerDay, currency)} (estimate)`,
    ],
  ];
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
