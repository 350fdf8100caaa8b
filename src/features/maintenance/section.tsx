import { useEffect, useRef, useState } from 'preact/hooks';
import type { FleetMaintenance } from '../../fleet/document.ts';
import { parseTime } from '../../fleet/freshness.ts';
import { countText } from '../../fleet/words.ts';
import { DAY } from '../../model/time.ts';
import { Dialog } from '../page/browser/dialog.tsx';
import { type Sent, sendChange } from '../page/browser/exporter.ts';
import {
  Instant,
  type MaintenanceProps,
  Name,
  type PageSection,
  type SectionProps,
} from '../page/browser/parts.tsx';
import { PAGE_WORDS, untilText } from './words.ts';

/*
 * Active maintenance with a button to end it, and a dialog that starts it with one tap.
 */

const PATH = 'api/v1/maintenance';
const WEEK_MILLISECONDS = 7 * DAY;

/** Durations to choose from, for people and for the request. */
const DURATIONS: readonly (readonly [title: string, end: Readonly<Record<string, unknown>>])[] = [
  ['30 min', { for: '30m' }],
  ['2 hours', { for: '2h' }],
  ['8 hours', { for: '8h' }],
  ['3 days', { for: '72h' }],
  ['Until it is back online', { until_back: true }],
];

/** The duration that most people choose. */
const USUAL = '2 hours';

/** The section of the page. */
export const maintenance: PageSection = {
  name: 'maintenance',
  title: 'In maintenance',
  place: 'after phones',
  count: ({ maintenance }) => maintenance.length,
  isOpen: () => true,
  Section: Maintenance,
  MaintenanceDialog,
};

function Maintenance({ shown, onDone }: SectionProps) {
  return (
    <>
      <p>{PAGE_WORDS.note}</p>
      <ul class="lines">
        {shown.fleet.maintenance.map((each) => (
          <Item key={each.id} each={each} shown={shown} onDone={onDone} />
        ))}
      </ul>
    </>
  );
}

function Item({ each, shown, onDone }: Omit<SectionProps, 'view'> & { readonly each: FleetMaintenance }) {
  const { id, source, covers, since, reason, by, phones, offlinePhones } = each;
  const { now, time, onMaintenance } = shown;
  const [isEnding, setEnding] = useState(false);
  const why = [source === 'configured' ? id : '', reason].filter(Boolean).join(', ');
  const facts = [
    `${countText(phones, 'phone', 'phones')}, ${offlinePhones} offline`,
    untilText(each, time),
    ...(now - (parseTime(since) ?? now) > WEEK_MILLISECONDS ? [PAGE_WORDS.long] : []),
    ...(by === '' ? [] : [`by ${by}`]),
  ];
  const end = async (): Promise<void> => {
    setEnding(true);
    onDone((await sendChange('DELETE', `${PATH}?id=${encodeURIComponent(id)}`)).text);
    setEnding(false);
  };
  return (
    <li>
      <Instant at={since} shown={shown} />
      <Name>{why === '' ? covers : `${covers}: ${why}`}</Name>
      <span class="fact">{facts.join(', ')}</span>
      {onMaintenance !== undefined && source !== 'configured' && (
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

/** Asks how long alerts are muted. */
function MaintenanceDialog({ target: { title, scope }, onClose, onChange, children }: MaintenanceProps) {
  const [reason, setReason] = useState('');
  const [isSending, setSending] = useState(false);
  const [{ text, isDone }, setSent] = useState<Sent>({ text: '', isDone: false });
  const tapped = useRef<HTMLButtonElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const start = async (end: Readonly<Record<string, unknown>>): Promise<void> => {
    setSending(true);
    setSent(await sendChange('POST', PATH, { ...scope, ...end, reason }));
    setSending(false);
    onChange();
  };
  // A disabled button loses the focus.
  useEffect(() => {
    if (text !== '' && !isSending) (isDone ? close.current : tapped.current)?.focus();
  }, [text, isDone, isSending]);
  return (
    <Dialog name="work" titleId="work-heading" onClose={onClose}>
      <h2 id="work-heading">{`${PAGE_WORDS.mute} ${title}`}</h2>
      <p>{PAGE_WORDS.muteNote}</p>
      <input
        type="text"
        maxLength={200}
        placeholder={PAGE_WORDS.reasonHint}
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
            class={words === USUAL ? 'button primary' : 'button'}
            // The keyboard of a telephone opens for the reason only when somebody taps it.
            autofocus={words === USUAL}
            // A second tap would start a second request for the same phones.
            disabled={isSending || isDone}
            onClick={({ currentTarget }) => {
              tapped.current = currentTarget;
              void start(end);
            }}
          >
            {words}
          </button>
        ))}
      </p>
      {!isDone && children}
      <p role="status">{text}</p>
      <button ref={close} type="button" class="quiet" onClick={onClose}>
        {isDone ? 'Close' : 'Cancel'}
      </button>
    </Dialog>
  );
}
