import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type Answering, createAdmission } from '../../../src/http/admission.ts';
import type { RefusalReason } from '../../../src/model/refusal.ts';
import { createFakeClock } from '../../fake-clock.ts';

/** An answer that ends when it is told to, or is cut off. */
class FakeAnswer extends EventEmitter implements Answering {
  wasCutOff = false;

  end(): void {
    this.emit('close');
  }

  destroy(): void {
    this.wasCutOff = true;
    this.emit('close');
  }
}

function setUp(all: number) {
  const clock = createFakeClock();
  const refusals: RefusalReason[] = [];
  const admission = createAdmission({
    limits: { all, patienceMilliseconds: 1_000 },
    clock,
    onRefusal: (reason) => refusals.push(reason),
  });
  const ask = (remoteAddress: string, url = '/metrics') => {
    const answer = new FakeAnswer();
    const refusal = admission({ url, socket: { remoteAddress } }, answer);
    return { answer, refusal };
  };
  return { clock, refusals, ask };
}

describe('a request', () => {
  it('is let in while there are places', () => {
    const { ask, refusals } = setUp(2);
    expect([ask('10.0.0.1').refusal, ask('10.0.0.1').refusal, refusals]).toEqual([undefined, undefined, []]);
  });

  it('is told to come again where there is none', async () => {
    const { ask, refusals } = setUp(2);
    ask('10.0.0.1');
    ask('10.0.0.1');
    const { refusal } = ask('10.0.0.1');
    expect(refusal?.status).toBe(503);
    expect(refusal?.headers['retry-after']).toBe('1');
    expect(String(refusal?.content())).toBe('2 answers are under way: try again in 1 s\n');
    expect(refusals).toEqual(['busy']);
  });

  it('is let in again when an answer has ended', () => {
    const { ask } = setUp(1);
    const first = ask('10.0.0.1');
    first.answer.end();
    expect([ask('10.0.0.1').refusal, first.answer.wasCutOff]).toEqual([undefined, false]);
  });

  it('gets the place of one who has more than a fair share', () => {
    const { ask, refusals } = setUp(3);
    const greedy = [ask('10.0.0.1'), ask('10.0.0.1'), ask('10.0.0.1')];
    expect(ask('10.0.0.2').refusal).toBeUndefined();
    expect(greedy.map(({ answer }) => answer.wasCutOff)).toEqual([true, false, false]);
    expect(refusals).toEqual(['busy']);
    // Now each of them has about as much as the other.
    expect(ask('10.0.0.2').refusal?.status).toBe(503);
  });

  it('gets the place of an answer that takes too long', () => {
    const { clock, ask } = setUp(1);
    const slow = ask('10.0.0.1');
    clock.advance(1_000);
    expect(ask('10.0.0.1').refusal?.status).toBe(503);
    clock.advance(1);
    expect([ask('10.0.0.1').refusal, slow.answer.wasCutOff]).toEqual([undefined, true]);
  });

  it.each(['/-/healthy', '/-/ready', '/-/reload'])('for %s is always let in', (path) => {
    const { ask } = setUp(0);
    expect(ask('10.0.0.1', path).refusal).toBeUndefined();
  });

  it.each([
    [2_048, undefined],
    [2_049, 414],
  ])('with an address of %d characters', (length, status) => {
    const { ask } = setUp(1);
    expect(ask('10.0.0.1', '/'.padEnd(length, 'x')).refusal?.status).toBe(status);
  });
});
