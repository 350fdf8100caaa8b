import { useEffect, useMemo } from 'preact/hooks';
import { dateTimeAt, type TimeZone } from '../../../base/time-zone.ts';
import { durationText, type Freshness } from '../../../fleet/freshness.ts';
import { PROBLEM_WORDS, type Tone } from '../../../fleet/words.ts';
import { PROBLEMS } from '../../../model/problem.ts';
import { Fold } from './parts.tsx';
import type { Verdict } from './verdict.ts';
import { WORDS } from './words.ts';

type TopProps = {
  readonly freshness: Freshness;
  readonly now: number;
  readonly zone: TimeZone;
  /** Links to sections of features. */
  readonly links: readonly { readonly href: string; readonly title: string }[];
};

/** The line at the top: the age of the data, and links. */
export function Top({ freshness: { tone, word, learnedAt }, now, zone, links }: TopProps) {
  // Formatting takes milliseconds, and the text changes only with a poll.
  const seenAt = useMemo(() => fullText(zone, learnedAt ?? 0), [learnedAt]);
  return (
    <header class="top">
      <h1 class="brand">Fleet</h1>
      <p class="freshness small" data-tone={tone} title={learnedAt === undefined ? undefined : seenAt}>
        <span aria-hidden="true">●</span> <span id="freshness-word">{word}</span>
        {learnedAt !== undefined && `, ${durationText((now - learnedAt) / 1000)}`}
      </p>
      <nav class="links" aria-label="Sections">
        {links.map(({ href, title }) => (
          <a key={href} href={href}>
            {title}
          </a>
        ))}
        <a href="#guide">Guide</a>
      </nav>
    </header>
  );
}

/** Writes an instant as `2026-11-21 10:04:30 GMT+1`. */
function fullText(zone: TimeZone, instant: number): string {
  return `${dateTimeAt(zone, instant)} ${zone.abbreviationAt(instant)}`;
}

type VerdictProps = { readonly verdict: Verdict };

/** The sentence that says what is wrong, or that all is well. The title and the icon of the tab say it too. */
export function VerdictBar({ verdict: { tone, title, note, past } }: VerdictProps) {
  useEffect(() => {
    document.title = `${title} · Fleet`;
  }, [title]);
  useEffect(() => {
    document.querySelector('link[rel=icon]')?.setAttribute('href', tabIcon(tone));
  }, [tone]);
  return (
    <section id="verdict" class="verdict" data-tone={tone} aria-labelledby="sentence">
      <span class="mark" aria-hidden="true">
        {MARKS[tone] ?? '!'}
      </span>
      <div>
        <h2 id="sentence">{title}</h2>
        {note !== '' && <p>{note}</p>}
      </div>
      {past !== '' && (
        <a class="past" href="#incidents">
          {past}
        </a>
      )}
    </section>
  );
}

const MARKS: Readonly<Partial<Record<Tone, string>>> = { good: '✓', info: '?', wait: '…' };

/** Colours of the icon; a tab has no style sheet. */
const ICON_COLOURS: Readonly<Partial<Record<Tone, string>>> = {
  good: '17693f',
  warn: 'b36b00',
  bad: 'b3203a',
};

/** Returns the icon of the tab as an address: white bars on the colour of a tone. */
function tabIcon(tone: Tone): string {
  const path = 'M4 11V8M8 11V5M12 11V3';
  return `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%23${ICON_COLOURS[tone] ?? '265cc4'}'/%3E%3Cpath d='${path}' stroke='%23fff' stroke-width='2' stroke-linecap='round'/%3E%3C/svg%3E`;
}

export function Notices({ notices }: Pick<Freshness, 'notices'>) {
  return (
    <div id="notices">
      {notices.map(({ tone, title, text }) => (
        <p key={title} class="notice" data-tone={tone}>
          <strong>{title}</strong> <span>{text}</span>
        </p>
      ))}
    </div>
  );
}

/** Explains every problem and links its runbook. */
export function Guide() {
  return (
    <Fold id="guide" title={WORDS.guideTitle}>
      <p>
        {WORDS.guideText} <a href="assets/licenses.txt">{WORDS.licences}</a>
      </p>
      <dl class="facts">
        {PROBLEMS.map((problem) => {
          const { title, meaning, advice, runbook } = PROBLEM_WORDS[problem];
          return [
            <dt key={title}>{title}</dt>,
            <dd key={runbook + title}>
              {`${meaning} ${advice} `}
              <a href={`runbooks/${runbook}`}>{WORDS.runbook}</a>
            </dd>,
          ];
        })}
      </dl>
    </Fold>
  );
}
