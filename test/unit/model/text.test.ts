import { expect, it } from 'vitest';
import { cleanText, foldText, splitFirstName, splitNames, TEXT_LIMIT } from '../../../src/model/text.ts';

it.each([
  ['plain letters stay', 'Rack A / 1', 'Rack A / 1'],
  ['quotes and backslashes stay, since the encoder quotes them', '"a"\\b', '"a"\\b'],
  ['emoji and scripts stay', '📱 полка מדף', '📱 полка מדף'],
  ['decomposed letters are composed', 'e\u0301', '\u00e9'],
  ['control characters are replaced', 'a\nb\u0000c\u007fd\u0085e', 'a\uFFFDb\uFFFDc\uFFFDd\uFFFDe'],
  ['an escape sequence cannot colour a terminal', '\u001b[31mred', '\uFFFD[31mred'],
  ['bidirectional controls are replaced', 'a\u202eb\u2066c', 'a\uFFFDb\uFFFDc'],
  ['zero-width characters are replaced', 'a\u200bb\ufeffc', 'a\uFFFDb\uFFFDc'],
  ['a joiner between two emoji stays', '🏳️\u200d🌈 👨\u200d👩', '🏳️\u200d🌈 👨\u200d👩'],
  ['a joiner elsewhere is replaced', 'a\u200db 👩\u200d \u200d👩', 'a\uFFFDb 👩\uFFFD \uFFFD👩'],
  ['a joiner is not the last character', `${'x'.repeat(126)}👩\u200d👩`, `${'x'.repeat(126)}👩`],
  ['an unpaired surrogate is replaced', 'a\ud800b', 'a\uFFFDb'],
])('in a cleaned text, %s', (_, text, expected) => {
  expect(cleanText(text)).toBe(expected);
  expect(cleanText(cleanText(text))).toBe(expected);
});

it('cleanText cuts a long text between code points, not within one', () => {
  expect(cleanText('📱'.repeat(1_000_000))).toBe('📱'.repeat(TEXT_LIMIT));
});

it.each([
  ['rack-01, rack-02', ['rack-01', 'rack-02']],
  ['"Kyiv, rack 1",rack-02', ['Kyiv, rack 1', 'rack-02']],
  ['"the ""big"" rack"', ['the "big" rack']],
  ['“Kyiv, rack 1”, «rack 2», „rack 3“', ['Kyiv, rack 1', 'rack 2', 'rack 3']],
  ['"«rack 1»", "the “big” rack"', ['«rack 1»', 'the “big” rack']],
  ['5" screens', ['5" screens']],
  [' , ,', []],
])('the list %s has the names %j', (text, names) => {
  expect(splitNames(text)).toEqual(names);
});

it.each([
  ['Đà Nẵng', 'da nang'],
  ['İSTANBUL', 'istanbul'],
  ['Łódź', 'lodz'],
  ['Straße', 'STRASSE'],
  ['«rack»  –1', '"rack" -1'],
])('%s and %s are the same for a comparison', (one, other) => {
  expect(foldText(one)).toBe(foldText(other));
});

const NAME = 'Kyiv, rack 1/slot 11';

it.each([
  [`"${NAME}" swollen`, NAME, 'swollen'],
  [`“${NAME}” swollen`, NAME, 'swollen'],
  [`«${NAME}» swollen`, NAME, 'swollen'],
  [`‘${NAME}’ swollen`, NAME, 'swollen'],
  [`'${NAME}' it's swollen`, NAME, "it's swollen"],
  [`${NAME} swollen`, NAME, 'swollen'],
  [`${NAME}`, NAME, ''],
  ['slot-04 the “big” one is swollen', 'slot-04', 'the “big” one is swollen'],
  ['-5 V at the hub', '-5', 'V at the hub'],
])('splits %s into a name and the rest', (text, name, rest) => {
  expect(splitFirstName(text, (words) => words === NAME)).toEqual({ name, rest });
});
