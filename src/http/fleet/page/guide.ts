import { element, place } from './element.ts';
import { findings } from './view.ts';
import { FINDING_WORDS } from './words.ts';

/** Explains every finding, and where its runbook is. */
export function showGuide(): void {
  const terms = findings().flatMap((finding) => {
    const { title, meaning, advice, runbook } = FINDING_WORDS[finding];
    return [
      element('dt', {}, title),
      element('dd', {}, `${meaning} ${advice} `, element('code', {}, `docs/runbooks/${runbook}.md`)),
    ];
  });
  place('guide-content').replaceChildren(
    element(
      'p',
      {},
      'A phone stands under the first reason that applies, what costs most first. All is judged as of the last poll: while polls fail, what was seen is held, ages stand still, and after some time nothing is shown any more. ',
      'What this page is made of is described in ',
      element('code', {}, 'docs/API.md'),
      ', every metric in ',
      element('code', {}, 'docs/METRICS.md'),
      '. In the table, the arrow keys, Page Up, Page Down, Home and End move from phone to phone; ',
      element('kbd', {}, '/'),
      ' goes to the search.',
    ),
    element('dl', {}, ...terms),
  );
}
