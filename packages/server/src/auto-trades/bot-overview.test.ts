import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { newAutoTradeContext } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { expect, test } from 'vitest';
import { botOverview } from './bot-overview.ts';

const config = autoTradeConfigSchema.parse({
  name: 'A',
  walletId: '01890000-0000-7000-8000-000000000001',
  coins: { symbols: ['BTCUSDT'] },
  entry: {},
  stopLoss: { mode: 'none' },
});
const bot = (id: string) => ({ id, name: id, walletId: 'w', state: 'disabled', context: newAutoTradeContext, config, configVersion: 1 });
const position = { symbol: 'BTCUSDT', state: 'open', configVersion: 1, context: { bought: '2', quantity: '2', attention: null } };

function overview(given: { unreadable?: { id: string; name: string; walletId: string }[]; damaged?: string }) {
  const store = {
    list: async () => [bot('one'), bot('other')],
    newestPositions: async (id: string) => {
      if (id === given.damaged) throw new SyntaxError('no JSON');
      return [{ ...position, id: `of ${id}` }];
    },
  };
  const service = {
    store,
    running: () => undefined,
    unreadPair: () => undefined,
    unreadable: async () => given.unreadable ?? [],
  };
  const wallets = {
    list: async () => [
      { id: 'w', mode: 'paper' },
      { id: 'live', mode: 'live' },
    ],
  };
  return botOverview({ service, wallets, market: { price: () => undefined } } as never);
}

test('a bot of which a position cannot be read is named, and hides nothing of the others', async () => {
  const { bots, unreadable } = await overview({ damaged: 'one' }).needs('ann');
  expect(bots.map(({ id, positions }) => [id, positions.length])).toEqual([['other', 1]]);
  expect(unreadable).toEqual([{ id: 'one', name: 'one' }]);
});

test('coins on paper are not whole while a bot on paper or one of its positions cannot be read', async () => {
  const [one, other] = ['one', 'other'].map(() => ({ walletId: 'w', symbol: 'BTCUSDT', quantity: '2' }));
  const lost = (walletId: string) => [{ id: 'lost', name: 'Lost', walletId }];
  expect(await overview({}).paperCoins('ann')).toEqual({ coins: [one, other], whole: true });
  expect(await overview({ unreadable: lost('live') }).paperCoins('ann')).toMatchObject({ whole: true });
  expect(await overview({ unreadable: lost('w') }).paperCoins('ann')).toMatchObject({ whole: false });
  expect(await overview({ damaged: 'one' }).paperCoins('ann')).toEqual({ coins: [other], whole: false });
});
