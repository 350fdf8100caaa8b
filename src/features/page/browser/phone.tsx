import type { ComponentChild } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { describePhone, placeName } from '../../../fleet/describe.ts';
import type { FleetDocument } from '../../../fleet/document.ts';
import { durationText } from '../../../fleet/freshness.ts';
import type { PhoneEntry } from '../../../fleet/phones.ts';
import { phoneTarget } from '../../../fleet/targets.ts';
import { moneyText, offlineAfterText, PROBLEM_FACTS } from '../../../fleet/words.ts';
import { MUTED } from '../../../model/muted.ts';
import { say } from '../../../text/say.ts';
import { Actions } from './actions.tsx';
import { type DayState, lastDayOf, lastDayText } from './last-day.ts';
import { basisOf, Dialog, Instant, Link, Name, type Shown } from './parts.tsx';
import { SECTIONS } from './sections.ts';
import { badge, COLUMNS, columnsOf } from './table.tsx';
import { linkTo } from './view.ts';

/* A phone's dialog: its problem, its last days, its facts and its incidents. */

type PhoneSheetProps = {
  readonly entry: PhoneEntry;
  readonly shown: Shown;
  readonly onClose: () => void;
};

export function PhoneSheet({ entry, shown, onClose }: PhoneSheetProps) {
  const { phone, name } = entry;
  const board = boardOf(entry, shown.fleet);
  return (
    <Dialog name="sheet" titleId="phone-heading" onClose={onClose}>
      <h2 id="phone-heading" tabIndex={-1} autofocus>
        <Name>{name}</Name>
      </h2>
      <Problem entry={entry} shown={shown} />
      <LastDay entry={entry} shown={shown} />
      <Facts entry={entry} shown={shown} />
      {SECTIONS.map(
        ({ name, Phone }) => Phone && <Phone key={`${name} ${entry.key}`} phone={phone} shown={shown} />,
      )}
      <PhoneId key={entry.key} id={phone.id} />
      <p class="buttons">
        <Actions shown={shown} target={() => phoneTarget(entry)} />
        {board !== undefined && (
          <a class="button" href={board}>
            {say('page-board')}
          </a>
        )}
        <button type="button" class="quiet" onClick={onClose}>
          {say('page-close')}
        </button>
      </p>
    </Dialog>
  );
}

function PhoneId({ id }: { readonly id: string }) {
  const [isCopied, setCopied] = useState(false);
  const code = useRef<HTMLElement>(null);
  const copy = (): void => {
    // Without HTTPS, browsers have no clipboard. The selected id can be copied by hand.
    if (code.current !== null) getSelection()?.selectAllChildren(code.current);
    void navigator.clipboard
      ?.writeText(id)
      .then(() => setCopied(true))
      .catch(() => {});
  };
  return (
    <p class="small">
      <code ref={code} class="phone-id">
        {id}
      </code>{' '}
      <button type="button" class="quiet" onClick={copy}>
        {say('page-copy')}
      </button>{' '}
      <span role="status">{isCopied ? say('page-copied') : ''}</span>
    </p>
  );
}

type EntryProps = { readonly entry: PhoneEntry; readonly shown: Shown };

/** Shows a phone's problem, its start, its cause and the advice. */
function Problem({ entry, shown }: EntryProps) {
  const { phone } = entry;
  const { problem, problemSince, offlineAfterReason, offlineAfterSeconds } = phone;
  if (problem === undefined) return <p>{say('page-no-problem')}</p>;
  const { tone, runbook } = PROBLEM_FACTS[problem];
  const cause = shown.fleet.causes.find(({ id }) => id === phone.cause);
  const { asOf } = basisOf(shown, phone.account);
  const { title, lasted, advice } = describePhone(entry, shown.fleet, asOf);
  return (
    <>
      <p>
        {badge(title, tone)}
        {lasted !== '' && [
          ` ${say('page-for', { duration: lasted })} · `,
          <Instant key="since" at={problemSince} shown={shown} />,
        ]}
      </p>
      <p>
        {`${advice} `}
        <a href={`runbooks/${runbook}`}>{say('page-runbook')}</a>
      </p>
      {offlineAfterReason !== undefined && (
        <p class="small">{offlineAfterText(offlineAfterReason, offlineAfterSeconds)}</p>
      )}
      {cause !== undefined && (
        <p>
          {say('page-part-of')}{' '}
          <Link href={linkTo({ cause: cause.id })} text={placeName(cause, phone.account, shown.fleet)} />.
        </p>
      )}
    </>
  );
}

const DAY_CELLS: Readonly<Record<DayState, string>> = {
  online: 'sold',
  offline: 'sold_offline',
  [MUTED]: 'muted',
  unknown: 'unknown',
};

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

/** The columns of the table, and more facts. */
function Facts({ entry, shown }: EntryProps) {
  const { phone } = entry;
  const currency = shown.fleet.accounts.find(({ name }) => name === phone.account)?.currency;
  const price = phone.priceCentsPerDay;
  const facts: readonly (readonly [title: string, ...content: ComponentChild[]])[] = [
    ...columnsOf(shown.fleet)
      .filter((column) => column !== 'phone' && column !== 'problem')
      .map((column) => [say(`column-${column}`), ...COLUMNS[column](entry, shown)] as const),
    [say('page-group'), phone.group && <Name>{phone.group}</Name>],
    [say('page-offline-after'), durationText(phone.offlineAfterSeconds)],
    [
      say('page-price'),
      price === undefined ? undefined : say('page-estimate', { amount: moneyText(price, currency) }),
    ],
  ];
  return (
    <dl class="facts">
      {facts.map(
        ([title, main, small]) =>
          main && [
            <dt key={title}>{title}</dt>,
            <dd key={`${title} of it`}>
              {main} {small}
            </dd>,
          ],
      )}
    </dl>
  );
}

/** Returns the address of a phone's dashboard; undefined without Grafana. */
function boardOf(
  { phone: { account, id } }: PhoneEntry,
  { exporter: { grafanaUrl } }: FleetDocument,
): string | undefined {
  if (grafanaUrl === undefined) return undefined;
  const query = new URLSearchParams({ 'var-account': account, 'var-device_id': id });
  return `${grafanaUrl.replace(/\/$/, '')}/d/hoster-device?${query}`;
}
