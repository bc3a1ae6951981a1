import type { AutoTradeEvent } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import type { AppContext } from '../app/context.ts';
import type { TradingPermission } from '../exchange-connection/trading-permission.ts';
import type { RunningBot } from './bot-runner.ts';
import { storageBlocks } from './storage-blocks.ts';
import { tradingBlocks } from './trading-blocks.ts';

/** What keeps bots from buying by itself and lets them go on by itself: a full disk, and keys that may not trade. */
export function botBlocks(
  context: Pick<AppContext, 'storage' | 'log'>,
  parts: {
    readonly running: ReadonlyMap<string, RunningBot>;
    readonly apply: (id: string, event: AutoTradeEvent) => Promise<unknown>;
    readonly trading: Pick<TradingPermission, 'isDenied' | 'doubt' | 'onChange'>;
  },
) {
  const disk = storageBlocks(context, parts);
  const keys = tradingBlocks(parts.trading, { ...parts, log: context.log });
  return {
    refusal: disk.refusal,
    /** What a bot has to be told of either. */
    eventFor: (bot: RunningBot): AutoTradeEvent | undefined => disk.eventFor(bot) ?? keys.eventFor(bot),
    follow: async (bot: RunningBot): Promise<void> => {
      await disk.follow(bot);
      await keys.follow(bot);
    },
    /** The exchange refused the keys of a bot for an order: it stands still, and whether they may trade at all is asked. */
    onKeyRefused: async (id: string): Promise<void> => {
      const bot = parts.running.get(id);
      // That they may not trade is known, and why its bots stand still is said already.
      if (bot && keys.isDenied(bot)) return;
      if (bot?.accountKey.startsWith('live:')) parts.trading.doubt(bot.bot.accountId);
      await parts.apply(id, { type: 'bot.blocked', reason: 'invalid-key' });
    },
  };
}
