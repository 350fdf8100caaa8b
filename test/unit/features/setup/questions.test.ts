import { describe, expect, it } from 'vitest';
import { Interrupted } from '../../../../src/cli/terminal.ts';
import {
  answer,
  type Checked,
  cleanAnswer,
  confirm,
  confirmChanges,
  yesOrNo,
} from '../../../../src/features/setup/questions.ts';
import { wizardWith } from './wizard.ts';

const isNumber = async (text: string): Promise<Checked<number>> =>
  /^\d+$/.test(text) ? { value: Number(text) } : { problem: `"${text}" is no number.` };

const question = { variable: 'N', text: 'Number', check: isNumber };

describe('an answer', () => {
  it.each([
    ['\ufeff key \r\n', 'key'],
    ['"key"', 'key'],
    ["'my key'", 'my key'],
    ['\u200bkey\t', 'key'],
    ['\u202akey\u200e', 'key'],
    ['\u2060k\u00ade\u200dy', 'key'],
    ['it"s', 'it"s'],
  ])('is cleaned of what pasting adds: %j', (text, clean) => {
    expect(cleanAnswer(text)).toBe(clean);
  });

  it('is asked for again until it can be used', async () => {
    const { wizard, said } = wizardWith(['x', '', '7']);
    expect(await answer(wizard, question)).toBe(7);
    expect(said).toEqual(['Number: ', '"x" is no number.', 'Number: ', 'Number: ']);
  });

  it('is the one of the last run, or the suggestion, where nothing is typed', async () => {
    expect(await answer(wizardWith(['']).wizard, { ...question, remembered: '3' })).toBe(3);
    expect(await answer(wizardWith(['']).wizard, { ...question, suggestion: '4' })).toBe(4);
  });

  it('is taken from the variable, and a person corrects a wrong one', async () => {
    const environment = { N: ' 5 ' };
    expect(await answer(wizardWith(undefined, { environment }).wizard, question)).toBe(5);
    const { wizard, said } = wizardWith(['6'], { environment: { N: 'five' } });
    expect(await answer(wizard, question)).toBe(6);
    expect(said).toEqual(['"five" is no number.', 'Number: ']);
  });

  it('is refused by the name of its variable if nobody can be asked', async () => {
    const asked = answer(wizardWith(undefined, { environment: { N: 'five' } }).wizard, question);
    await expect(asked).rejects.toThrow('N: "five" is no number.');
    await expect(answer(wizardWith(undefined).wizard, question)).rejects.toThrow(
      'N is not set: set it, or run this in a terminal',
    );
  });

  it('is not asked for again by a run that keeps answers', async () => {
    const { wizard, said } = wizardWith([], { isQuiet: true });
    expect(await answer(wizard, { ...question, remembered: '3' })).toBe(3);
    expect(said).toEqual([]);
  });

  it('continues with the one from the last run while a service is down', async () => {
    const check = async (): Promise<Checked<number>> => ({ problem: 'Down.', orElse: 1 });
    const { wizard, said } = wizardWith(undefined);
    expect(await answer(wizard, { ...question, check, remembered: '3' })).toBe(1);
    expect(said).toEqual(['Down. Your earlier answer stays in use; correct it later.']);
    const person = wizardWith(['2', 'n', '2', 'y']);
    expect(await answer(person.wizard, { ...question, check })).toBe(1);
    expect(person.said.filter((each) => each.startsWith('Continue'))).toHaveLength(2);
  });

  it('stays in use with a warning if a service refuses it now, and a person who wants another is asked', async () => {
    const check = async (text: string): Promise<Checked<number>> =>
      text === '3' ? { problem: 'Refused.', orElse: 3, isWrong: true } : { value: Number(text) };
    const { wizard, said } = wizardWith([], { isQuiet: true, environment: { N: '3' } });
    expect(await answer(wizard, { ...question, check, remembered: '3' })).toBe(3);
    expect(said).toEqual(['Refused. Your earlier answer stays in use; correct it later.']);
    const person = wizardWith(['3', '4']);
    expect(await answer(person.wizard, { ...question, check, remembered: '3' })).toBe(4);
    const changed = wizardWith(undefined, { environment: { N: '3' } });
    await expect(answer(changed.wizard, { ...question, check, remembered: '2' })).rejects.toThrow(
      'N: Refused.',
    );
  });

  it('is hidden if it is a secret, and read from a file with the line ends of Windows', async () => {
    const secret = { ...question, isSecret: true, check: async (text: string) => ({ value: text }) };
    const { wizard, said } = wizardWith([' 1:a b\r']);
    expect(await answer(wizard, secret)).toBe('1:ab');
    expect(said).toEqual(['hidden Number (hidden): ']);
    const file = wizardWith(undefined, {
      environment: { N_FILE: '/secret' },
      readFile: async () => '\ufeff1:ab\r\n',
    });
    expect(await answer(file.wizard, secret)).toBe('1:ab');
    const missing = wizardWith(undefined, { environment: { N_FILE: '/secret' } });
    await expect(answer(missing.wizard, secret)).rejects.toThrow('N_FILE: /secret cannot be read');
  });

  it('ends with the person', async () => {
    await expect(answer(wizardWith(['x']).wizard, question)).rejects.toThrow(Interrupted);
  });
});

