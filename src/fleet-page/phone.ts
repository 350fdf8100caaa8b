import type { FleetDocument } from '../fleet/document.ts';
import {
  type AgeBasis,
  durationText,
  heartbeatAge,
  type InstantFormat,
  parseTime,
  rentalDuration,
} from '../fleet/freshness.ts';
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
import { element, isolated, replaceContent, setText } from './dom.ts';
import { incidentState } from './history.ts';
import { lastDayOf, lastDayText, type Part } from './last-day.ts';
import type { WorkButton } from './maintenance.ts';
import { DEFAULT_VIEW, fragmentOf } from './view.ts';

/*
 * One phone: what it is, what it did in its last day, what was told of it, and what can be done.
 */

type PhoneSheetOptions = {
  readonly format: InstantFormat;
  readonly work: WorkButton;
  /** The reader closed it. */
  readonly onClose: () => void;
};

type PhoneSheet = {
  /** Shows a phone, or nothing. */
  readonly show: (
    entry: PhoneEntry | undefined,
    fleet: FleetDocument,
    bases: ReadonlyMap<string, AgeBasis>,
    now: number,
  ) => void;
};

export function createPhoneSheet({ format, work, onClose }: PhoneSheetOptions): PhoneSheet {
  const heading = element('h2', { id: 'phone-heading' });
  const id = element('code', { class: 'phone-id' });
  const copied = element('span', { role: 'status' });
  const copy = element('button', { type: 'button', class: 'clear' }, 'Copy id');
  const close = element('button', { type: 'button', class: 'clear' }, 'Close');
  const facts = element('div', {});
  const actions = element('p', { class: 'durations' });
  const dialog = element(
    'dialog',
    { class: 'sheet', 'aria-labelledby': 'phone-heading' },
    heading,
    element('p', { class: 'phone-line' }, id, copy, copied),
    facts,
    actions,
  );
  document.body.append(dialog);
  copy.addEventListener('click', () => {
    // Without HTTPS a browser gives no clipboard: then the id is selected, so that the reader can copy it.
    getSelection()?.selectAllChildren(id);
    void navigator.clipboard
      ?.writeText(id.textContent ?? '')
      .then(() => setText(copied, 'Copied.'))
      .catch(() => {});
  });
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.addEventListener('close', onClose);
  let shown: string | undefined;

  return {
    show: (entry, fleet, bases, now) => {
      if (entry === undefined) {
        shown = undefined;
        if (dialog.open) dialog.close();
        return;
      }
      const basis = bases.get(entry.phone.account) ?? { state: 'expired', learnedAt: undefined, asOf: now };
      replaceContent(facts, ...factsOf(entry, fleet, basis, { now, format }));
      if (shown !== entry.key) {
        shown = entry.key;
        heading.replaceChildren(isolated(entry.name));
        setText(id, entry.phone.id);
        setText(copied, '');
        actions.replaceChildren(...work(() => phoneTarget(entry)), ...boardLink(entry, fleet), close);
      }
      if (!dialog.open) dialog.showModal();
    },
  };
}

type Moment = { readonly now: number; readonly format: InstantFormat };

function factsOf(
  entry: PhoneEntry,
  fleet: FleetDocument,
  basis: AgeBasis,
  moment: Moment,
): readonly HTMLElement[] {
  const { phone } = entry;
  const account = fleet.accounts.find(({ name }) => name === phone.account);
  const parts = account && lastDayOf(phone, account, basis.learnedAt ?? moment.now, moment.now);
  const told = fleet.incidents.filter((each) => each.phone === phone.id && each.account === phone.account);
  return [
    ...problemLines(entry, fleet, basis, moment),
    ...(parts === undefined ? [] : [lastDayStrip(parts)]),
    element('dl', { class: 'facts' }, ...termsOf(entry, basis, moment, account?.currency)),
    element('h3', {}, 'Told within a day'),
    told.length === 0
      ? element('p', { class: 'small' }, 'Nothing.')
      : element(
          'ul',
          { class: 'small' },
          ...told.map((incident) =>
            element(
              'li',
              {},
              `${incidentTitle(incident)}, ${incidentState(incident, parseTime(incident.since), moment.now, moment.format)}`,
            ),
          ),
        ),
  ];
}

