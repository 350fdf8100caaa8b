import type { FleetDocument } from '../fleet/document.ts';
import { durationText, type Freshness, type InstantFormat } from '../fleet/freshness.ts';
import { PROBLEM_WORDS } from '../fleet/words.ts';
import { PROBLEMS } from '../model/problem.ts';
import { byId, element, setAttribute, setText } from './dom.ts';

type StatusBar = {
  readonly show: (freshness: Freshness, now: number) => void;
  /** Has a screen reader read a text once. */
  readonly announce: (text: string) => void;
};

/** Creates the line at the top that shows the age of the data, and the notices below it. */
export function createStatusBar(format: InstantFormat): StatusBar {
  const bar = byId('freshness');
  const word = byId('freshness-word');
  const time = byId('freshness-time');
  const notices = byId('notices');
  const announcement = byId('announcement');
  let shown: Freshness | undefined;
  let noticesShown = '';

  const tick = (now: number): void => {
    const learnedAt = shown?.learnedAt;
    if (learnedAt === undefined) {
      setText(time, '');
      return;
    }
    const at = `${format.brief(learnedAt, now)} ${format.zone(now)}`;
    setText(time, `${durationText((now - learnedAt) / 1000)} ago · ${at}`);
    setAttribute(time, 'title', `The phones were last seen at ${format.full(learnedAt)}`);
  };
  const announce = (text: string): void => setText(announcement, text);
  return {
    announce,
    show: (freshness, now) => {
      if (shown !== undefined && shown.word !== freshness.word) announce(freshness.word);
      shown = freshness;
      setAttribute(bar, 'data-tone', freshness.tone);
      setText(word, freshness.word);
      tick(now);
      const key = JSON.stringify(freshness.notices);
      if (key === noticesShown) return;
      noticesShown = key;
      notices.replaceChildren(
        ...freshness.notices.map(({ tone, title, text }) =>
          element(
            'p',
            { class: 'notice', 'data-tone': tone },
            element('strong', {}, title),
            ' ',
            element('span', {}, text),
          ),
        ),
      );
    },
  };
}

export function showVersion({ exporter }: FleetDocument): void {
  setText(byId('version'), exporter.version);
}

/** Explains every problem and names its runbook. */
export function showGuide(): void {
  const terms = PROBLEMS.flatMap((problem) => {
    const { title, meaning, advice, runbook } = PROBLEM_WORDS[problem];
    return [
      element('dt', {}, title),
      element('dd', {}, `${meaning} ${advice} `, element('a', { href: `runbooks/${runbook}` }, 'What to do')),
    ];
  });
  byId('guide-content').replaceChildren(
    element(
      'p',
      {},
      'Each phone is listed once, under the most expensive reason. The data is of the last poll. While polls fail, the page keeps the old data and its ages do not grow; after some time it is grey. ',
      'The data of this page is described in ',
      element('code', {}, 'docs/API.md'),
      ', every metric in ',
      element('code', {}, 'docs/METRICS.md'),
      '. ',
      element('kbd', {}, '/'),
      ' goes to the search.',
    ),
    element('dl', {}, ...terms),
  );
}