describe('changes', () => {
  const lines = Array.from({ length: 46 }, (_, index) => `+ line ${index}`).join('\n');
  const changes = [{ title: 'Changes to a file:', lines }, { title: 'key gets a new secret.' }];
  const titles = ['Changes to a file: 46 lines, shown with d', 'key gets a new secret.'];

  it('are shown in a terminal if the person types d, if they are many lines', async () => {
    const { wizard, said } = wizardWith(['d', 'n']);
    expect(await confirmChanges(changes, 'Write them?', wizard, true)).toBe(false);
    const all = `Changes to a file:\n${lines}\nkey gets a new secret.`;
    expect(said).toEqual([...titles, 'Write them? [Y/n/d] ', all, 'Write them? [Y/n] ']);
  });

  it('are confirmed without a look at them', async () => {
    const { wizard, said } = wizardWith(['']);
    expect(await confirmChanges(changes, 'Write them?', wizard, true)).toBe(true);
    expect(said).toHaveLength(3);
  });

  it('are shown whole without a terminal, and if they are few lines', async () => {
    const { wizard, said } = wizardWith(undefined);
    expect(await confirmChanges(changes, 'Write them?', wizard, true)).toBe(true);
    expect(said.join()).toContain('+ line 45');
    const short = wizardWith(['y']);
    await confirmChanges([{ title: 'Changes:', lines: '+ a' }], 'Write them?', short.wizard);
    expect(short.said).toEqual(['Changes:\n+ a', 'Write them? [y/N] ']);
  });
});

describe('a yes', () => {
  it.each([
    ...['y', 'Yes', 'да', 'Д', 'так', 'ja', 'sí', 'si', 'Oui', 'ok', 'OK.', 'tak', 'evet', '"yes"', 'da'].map(
      (typed) => [typed, true] as const,
    ),
    ...['n', 'No', 'нет', 'ні', 'nein', 'non', 'hayır', 'none'].map((typed) => [typed, false] as const),
  ])('is heard in the language of whoever answers: %s is %s', async (typed, isYes) => {
    const { wizard } = wizardWith([typed, 'no']);
    expect(await confirm('Write it?', wizard, !isYes)).toBe(isYes);
  });

  it('that is neither yes nor no is asked for again, and then is no', async () => {
    const { wizard, said } = wizardWith(['maybe', 'yes']);
    expect(await confirm('Write it?', wizard)).toBe(true);
    expect(said).toHaveLength(2);
    expect(await confirm('Write it?', wizardWith(['a', 'b', 'c']).wizard, true)).toBe(false);
  });

  it.each([
    ['да', true],
    ['no', false],
    ['', undefined],
  ])('of a variable is %s: %s', (value, meant) => {
    expect(yesOrNo('HOSTER_TELEGRAM_ANSWERS', { environment: { HOSTER_TELEGRAM_ANSWERS: value } })).toBe(
      meant,
    );
  });

  it('of a variable that is neither is refused by its name', () => {
    expect(() => yesOrNo('ANSWERS', { environment: { ANSWERS: 'maybe' } })).toThrow(
      'ANSWERS: got "maybe", expected yes or no.',
    );
  });
});
