import { describe, expect, it } from 'vitest';
import { escapeHelp, escapeLabelValue, formatLabels, formatValue } from '../../../src/metrics/text.ts';

describe('the text format', () => {
  it.each([
    ['plain', 'plain'],
    ['say "hi"', 'say \\"hi\\"'],
    ['C:\\phones', 'C:\\\\phones'],
    ['two\nlines', 'two\\nlines'],
    ['\\n is no line feed', '\\\\n is no line feed'],
    ['📱 рядом', '📱 рядом'],
  ])('escapes the label value %j as %s', (value, expected) => {
    expect(escapeLabelValue(value)).toBe(expected);
  });

  it('escapes a help text without touching its quotes', () => {
    expect(escapeHelp('a "b"\\\nc')).toBe('a "b"\\\\\\nc');
  });

  it.each([
    [0, '0'],
    [1.5, '1.5'],
    [-3, '-3'],
    [1e21, '1e+21'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [Number.NaN, 'NaN'],
  ])('writes the value %d as %s', (value, expected) => {
    expect(formatValue(value)).toBe(expected);
  });

  it('writes labels in the given order', () => {
    expect(formatLabels(['account', 'device_id'], ['main', 'a"b'])).toBe('account="main",device_id="a\\"b"');
  });
});
