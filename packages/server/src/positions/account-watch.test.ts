import { expect, test } from 'vitest';
import type { ExecutionReport } from '../exchange/payloads.ts';
import { accountWatch } from './account-watch.ts';

const report = (s: string) =>
  ({ s, x: 'TRADE', S: 'BUY', L: '2', l: '1', Y: '2', n: '0', N: null, t: '7', i: '8', T: 1000 }) as unknown as ExecutionReport;

test('a fill of a pair whose row cannot be read is not booked by its name: its history is read once the pair is known', async () => {
  const booked: string[] = [];
  const asked: (string | undefined)[] = [];
  let tell: ((given: ExecutionReport) => void) | undefined;
  const watch = accountWatch({
    accounts: {
      get: async () =>
        ({
          listen: ({ onExecution }: { onExecution: typeof tell }) => {
            tell = onExecution;
            return () => undefined;
          },
        }) as never,
    },
    market: { pair: () => undefined, isUnread: (symbol) => symbol === 'NEWUSDT' },
    ledger: {
      inTurn: (_accountId: string, work: () => Promise<unknown>) => work(),
      entries: async () => [],
      append: async (_accountId: string, entries: readonly { symbol: string }[]) => {
        booked.push(...entries.map(({ symbol }) => symbol));
        return { added: entries.length, superseded: 0 };
      },
    } as never,
    valuer: { later: () => undefined } as never,
    readHistory: (_accountId, symbol) => void asked.push(symbol),
    onBack: () => undefined,
    onReport: () => undefined,
    onFill: () => undefined,
    timers: { after: () => () => undefined },
    log: { error: () => undefined } as never,
  });
  await watch.watch('a');
  tell?.(report('NEWUSDT'));
  await watch.written('a');
  expect([booked, asked]).toEqual([[], ['NEWUSDT']]);
  // One that is listed no more is known by its name.
  tell?.(report('GONEUSDT'));
  await watch.written('a');
  expect([booked, asked]).toEqual([['GONEUSDT'], ['NEWUSDT']]);
});
