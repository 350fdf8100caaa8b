import { describe, expect, it } from 'vitest';
import { EXHIBITS, type Exhibit, KEY } from './museum.ts';
import { load, problemsOf } from './sources.ts';

function visit({ file }: Exhibit): readonly string[] {
  return problemsOf(() => load({ file: file.slice(1) })).map((problem) =>
    problem.replace('/etc/hoster/hoster.yml:', ''),
  );
}

describe('the museum of bad files', () => {
  it.each(EXHIBITS.map((exhibit) => [exhibit.title, exhibit] as const))('%s', (_, exhibit) => {
    expect(visit(exhibit)).toEqual(exhibit.problems);
  });

  it('never repeats a key', () => {
    expect(EXHIBITS.flatMap(visit).join('\n')).not.toContain(KEY);
  });
});
