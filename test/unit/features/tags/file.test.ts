import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish } from '../../../../src/base/steps.ts';
import { type TagBook, tagLineFinder, tagNameProblem } from '../../../../src/features/tags/book.ts';
import { createTagReader, parseTags } from '../../../../src/features/tags/file.ts';
import { anyCharacter } from '../../../any-character.ts';
import { LABELS_BY_METRIC, TARGET_LABELS } from '../../grafana/names.ts';

const parse = (...lines: readonly string[]): TagBook => finish(parseTags(lines.join('\n')));

/** The tags of a phone as an object; undefined without a line. */
function propertiesOf(book: TagBook, id: string, label = '', account = 'main') {
  const line = tagLineFinder(book, account)(id, label);
  return line && Object.fromEntries(line.tags);
}

describe('a file of tags', () => {
  it.each([
    ['commas', 'phone,carrier,owner\np1,Kyivstar,Anna\n'],
    ['semicolons, as where the decimal sign is a comma', 'phone;carrier;owner\np1;Kyivstar;Anna\n'],
    [
      'a byte order mark and the ends of lines of Windows',
      '\uFEFFphone,carrier,owner\r\np1,Kyivstar,Anna\r\n',
    ],
    ['quotation marks around each text', '"phone","carrier","owner"\n"p1","Kyivstar","Anna"'],
    ['a line that names another separator', 'sep=|\nphone|carrier|owner\np1|Kyivstar|Anna'],
    ['semicolons, and commas in a title', 'phone, id or label;carrier;owner\np1;Kyivstar;Anna'],
    ['commas, and a semicolon in a note', 'phone,# a;b,carrier,owner\np1,,Kyivstar,Anna'],
    ['tabs and decimal commas', 'phone\t# cost, UAH\tcarrier\towner\np1\t2,50\tKyivstar\tAnna'],
    ['blanks around texts', ' phone , carrier , owner \n p1 , Kyivstar , Anna '],
    ['empty lines, and empty columns at the end', 'phone,carrier,owner,,\n\np1,Kyivstar,Anna,,\n,,,,\n'],
    ['notes for people', 'phone,# label,carrier,owner\np1,"rack, 1",Kyivstar,Anna'],
    ['an empty title before one in quotation marks', ',"carrier",owner\np1,Kyivstar,Anna'],
    [
      'a quotation mark within a text without any around it',
      'phone,# note,carrier,owner\np1,5" screen,Kyivstar,Anna',
    ],
    ['a note of two lines', 'phone,# note,carrier,owner\np1,"one\r\ntwo",Kyivstar,Anna'],
  ])('is read with %s', (_, text) => {
    const book = finish(parseTags(text));
    expect(book.warnings).toEqual([]);
    expect(book.names).toEqual(['carrier', 'owner']);
    expect(propertiesOf(book, 'p1')).toEqual({ carrier: 'Kyivstar', owner: 'Anna' });
  });

  it('names a phone by its id, or by its label', () => {
    const book = parse('phone,owner', 'p1,Anna', 'rack-01/slot-02,Ivan');
    expect(propertiesOf(book, 'p1', 'rack-01/slot-02')).toEqual({ owner: 'Anna' });
    expect(propertiesOf(book, 'p2', ' rack-01/slot-02 ')).toEqual({ owner: 'Ivan' });
    expect(propertiesOf(book, 'p3', 'rack-01/slot-03')).toBeUndefined();
  });

  it('names phones whose labels have characters that cannot be shown', () => {
    const book = parse('phone,# label,owner', 'p1,rack \uFFFD,Anna', 'rack \uFFFD 2,,Ivan');
    expect(book.warnings).toEqual([]);
    expect(propertiesOf(book, 'p2', 'rack \uFFFD 2')).toEqual({ owner: 'Ivan' });
  });

  it('names phones of one account, where a column says so', () => {
    const book = parse('phone,account,owner', 'slot-01,main,Anna', 'slot-01,second,Ivan', 'slot-02,,Olha');
    expect(propertiesOf(book, 'x', 'slot-01', 'main')).toEqual({ owner: 'Anna' });
    expect(propertiesOf(book, 'x', 'slot-01', 'second')).toEqual({ owner: 'Ivan' });
    expect(propertiesOf(book, 'x', 'slot-01', 'third')).toBeUndefined();
    expect(propertiesOf(book, 'x', 'slot-02', 'third')).toEqual({ owner: 'Olha' });
  });

  it('has no tag if a cell is empty or missing', () => {
    const book = parse('phone,carrier,owner', 'p1,,Anna', 'p2,Kyivstar');
    expect(propertiesOf(book, 'p1')).toEqual({ owner: 'Anna' });
    expect(propertiesOf(book, 'p2')).toEqual({ carrier: 'Kyivstar' });
  });

  it('has texts as labels have them', () => {
    const book = parse(
      'phone,owner',
      `p1,a\u202Eb\u0007${'x'.repeat(200)}`,
      'p2,"say ""hi"""',
      "p3,'=1+1",
      "p4,'t Hof",
    );
    const { owner = '' } = propertiesOf(book, 'p1') ?? {};
    expect([...owner]).toHaveLength(128);
    expect(owner.startsWith('a b x')).toBe(true);
    expect(propertiesOf(book, 'p2')).toEqual({ owner: 'say "hi"' });
    expect(propertiesOf(book, 'p3')).toEqual({ owner: '=1+1' });
    expect(propertiesOf(book, 'p4')).toEqual({ owner: "'t Hof" });
  });

  const LETTERS = 'expected letters (a to z), digits and _, such as';

  it.each([
    [
      'a label of ours',
      'model,owner',
      '2: got "model", expected another name: this one is taken by a label of the metrics',
    ],
    ['other letters', 'SIM Carrier,owner', `2: got "SIM Carrier", ${LETTERS} sim_carrier`],
    ['letters of another alphabet', 'оператор,owner', `2: got "оператор", ${LETTERS} carrier`],
    ['a reserved name', '__proto__,owner', `2: got "__proto__", ${LETTERS} proto`],
    [
      'the name of another one',
      'owner,owner',
      '3: got "owner", expected a column of another name: there are two of this one',
    ],
  ])('warns of a column with %s, and takes the others', (_, head, warning) => {
    const book = parse(`phone,${head}`, 'p1,Anna,Anna');
    expect(book.warnings).toEqual([`tags.file: line 1: column ${warning}`]);
    expect(book.names).toEqual(['owner']);
    expect(propertiesOf(book, 'p1')).toEqual({ owner: 'Anna' });
  });

  it.each([
    ['8.93801E+18', 'a number in scientific notation'],
    ['893801000000000000', 'a number that was rounded to 15 digits'],
    ['TRUE', 'a truth value'],
    ['Wahr', 'a truth value'],
    ['3-Dec', 'a date'],
    ['Dec-03', 'a date'],
  ])('warns of %s, which a spreadsheet made', (cell, damage) => {
    const { warnings, names } = parse('phone,sim', `p1,"${cell}"`);
    expect(names).toEqual(['sim']);
    expect(warnings).toEqual([
      `tags.file: line 2: sim: "${cell}" looks like ${damage}: format the column as text, and type it again`,
    ]);
  });

  it('warns of no cell that people write', () => {
    const cells = [
      'Kyivstar',
      '89380161234567890123',
      '0501234567',
      '12.5',
      'E+',
      'true love',
      '3 Dec racks',
      'May',
    ];
    expect(parse('phone,sim', ...cells.map((cell, index) => `p${index},${cell}`)).warnings).toEqual([]);
  });

  it('takes eight tags, and warns of more', () => {
    const book = parse(`phone,${Array.from({ length: 10 }, (_, index) => `tag_${index}`).join()}`, 'p1,x');
    expect(book.names).toHaveLength(8);
    expect(book.warnings).toEqual([
      'tags.file: line 1: column 10: got "tag_8", expected at most 8 tags',
      'tags.file: line 1: column 11: got "tag_9", expected at most 8 tags',
    ]);
  });

  it('shows the first twenty of many warnings', () => {
    const head = `phone${',model'.repeat(30)}`;
    expect(parse(head, 'p1,x').warnings).toHaveLength(20);
    expect(parse(head, 'p1,x').moreWarnings).toBe(10);
  });

  it.each([
    [
      'a value that is cut',
      ['phone,owner', `p2,${'x'.repeat(129)}`, 'p1,Anna'],
      '2: owner: cut at 128 characters',
    ],
    ['a phone that comes twice', ['phone,owner', 'p1,Anna', '', 'p1,Ivan'], '4: "p1" is already in line 2'],
    [
      'a row without a phone, by the line in which it begins',
      ['phone,"# of', 'two lines",owner', 'p1,"one', 'two",Anna', ',,Ivan'],
      '5: expected a phone in the first column, its id or its label',
    ],
    [
      'a line behind the first two thousand',
      ['phone,owner', 'p1,Anna', ...Array.from({ length: 4_000 }, (_, row) => `p${row + 2},x`), 'p1,Ivan'],
      '4003: "p1" is already in line 2',
    ],
  ])('warns of %s, and takes the other lines', (_, lines, warning) => {
    const book = parse(...lines);
    expect(book.warnings).toEqual([`tags.file: line ${warning}`]);
    expect(propertiesOf(book, 'p1')).toMatchObject({ owner: 'Anna' });
  });

  it('takes no name of a label of the metrics, of alerts, or of what a month is added up by', () => {
    const others = ['severity', 'scope', 'alertname', 'phone'];
    const taken = [...[...LABELS_BY_METRIC.values()].flat(), ...TARGET_LABELS, ...others];
    expect(taken.filter((label) => tagNameProblem(label) === undefined)).toEqual([]);
    expect(['carrier', 'owner', 'city', 'sim', 'site', 'Operator_2'].filter(tagNameProblem)).toEqual([]);
  });
});

