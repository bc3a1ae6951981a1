import { expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { execute } from '../app/cli.ts';

process.env.TZ = 'UTC';
const AT = '2024-09-13T08:00:00.000Z';
const BATCH = '01a1ff8f-565f-72f9-b1c6-782500d479ef';
const half = (id: string, at: string, more: object = {}) => ({
  id,
  asset: 'MATIC',
  change: '-100',
  at,
  proposal: { fromAsset: 'MATIC', fromQuantity: '100', asset: null, quantity: null, at, ...more },
});
const counts = { rows: 1, imported: 1, duplicate: 0, crossDuplicate: 0, skipped: 0, question: 0, error: 0 };
const batch = { id: BATCH, fileName: '100 MATIC → 100 POL', format: 'carry-over', at: AT, counts, period: null };

async function run(words: string[], items: readonly object[], terminal = false) {
  const calls: unknown[][] = [];
  const fetch = (async (input: string, { method = 'GET', body }: RequestInit = {}) => {
    const path = new URL(input).pathname.replace('/bff/v2/', '');
    if (method !== 'GET') calls.push([method, path, ...(typeof body === 'string' ? [JSON.parse(body)] : [])]);
    if (method === 'DELETE') return new Response(null, { status: 204 });
    if (method === 'POST') return new Response(JSON.stringify({ batchId: BATCH, replaced: [{ asset: 'MATIC', change: '-100', at: AT }] }));
    return new Response(JSON.stringify(path === 'carry-overs' ? { items, total: items.length } : [batch]));
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, terminal, columns: 160, env: { PILOTFISH_TOKEN: 't', NO_COLOR: '1' } });
  const exit = await execute(words, host);
  return { exit, out: host.out(), err: host.err(), calls };
}

test('a coin of which one side of a swap is known is carried over to what its owner names, and taken back by name', async () => {
  const listed = await run(['swaps', 'ls'], [half('a', AT)], true);
  expect(listed.out).toMatch(/13 Sep 2024 8:00:00 AM +MATIC +−100 +100 MATIC +–/);
  expect(await run(['swaps', 'carry', 'matic', '--yes'], [half('a', AT)])).toMatchObject({ exit: 2, err: expect.stringContaining('--to') });
  const carried = await run(['swaps', 'carry', 'matic', '--to', '100 pol', '--yes'], [half('a', AT)]);
  expect(carried.calls).toEqual([
    ['POST', 'carry-overs', { fromAsset: 'MATIC', fromQuantity: '100', asset: 'POL', quantity: '100', at: AT }],
  ]);
  expect(carried.err).toContain(`100 MATIC became 100 POL; 1 record was replaced. Take it back with: pilotfish imports undo ${BATCH}`);
  // Proposed whole, it needs no word more.
  const whole = await run(['swaps', 'carry', 'MATIC', '--yes'], [half('a', AT, { asset: 'POL', quantity: '99.5' })]);
  expect(whole.calls).toMatchObject([['POST', 'carry-overs', { asset: 'POL', quantity: '99.5' }]]);
  const imports = await run(['imports', 'ls'], [], true);
  expect(imports.out).toMatch(/100 MATIC → 100 POL +Cost carried over/);
  const undone = await run(['imports', 'undo', BATCH, '--yes'], []);
  expect(undone).toMatchObject({ exit: 0, calls: [['DELETE', `import-trades/Binance/${BATCH}`]] });
  expect(undone.err).toContain('The carry-over 100 MATIC → 100 POL was taken back.');
});

test('of several movements the time says which; without one both sides are given', async () => {
  const later = '2024-09-20T08:00:00.000Z';
  const two = [half('a', AT), half('b', later)];
  expect(await run(['swaps', 'carry', 'MATIC', '--to', '5 POL', '--yes'], two)).toMatchObject({
    exit: 2,
    err: expect.stringContaining(`${AT}, ${later}`),
    calls: [],
  });
  const meant = await run(['swaps', 'carry', 'MATIC', '--to', '5 POL', '--at', '2024-09-20T08:00Z', '--yes'], two);
  expect(meant.calls).toMatchObject([['POST', 'carry-overs', { quantity: '5', at: later }]]);
  expect(await run(['swaps', 'carry', 'OLD', '--yes'], two)).toMatchObject({ exit: 7, err: expect.stringContaining('OLD') });
  const given = await run(['swaps', 'carry', '--from', '1 old', '--to', '2 new', '--at', '2024-09-20', '--yes'], []);
  const body = { fromAsset: 'OLD', fromQuantity: '1', asset: 'NEW', quantity: '2', at: '2024-09-20T00:00:00.000Z' };
  expect(given.calls).toEqual([['POST', 'carry-overs', body]]);
  for (const wrong of ['POL', '1,5 POL', 'x POL'])
    expect(await run(['swaps', 'carry', '--from', wrong, '--yes'], [])).toMatchObject({ exit: 2, err: expect.stringContaining('--from') });
});
