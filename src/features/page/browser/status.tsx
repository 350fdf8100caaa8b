import { useEffect } from 'preact/hooks';
import { durationText, type Freshness } from '../../../fleet/freshness.ts';
import { PROBLEM_FACTS, problemAdvice, problemTitle, type Tone } from '../../../fleet/words.ts';
import { PROBLEMS } from '../../../model/problem.ts';
import { say } from '../../../text/say.ts';
import { Fold } from './parts.tsx';
import type { Verdict } from './verdict.ts';

type TopProps = {
  readonly freshness: Freshness;
  readonly now: number;
  /** Says which time zone all times are in; '' if it is the browser's. */
  readonly zone: string;
  /** Links to the features' sections. */
  readonly links: readonly { readonly href: string; readonly title: string }[];
};

/** The line at the top: the age of the data, and links. */
export function Top({ freshness: { tone, word, learnedAt }, now, zone, links }: TopProps) {
  return (
    <header class="top">
      <h1 class="brand">{say('page-fleet')}</h1>
      <p class="freshness small" data-tone={tone}>
        <span aria-hidden="true">●</span> <span id="freshness-word">{word}</span>
        {learnedAt !== undefined && `, ${durationText((now - learnedAt) / 1000)}`}
        {zone !== '' && ` · ${zone}`}
      </p>
      <nav class="links" aria-label={say('page-sections')}>
        {links.map(({ href, title }) => (
          <a key={href} href={href}>
            {title}
          </a>
        ))}
        <a href="#guide">{say('page-guide')}</a>
      </nav>
    </header>
  );
}

type VerdictProps = {
  readonly verdict: Verdict;
  /** The features' lines below the headline. */
  readonly lines: readonly { readonly href: string; readonly text: string }[];
};

/** The headline: what is wrong, or that all is well. The tab's title and icon show it too. */
export function VerdictBar({ verdict: { tone, title, note, past }, lines }: VerdictProps) {
  // A hidden page's tab has a headline of its own.
  useEffect(() => showTab(title, tone));
  return (
    <section id="verdict" class="verdict" data-tone={tone} aria-labelledby="sentence">
      <span class="mark" aria-hidden="true">
        {MARKS[tone] ?? '!'}
      </span>
      <div>
        {/* A screen reader announces changes to the headline, but not to the ages below it. */}
        <div role="status">
          <h2 id="sentence">{title}</h2>
        </div>
        {note !== '' && <p>{note}</p>}
        {lines.map(({ href, text }) => (
          <p key={href}>
            <a href={href}>{text}</a>
          </p>
        ))}
      </div>
      {past !== '' && (
        <a class="past" href="#incidents">
          {past}
        </a>
      )}
    </section>
  );
}

/** Shows a headline in the tab's title and icon. */
export function showTab(title: string, tone: Tone): void {
  const text = `${title} · ${say('page-fleet')}`;
  if (document.title !== text) document.title = text;
  const icon = document.querySelector('link[rel=icon]');
  // White bars on the colour of the tone.
  const address = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%23${ICON_COLOURS[tone] ?? '265cc4'}'/%3E%3Cpath d='M4 11V8M8 11V5M12 11V3' stroke='%23fff' stroke-width='2' stroke-linecap='round'/%3E%3C/svg%3E`;
  if (icon?.getAttribute('href') !== address) icon?.setAttribute('href', address);
}

const MARKS: Readonly<Partial<Record<Tone, string>>> = { good: '✓', info: '?', wait: '…' };

/** Colours of the icon. A tab has no style sheet. */
const ICON_COLOURS: Readonly<Partial<Record<Tone, string>>> = {
  good: '17693f',
  warn: 'b36b00',
  bad: 'b3203a',
};

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

/** Explains every problem and links to its runbook. */
export function Guide() {
  return (
    <Fold id="guide" title={say('page-guide-title')}>
      <p>
        {say('page-guide-text')} <a href="assets/licenses.txt">{say('page-licences')}</a>
      </p>
      <dl class="facts">
        {PROBLEMS.map((problem) => {
          const title = problemTitle(problem);
          const { runbook } = PROBLEM_FACTS[problem];
          return [
            <dt key={title}>{title}</dt>,
            <dd key={runbook + title}>
              {`${problemAdvice(problem)} `}
              <a href={`runbooks/${runbook}`}>{say('page-runbook')}</a>
            </dd>,
          ];
        })}
      </dl>
    </Fold>
  );
}
