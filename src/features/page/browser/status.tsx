import { useMemo } from 'preact/hooks';
import { durationText, type Freshness, type InstantFormat } from '../../../fleet/freshness.ts';
import { PROBLEM_WORDS } from '../../../fleet/words.ts';
import { PROBLEMS } from '../../../model/problem.ts';
import { Fold, type PageSection } from './parts.tsx';

type TopProps = {
  readonly freshness: Freshness;
  readonly now: number;
  readonly format: InstantFormat;
  /** Address of the metrics. */
  readonly metrics: string;
  /** Links to sections of features. */
  readonly links: readonly NonNullable<PageSection['link']>[];
};

/** The line at the top: how old the data is, and where else to go. */
export function Top({ freshness: { tone, word, learnedAt }, now, format, metrics, links }: TopProps) {
  // It takes milliseconds to write, and changes with a poll only.
  const seenAt = useMemo(() => `The phones were last seen at ${format.full(learnedAt ?? 0)}`, [learnedAt]);
  return (
    <header class="top">
      <h1 class="brand">Fleet</h1>
      <p class="freshness" data-tone={tone}>
        <strong id="freshness-word">{word}</strong>
        {learnedAt !== undefined && (
          <span title={seenAt}>
            {`${durationText((now - learnedAt) / 1000)} ago · ${format.brief(learnedAt, now)} ${format.zone(now)}`}
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

/** Explains every problem and names its runbook. */
export function Guide() {
  return (
    <Fold id="guide" title="Guide: what this page says, and what to do">
      <p>
        A cell of the wall is a phone, and each phone is shown once, by the most expensive reason. The data is
        of the last poll. While polls fail, the page keeps the old data and its ages do not grow; after some
        time it is grey. The data of this page is described in <code>docs/API.md</code>, every metric in{' '}
        <code>docs/METRICS.md</code>. <kbd>/</kbd> goes to the search, arrows move between the cells of a
        card. <a href="assets/licenses.txt">Licences of what this page is made of</a>
      </p>
      <dl class="facts">
        {PROBLEMS.map((problem) => {
          const { title, meaning, advice, runbook } = PROBLEM_WORDS[problem];
          return [
            <dt key={title}>{title}</dt>,
            <dd key={runbook + title}>
              {`${meaning} ${advice} `}
              <a href={`runbooks/${runbook}`}>What to do</a>
            </dd>,
          ];
        })}
      </dl>
    </Fold>
  );
}
