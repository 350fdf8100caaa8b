import { useEffect, useRef, useState } from 'preact/hooks';
import type { FleetMaintenance } from '../../fleet/document.ts';
import { parseTime } from '../../fleet/freshness.ts';
import { countText } from '../../fleet/words.ts';
import { DAY } from '../../model/time.ts';
import { Dialog } from '../page/browser/dialog.tsx';
import {
  Fold,
  Instant,
  Name,
  type PageSection,
  type SectionProps,
  type WorkProps,
} from '../page/browser/parts.tsx';
import { untilText } from './words.ts';

/*
 * The owner's word: what is worked on, with a button to end it, and a dialog in which one tap says for how long.
 */

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

/** The section of the page: what holds. */
export const maintenance: PageSection = {
  name: 'maintenance',
  place: 'after phones',
  Section: Maintenance,
  work: { isAllowed: ({ exporter }) => exporter.allowsMaintenance, Dialog: WorkDialog },
};

function Maintenance({ shown, onDone }: SectionProps) {
  const { maintenance } = shown.fleet;
  if (maintenance.length === 0) return null;
  return (
    <Fold id="maintenance-section" title="In maintenance" count={String(maintenance.length)} isOpen>
      <p>You said that these are worked on: nothing is told of them.</p>
      <ul id="maintenance" class="lines">
        {maintenance.map((each) => (
          <Item key={each.id} each={each} shown={shown} onDone={onDone} />
        ))}
      </ul>
    </Fold>
  );
}

function Item({ each, shown, onDone }: SectionProps & { readonly each: FleetMaintenance }) {
  const { id, source, covers, since, reason, by, phones, offlinePhones } = each;
  const { now, format, onWork } = shown;
  const [isEnding, setEnding] = useState(false);
  const time = (instant: string | undefined) => format.brief(parseTime(instant) ?? now, now);
  const why = [source === 'configured' ? id : '', reason].filter(Boolean).join(', ');
  const facts = [
    phones === 0 ? 'covers no phone' : `${countText(phones, 'phone', 'phones')}, ${offlinePhones} offline`,
    untilText(each, time),
    ...(now - (parseTime(since) ?? now) > WEEK_MILLISECONDS ? ['for more than a week'] : []),
    ...(by === '' ? [] : [`by ${by}`]),
  ];
  const end = async (): Promise<void> => {
    setEnding(true);
    onDone((await send('DELETE', `${PATH}?id=${encodeURIComponent(id)}`)).text);
    setEnding(false);
  };
  return (
    <li>
      <Instant at={since} shown={shown} />
      <Name>{why === '' ? covers : `${covers}: ${why}`}</Name>
      <span class="fact">{facts.join(', ')}</span>
      {onWork !== undefined && source !== 'configured' && (
        <button
          type="button"
          class="button"
          aria-label={`End ${covers}`}
          disabled={isEnding}
          onClick={() => void end()}
        >
          End
        </button>
      )}
    </li>
  );
}

/** Asks for how long phones are worked on. */
function WorkDialog({ target: { title, scope }, onClose, onChange }: WorkProps) {
  const [reason, setReason] = useState('');
  const [isSending, setSending] = useState(false);
  const [{ text, isDone }, setSent] = useState<Sent>({ text: '', isDone: false });
  const tapped = useRef<HTMLButtonElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const begin = async (end: Readonly<Record<string, unknown>>): Promise<void> => {
    setSending(true);
    setSent(await send('POST', PATH, { ...scope, ...end, reason }));
    setSending(false);
    onChange();
  };
  // A button that was off has lost the focus.
  useEffect(() => {
    if (text !== '' && !isSending) (isDone ? close.current : tapped.current)?.focus();
  }, [text, isDone, isSending]);
  return (
    <Dialog name="work" titleId="work-heading" onClose={onClose}>
      <h2 id="work-heading">{`Work on ${title}`}</h2>
      <p>Nothing is told of these phones until then. What is still wrong at its end is told.</p>
      <input
        type="text"
        maxLength={200}
        placeholder="Reason (optional)"
        aria-label="Reason"
        autocomplete="off"
        value={reason}
        onInput={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <p class="buttons">
        {DURATIONS.map(([words, end]) => (
          <button
            key={words}
            type="button"
            class="button"
            // Once it holds, another tap would say something else of the same phones.
            disabled={isSending || isDone}
            onClick={({ currentTarget }) => {
              tapped.current = currentTarget;
              void begin(end);
            }}
          >
            {words}
          </button>
        ))}
      </p>
      <p role="status">{text}</p>
      <button ref={close} type="button" class="button" onClick={onClose}>
        {isDone ? 'Close' : 'Cancel'}
      </button>
    </Dialog>
  );
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
