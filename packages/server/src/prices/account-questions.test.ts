import { expect, test } from 'vitest';
import type * as z from 'zod';
import { accountQuestions } from './account-questions.ts';

const answerOf = async (hasWallet: boolean) => {
  const asked: string[] = [];
  const request = async ({ path, answer }: { path: string; answer: z.ZodType }) => {
    asked.push(path);
    return answer.parse({ spotBNBBurn: true });
  };
  const account = { isConnected: async () => true, signerOf: async () => ({}) as never, coinOf: (asset: string) => asset };
  const questions = accountQuestions({ hasWallet, rest: { request } } as never, account, () => 0);
  return { paysFeesInBnb: await questions.paysFeesInBnb('ada'), asked };
};

test('whether fees are paid in BNB is asked of an exchange with a wallet, and unknown without one', async () => {
  expect(await answerOf(true)).toEqual({ paysFeesInBnb: true, asked: ['/sapi/v1/bnbBurn'] });
  expect(await answerOf(false)).toEqual({ paysFeesInBnb: undefined, asked: [] });
});
