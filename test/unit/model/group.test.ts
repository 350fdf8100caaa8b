import { describe, expect, it } from 'vitest';
import { DEFAULT_GROUPS, groupOf } from '../../../src/model/group.ts';

describe('groupOf', () => {
  it.each([
    ['rack-07/slot-04', 'rack-07'],
    ['rack-07 / slot-04', 'rack-07'],
    ['site/rack/slot', 'site'],
    ['rack-07', ''],
    ['', ''],
    ['/slot-04', ''],
    ['rack-07/', 'rack-07'],
    ['מדף 3/טלפון 7', 'מדף 3'],
  ])('takes the first part of %j', (label, group) => {
    expect(groupOf(label, DEFAULT_GROUPS)).toBe(group);
  });

  it.each([
    ['site/rack/slot', 'site/rack'],
    ['site/rack/shelf/slot', 'site/rack'],
    ['rack/slot', 'rack'],
    ['rack', ''],
  ])('takes two parts of %j, but never the last one', (label, group) => {
    expect(groupOf(label, { separator: '/', levels: 2 })).toBe(group);
  });

  it('takes a separator of several characters', () => {
    expect(groupOf('attic :: 3', { separator: '::', levels: 1 })).toBe('attic');
  });
});
