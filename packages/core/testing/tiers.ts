import { test } from 'vitest';

/** `fast` is `npm test`, `deep` is `npm run test:deep`; vitest.config.ts says which files belong to which. */
export const TIER: 'fast' | 'deep' = process.env.PILOTFISH_TIER === 'deep' ? 'deep' : 'fast';

/** How many cases a property test tries: all of them in the deep tier, an eighth (ten at least) in the fast one. */
export const runs = (deep: number): number => (TIER === 'deep' ? deep : Math.min(deep, Math.max(10, Math.round(deep / 8))));

/** Cases of a test: all in the deep tier, the first `fast` in the fast one. */
export const firstOf = <Case>(fast: number, cases: readonly Case[]): Case[] => cases.slice(0, TIER === 'deep' ? undefined : fast);

/** In place of a test: registers nothing, so that a fast run does not report hundreds of skipped tests. */
const nothing: unknown = Object.assign(() => undefined, {
  each: () => () => undefined,
  for: () => () => undefined,
  sequential: () => undefined,
});

/** A test of the deep tier in a file of the fast one: `test`, or nothing in a fast run. */
export const deepTest = (TIER === 'deep' ? test : nothing) as Pick<typeof test, 'each' | 'for' | 'sequential'> & typeof test;
