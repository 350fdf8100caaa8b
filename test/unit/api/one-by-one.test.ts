import { expect, it } from 'vitest';
import { createOneByOne } from '../../../src/api/one-by-one.ts';

const PAGE = 36_000;
const TUNNEL = 1_500;

it('lets one large answer go on in each turn of the event loop, in order, and small ones at once', async () => {
  const said: string[] = [];
  const oneByOne = createOneByOne(async () => {
    said.push('turn');
  });
  const answers: readonly (readonly [name: string, bytes: number])[] = [
    ['page 1', PAGE],
    ['page 2', PAGE],
    ['tunnel', TUNNEL],
  ];
  await Promise.all(answers.map(([name, bytes]) => oneByOne(bytes).then(() => said.push(name))));
  expect(said.filter((each) => each !== 'turn')).toEqual(['tunnel', 'page 1', 'page 2']);
  expect(said.filter((each) => each === 'turn')).toHaveLength(2);
});