/** Says what is wrong, since when, why, and what to do. */
function problemLines(
  { phone }: PhoneEntry,
  { causes }: FleetDocument,
  { asOf }: AgeBasis,
  { now, format }: Moment,
): readonly HTMLElement[] {
  const { problem, silence, silenceLimitSeconds } = phone;
  if (problem === undefined) return [element('p', {}, 'No problem is known.')];
  const { title, tone, meaning, advice, runbook } = PROBLEM_WORDS[problem];
  const since = parseTime(phone.problemSince);
  const cause = causes.find(({ id }) => id === phone.cause);
  return [
    element(
      'p',
      {},
      element('span', { class: 'flag', 'data-tone': tone }, title),
      since === undefined
        ? ''
        : ` for ${durationText((asOf - since) / 1000)}, since ${format.brief(since, now)}`,
    ),
    element('p', {}, `${meaning} ${advice} `, element('a', { href: `runbooks/${runbook}` }, 'What to do')),
    ...(silence === undefined
      ? []
      : [element('p', { class: 'small' }, silenceText(silence, silenceLimitSeconds))]),
    ...(cause === undefined
      ? []
      : [
          element(
            'p',
            {},
            'It is silent together with the others of ',
            element(
              'a',
              { href: fragmentOf({ ...DEFAULT_VIEW, cause: cause.id }) },
              isolated(causeName(cause)),
            ),
            '.',
          ),
        ]),
  ];
}

function termsOf(
  { phone }: PhoneEntry,
  basis: AgeBasis,
  { now, format }: Moment,
  currency: string | undefined,
): readonly HTMLElement[] {
  const { heartbeatAgeSeconds, rentalStatus, rotationIntervalSeconds, tunnel, priceCentsPerDay } = phone;
  const [beat, rented] = [parseTime(phone.lastHeartbeatAt), parseTime(phone.rentalStatusSince)];
  // Of data that is held or expired, the age stands still.
  const moves = basis.state === 'fresh' || basis.learnedAt === undefined;
  const terms: readonly (readonly [title: string, text: string | undefined])[] = [
    ['Account', phone.account],
    ['Group', phone.group || undefined],
    [
      'Rental',
      `${statusText(rentalStatus)}${rented === undefined ? '' : ` for ${rentalDuration(phone, basis.asOf)}, since ${format.brief(rented, now)}`}`,
    ],
    ['Market', statusText(phone.marketplaceStatus)],
    [
      'Last heartbeat',
      beat === undefined || heartbeatAgeSeconds === undefined
        ? 'unknown'
        : `${durationText(heartbeatAge(heartbeatAgeSeconds, basis))} ${moves ? 'ago' : `before ${format.brief(basis.asOf, now)}`}, at ${format.brief(beat, now)}`,
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
  return terms.flatMap(([title, text]) =>
    text === undefined ? [] : [element('dt', {}, title), element('dd', {}, isolated(text))],
  );
}

function boardLink(
  { phone: { account, id } }: PhoneEntry,
  { exporter: { grafanaUrl } }: FleetDocument,
): readonly HTMLElement[] {
  if (grafanaUrl === undefined) return [];
  const query = new URLSearchParams({ 'var-account': account, 'var-device_id': id });
  const href = `${grafanaUrl.replace(/\/$/, '')}/d/hoster-device?${query}`;
  return [element('a', { class: 'clear', href }, 'Its board')];
}

/** Shows the last day as a strip, with its text below. */
function lastDayStrip(parts: readonly Part[]): HTMLElement {
  const text = lastDayText(parts);
  const strip = element('span', { class: 'strip', 'aria-hidden': 'true' });
  for (const { state, milliseconds } of parts) {
    const piece = element('span', { class: 'strip-part', 'data-day': state });
    piece.style.flexGrow = String(milliseconds);
    strip.append(piece);
  }
  return element('p', { class: 'last-day' }, strip, element('span', { class: 'small' }, text));
}
