import { describe, expect, test } from 'vitest';
import type { ErrorCode } from './error-codes.ts';
import { oncePerCause } from './once-per-cause.ts';
import { AppError } from './problem.ts';

const list = { name: 'listBots {}', isQuiet: true };
const news = { name: 'getNews {}', isQuiet: true };
const write = { name: 'enableBot {"id":"1"}', isQuiet: false };
const error = (code: ErrorCode, detail?: string) => new AppError(code, { detail });

describe('what a toast says', () => {
  const setUp = () => {
    const said: string[] = [];
    return { said, ...oncePerCause(({ code, detail }) => said.push(detail ?? code)) };
  };
  test('a poll that fails repeatedly says each cause once, and again after an answer', () => {
    const { said, failed, answered } = setUp();
    for (let turn = 0; turn < 3; turn += 1) failed(error('internal', 'one'), list);
    failed(error('internal', 'two'), list);
    failed(error('internal', 'one'), list);
    expect(said).toEqual(['one', 'two']);
    answered(news);
    failed(error('internal', 'one'), list);
    expect(said).toEqual(['one', 'two']);
    answered(list);
    failed(error('internal', 'one'), list);
    expect(said).toEqual(['one', 'two', 'one']);
  });
  test('that no exchange account is connected yet is an invitation on the page, no failure', () => {
    const { said, failed } = setUp();
    failed(error('not-connected'), list);
    expect(said).toEqual([]);
    failed(error('not-connected'), write);
    expect(said).toEqual(['not-connected']);
  });
  test('that something would be sold is asked in its place, and never told as if it had been', () => {
    const { said, failed } = setUp();
    for (const call of [list, write]) failed(error('would-sell-now', 'BTCUSDT is sold at once.'), call);
    expect(said).toEqual([]);
  });
  test('the same failure of two calls is two causes', () => {
    const { said, failed } = setUp();
    failed(error('in-use'), list);
    failed(error('in-use'), news);
    expect(said).toEqual(['in-use', 'in-use']);
  });
  test('what somebody asks for is said each time', () => {
    const { said, failed } = setUp();
    failed(error('conflict'), write);
    failed(error('conflict'), write);
    failed(error('offline'), write);
    failed(error('offline'), write);
    expect(said).toEqual(['conflict', 'conflict', 'offline', 'offline']);
  });
  test('a server that cannot be reached is said once for all lists, and again once it has answered in between', () => {
    const { said, failed, answered } = setUp();
    failed(error('offline'), list);
    failed(error('offline'), news);
    expect(said).toEqual(['offline']);
    answered(write);
    // These two have not been answered since they failed: nothing new.
    failed(error('offline'), list);
    failed(error('offline'), news);
    expect(said).toEqual(['offline']);
    answered(list);
    failed(error('offline'), list);
    expect(said).toEqual(['offline', 'offline']);
  });
});
