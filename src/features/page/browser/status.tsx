import { useMemo } from 'preact/hooks';
import { durationText, type Freshness, type InstantFormat } from '../../../fleet/freshness.ts';
import { PROBLEM_WORDS } from '../../../fleet/words.ts';
import { PROBLEMS } from '../../../model/problem.ts';
import { Fold, type PageSection } from './parts.tsx';
import { WORDS } from './words.ts';

type TopProps = {
  readonly freshness: Freshness;
  readonly now: number;
  readonly format: InstantFormat;
  /** Address of the metrics. */
  readonly metrics: string;
  /** Links to sections of features. */
  readonly links: readonly NonNullable<PageSection['link']>[];
};

/** The line at the top: the age of the data, and links. */
export function Top({ freshness: { tone, word, learnedAt }, now, format, metrics, links }: TopProps) {
  // Formatting takes milliseconds, and the text changes only with a poll.
  const seenAt = useMemo(() => format.full(learnedAt ?? 0), [learnedAt]);
  return (
    <header class="top">
      <h1 class="brand">Fleet</h1>
      <p class="freshness" data-tone={tone}>
        <strong id="freshness-word">{word}</strong>
        {learnedAt !== undefined && (
          <span title={seenAt}>
            {`last update ${durationText((now - learnedAt) / 1000)} ago · ${format.brief(learnedAt, now)} ${format.zone(now)}`}
          </span>
        )}
      </p>
      <nav class="links" aria-label="Exporter">
        <a href={metrics}>Metrics</a>
        <a href="api/v1/fleet">JSON</a>
        <a href="-/healthy">Health</a>
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