describe('a file of tags that cannot be used', () => {
  const UTF8 = 'the file is not UTF-8: save it as "CSV UTF-8"';
  const OPEN =
    'a quotation mark is not closed, expected one at the end of the text, and "" for one within it';
  const ONE_COLUMN = 'got one column, expected a column for each tag, separated by commas or semicolons';

  it.each([
    ['binary', '\u0089PNG\0\0\r\n', UTF8],
    ['in UTF-16', 'p\0h\0o\0n\0e\0', UTF8],
    ['in another encoding', 'phone,owner\np1,\uFFFD\uFFFD', UTF8],
    ['empty', '', 'got an empty first line, expected the names of the columns'],
    ['cut off in its first line', 'phone,"car', `line 1: ${OPEN}`],
    ['cut off in a text', 'phone,carrier\np1,Kyivstar\np2,"Ky', `line 3: ${OPEN}`],
    ['written with a text behind a closed mark', 'phone,carrier\np1,"Ky"ivstar\np2,x', `line 2: ${OPEN}`],
    [
      'cut off behind its first line',
      'phone,carrier\n',
      'got no phone, expected a line for each below the names of the columns',
    ],
    ['of one column', 'x\np1', ONE_COLUMN],
    ['separated otherwise', 'phone|carrier\np1|Kyivstar', ONE_COLUMN],
  ])('says what is wrong with one that is %s', (_, text, problem) => {
    expect(finish(parseTags(text))).toEqual({
      names: [],
      lines: undefined,
      warnings: [`tags.file: ${problem}`],
      moreWarnings: 0,
    });
  });

  it('is read without an error, whatever is in it', () => {
    const unit = fc.oneof(fc.constantFrom(',', ';', '\t', '"', '\n', '\r', '=', '#'), anyCharacter);
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 400 }), (text) => {
        const { names, lines, warnings } = finish(parseTags(text));
        expect(names.length).toBeLessThanOrEqual(8);
        if (lines === undefined) expect(warnings).not.toEqual([]);
        for (const warning of warnings) expect(warning).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe('the reader of a file of tags', () => {
  const turn = async (): Promise<void> => {};

  it('returns the same book as long as the file stays the same', async () => {
    let text = 'phone,owner\np1,Anna';
    const read = createTagReader(async () => text, turn);
    const first = await read('/tags.csv');
    expect(await read('/tags.csv')).toBe(first);
    text = 'phone,owner\np1,Ivan';
    expect(propertiesOf(await read('/tags.csv'), 'p1')).toEqual({ owner: 'Ivan' });
  });

  it('says why a file cannot be read, and what to do', async () => {
    const missing = Object.assign(new Error('no'), { code: 'ENOENT' });
    const read = createTagReader(() => Promise.reject(missing), turn);
    expect((await read('/tags.csv')).warnings).toEqual([
      'tags.file: /tags.csv: no such file: write it with hoster-exporter tags --write',
    ]);
    expect((await read(undefined)).warnings).toEqual([]);
  });
});
