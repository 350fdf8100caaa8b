import type { FleetDocument, FleetMaintenance } from '../fleet/document.ts';
import { type InstantFormat, parseTime } from '../fleet/freshness.ts';
import { type MaintenanceTarget, type RequestedScope, untilText } from '../fleet/maintenance.ts';
import { countText } from '../fleet/words.ts';
import { DAY } from '../model/time.ts';
import { byId, element, isolated, replaceContent, setText } from './dom.ts';

/*
 * The owner's word: what is worked on, with a button to end it, and a dialog in which one tap says for how long.
 */

/** Makes a button that puts phones into maintenance; nothing where no change is allowed. */
export type WorkButton = (target: () => MaintenanceTarget) => readonly HTMLElement[];

type MaintenanceControls = {
  /** Shows what holds. */
  readonly show: (document: FleetDocument, now: number, format: InstantFormat) => void;
  /** Its buttons open the dialog. */
  readonly button: WorkButton;
};

const PATH = 'api/v1/maintenance';
const WEEK_MILLISECONDS = 7 * DAY;

/** Durations that one tap gives, in words and as the exporter takes them. */
const DURATIONS: readonly (readonly [title: string, end: Readonly<Record<string, unknown>>])[] = [
  ['30 min', { for: '30m' }],
  ['2 hours', { for: '2h' }],
  ['8 hours', { for: '8h' }],
  ['3 days', { for: '72h' }],
  ['Until back', { until_back: true }],
];

/** @param onChange called when something was said; `sentence` about it is not on the page yet */
export function createMaintenance(onChange: (sentence?: string) => void): MaintenanceControls {
  let isAllowed = false;
  const dialog = createDialog(onChange);
  const end = async (id: string): Promise<void> => {
    onChange((await send('DELETE', `${PATH}?id=${encodeURIComponent(id)}`)).text);
  };
  return {
    show: ({ maintenance, exporter }, now, format) => {
      isAllowed = exporter.allowsMaintenance;
      byId('maintenance-section').hidden = maintenance.length === 0;
      setText(byId('maintenance-count'), String(maintenance.length));
      replaceContent(
        byId('maintenance'),
        ...maintenance.map((each) => itemOf(each, now, format, isAllowed ? end : undefined)),
      );
    },
    button: (target) => {
      if (!isAllowed) return [];
      const label = `I am on it: ${target().title}`;
      const button = element('button', { type: 'button', class: 'clear', 'aria-label': label }, 'I am on it');
      button.addEventListener('click', () => dialog.open(target()));
      return [button];
    },
  };
}

function itemOf(
  each: FleetMaintenance,
  now: number,
  format: InstantFormat,
  end: ((id: string) => Promise<void>) | undefined,
): HTMLElement {
  const { id, source, covers, since, reason, by, phones, silentPhones } = each;
  const time = (instant: string | undefined) => format.brief(parseTime(instant) ?? now, now);
  const begin = parseTime(since) ?? now;
  const why = [source === 'configured' ? id : '', reason].filter(Boolean).join(', ');
  const facts = [
    phones === 0 ? 'covers no phone' : `${countText(phones, 'phone', 'phones')}, ${silentPhones} silent`,
    untilText(each, time),
    ...(now - begin > WEEK_MILLISECONDS ? ['for more than a week'] : []),
    ...(by === '' ? [] : [`by ${by}`]),
  ];
  const button = element('button', { type: 'button', class: 'clear', 'aria-label': `End ${covers}` }, 'End');
  button.addEventListener('click', () => {
    button.disabled = true;
    void end?.(id);
  });
  return element(
    'li',
    {},
    element('time', { datetime: since }, format.brief(begin, now)),
    element('span', {}, isolated(why === '' ? covers : `${covers}: ${why}`)),
    element('span', { class: 'fact' }, facts.join(', ')),
    ...(end === undefined || source === 'configured' ? [] : [button]),
  );
}

function createDialog(onChange: () => void) {
  const heading = element('h2', { id: 'dialog-heading' });
  const reason = element('input', {
    type: 'text',
    id: 'dialog-reason',
    maxlength: '200',
    placeholder: 'Reason (optional)',
    'aria-label': 'Reason',
    autocomplete: 'off',
  });
  const said = element('p', { role: 'status' });
  const cancel = element('button', { type: 'button', class: 'clear' }, 'Cancel');
  const durations = element('p', { class: 'durations' });
  const dialog = element(
    'dialog',
    { 'aria-labelledby': 'dialog-heading' },
    heading,
    element('p', {}, 'Nothing is told of these phones until then. What is still wrong at its end is told.'),
    reason,
    durations,
    said,
    cancel,
  );
  document.body.append(dialog);
  cancel.addEventListener('click', () => dialog.close());
  const begin = async (
    scope: RequestedScope,
    end: Readonly<Record<string, unknown>>,
    tapped: HTMLElement,
  ): Promise<void> => {
    const buttons = [...durations.querySelectorAll('button')];
    for (const button of buttons) button.disabled = true;
    const { text, isDone } = await send('POST', PATH, { ...scope, ...end, reason: reason.value });
    // Once it holds, another tap would say something else of the same phones.
    for (const button of buttons) button.disabled = isDone;
    setText(said, text);
    setText(cancel, isDone ? 'Close' : 'Cancel');
    // A button that was off has lost the focus.
    (isDone ? cancel : tapped).focus();
    onChange();
  };
  return {
    open: ({ title, scope }: MaintenanceTarget): void => {
      setText(heading, `Work on ${title}`);
      setText(said, '');
      setText(cancel, 'Cancel');
      reason.value = '';
      durations.replaceChildren(
        ...DURATIONS.map(([words, end]) => {
          const button = element('button', { type: 'button', class: 'clear' }, words);
          button.addEventListener('click', () => void begin(scope, end, button));
          return button;
        }),
      );
      dialog.showModal();
    },
  };
}

/** The sentence about what came of a request. */
type Sent = { readonly text: string; readonly isDone: boolean };

/** Sends what the owner said. */
async function send(method: 'POST' | 'DELETE', url: string, body?: unknown): Promise<Sent> {
  try {
    const response = await fetch(url, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok) return { text: `Not done: ${text.trim()}`, isDone: false };
    const answer: unknown = JSON.parse(text);
    return { text: isAnswer(answer) ? answer.text : 'Done.', isDone: true };
  } catch {
    return { text: 'Not done: the exporter does not answer.', isDone: false };
  }
}

function isAnswer(answer: unknown): answer is { readonly text: string } {
  return typeof answer === 'object' && answer !== null && 'text' in answer && typeof answer.text === 'string';
}
