import type { FleetDocument } from '../document.ts';
import { element, place, setAttribute, setText } from './element.ts';
import type { Freshness } from './freshness.ts';
import { type Calendar, durationText } from './time.ts';

export type StatusBar = {
  readonly show: (freshness: Freshness, now: number) => void;
  /** Counts the seconds on. */
  readonly tick: (now: number) => void;
  /** Says something to those who hear the page, once. */
  readonly announce: (text: string) => void;
};

/** The line at the top that says how old everything is, and the notices below it. */
export function createStatusBar(calendar: Calendar): StatusBar {
  const bar = place('freshness');
  const word = place('freshness-word');
  const time = place('freshness-time');
  const notices = place('notices');
  const announcement = place('announcement');
  let shown: Freshness | undefined;
  let noticesShown = '';

  const tick = (now: number): void => {
    const seenAt = shown?.seenAt;
    if (seenAt === undefined) {
      setText(time, '');
      return;
    }
    setText(time, `${durationText((now - seenAt) / 1000)} ago · ${calendar.brief(seenAt, now)}`);
    setAttribute(time, 'title', `The phones were last seen at ${calendar.full(seenAt)}`);
  };
  const announce = (text: string): void => setText(announcement, text);
  return {
    announce,
    tick,
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

/** What is said of the exporter itself. */
export function showVersion({ exporter }: FleetDocument): void {
  setText(place('version'), exporter.version);
}
