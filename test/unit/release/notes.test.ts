import { describe, expect, it } from 'vitest';
import { releaseNotes } from '../../../packaging/release-notes.mjs';

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- Not yet.\n\n## 1.2.0 - 2026-12-01\n\n- Add a thing.\n\n## 1.1.0\n\n- Old.\n';

describe('the notes of a release', () => {
  it('are the section of its version', () => {
    expect(releaseNotes(CHANGELOG, '1.2.0', 'v1.2.0')).toBe('- Add a thing.\n');
  });

  it.each([
    [
      'another tag than the version of package.json',
      '1.2.0',
      'v1.3.0',
      'got the tag v1.3.0, expected v1.2.0',
    ],
    ['a version without a section', '1.3.0', 'v1.3.0', 'CHANGELOG.md has no section "## 1.3.0"'],
  ])('are refused for %s', (_, version, tag, message) => {
    expect(() => releaseNotes(CHANGELOG, version, tag)).toThrow(message);
  });
});
