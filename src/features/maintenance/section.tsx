import { useEffect, useRef, useState } from 'preact/hooks';
import { parseTime } from '../../fleet/freshness.ts';
import { DAY } from '../../model/time.ts';
import { say } from '../../text/say.ts';
import { sendChange } from '../page/browser/exporter.ts';
import {
  type ActionProps,
  type ChangeProps,
  Instant,
  Name,
  type PageSection,
  type SectionProps,
  type Shown,
} from '../page/browser/parts.tsx';
import type { FleetMaintenance } from './model.ts';
import { describeMaintenance, mutedText } from './words.ts';

/* Active maintenance with a button to end it, and a dialog that starts it with one tap. */

const PATH = 'api/v1/maintenance';
const WEEK_MILLISECONDS = 7 * DAY;

/** Durations to choose from, as text and for the request. */
const durations = (): readonly (readonly [title: string, end: Readonly<Record<string, unknown>>])[] => [
  [say('minutes', { count: 30 }), { for: '30m' }],
  [say('maintenance-hours', { count: 2 }), { for: '2h' }],
  [say('maintenance-hours', { count: 8 }), { for: '8h' }],
  [say('maintenance-days', { count: 3 }), { for: '72h' }],
  [say('maintenance-until-it-is-back'), { until_back: true }],
];

export const maintenance: PageSection = {
  name: 'maintenance',
  get title() {
    return say('maintenance-title');
  },
  place: 'after phones',
  count: ({ maintenance }) => maintenance.length,
  isOpen: () => true,
  Section: Maintenance,
  line: ({ maintenance }, time) => mutedText(maintenance, time),
  Action: MuteButton,
  Change: Mute,
};

function Maintenance({ shown }: SectionProps) {
  return (
    <>
      <p>{say('maintenance-text')}</p>
      <ul class="lines">
        {shown.fleet.maintenance.map((each) => (
          <Item key={each.id} each={each} shown={shown} />
        ))}
      </ul>
    </>
  );
}

function Item({ each, shown }: { readonly each: FleetMaintenance; readonly shown: Shown }) {
  const { id, source, covers, since } = each;
  const { now, time, onChange, onDone } = shown;
  const [isEnding, setEnding] = useState(false);
  const { name, counts, until, why, by } = describeMaintenance(each, time);
  const isLong = now - (parseTime(since) ?? now) > WEEK_MILLISECONDS;
  const facts = [counts, until, isLong ? say('maintenance-long') : '', by].filter(Boolean);
  const end = async (): Promise<void> => {
    setEnding(true);
    onDone((await sendChange('DELETE', `${PATH}?id=${encodeURIComponent(id)}`)).text);
    setEnding(false);
  };
  return (
    <li>
      <Instant at={since} shown={shown} />
      <Name>{why === '' ? name : `${name}: ${why}`}</Name>
      <span class="fact">{facts.join(', ')}</span>
      {onChange !== undefined && source !== 'configured' && (
        <button
          type="button"
          class="button"
          aria-label={say('maintenance-end-of', { name: covers })}
          disabled={isEnding}
          onClick={() => void end()}
        >
          {say('maintenance-end')}
        </button>
      )}
    </li>
  );
}

function MuteButton({ target, shown: { onChange } }: ActionProps) {
  return (
    <button
      type="button"
      class="button"
      aria-label={`${say('page-mute')}: ${target.title}`}
      onClick={() => onChange?.(target)}
    >
      {say('page-mute')}
    </button>
  );
}

/** Asks how long alerts are muted. */
function Mute({ target: { scope }, isDone, onDone }: ChangeProps) {
  const [reason, setReason] = useState('');
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState('');
  const tapped = useRef<HTMLButtonElement>(null);
  const start = async (end: Readonly<Record<string, unknown>>): Promise<void> => {
    setSending(true);
    const sent = await sendChange('POST', PATH, { ...scope, ...end, reason });
    setSending(false);
    if (sent.isDone) onDone(sent.text);
    else setFailure(sent.text);
  };
  // A disabled button would lose the focus.
  useEffect(() => {
    if (failure !== '' && !isSending) tapped.current?.focus();
  }, [failure, isSending]);
  return (
    <>
      <h3>{say('maintenance-mute')}</h3>
      <p>{say('maintenance-mute-text')}</p>
      <input
        type="text"
        maxLength={200}
        placeholder={say('maintenance-reason-optional')}
        aria-label={say('maintenance-reason')}
        autocomplete="off"
        value={reason}
        onInput={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <p class="buttons">
        {durations().map(([words, end]) => (
          <button
            key={words}
            type="button"
            class="button"
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
      <p role="status">{failure}</p>
    </>
  );
}
