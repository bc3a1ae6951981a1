import type { AutoTradeEvent } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import type { Logger } from 'pino';
import type { TradingPermission } from '../exchange-connection/trading-permission.ts';
import type { RunningBot } from './bot-runner.ts';

const DENIED = 'trading-disabled';

/** Live bots that buy nothing while the keys of their account may not trade; exits go on, and the exchange decides. */
export function tradingBlocks(
  trading: Pick<TradingPermission, 'isDenied' | 'onChange'>,
  parts: {
    readonly running: ReadonlyMap<string, RunningBot>;
    readonly apply: (id: string, event: AutoTradeEvent) => Promise<unknown>;
    readonly log: Logger;
  },
) {
  const isDenied = ({ accountKey, bot }: Pick<RunningBot, 'accountKey' | 'bot'>): boolean =>
    accountKey.startsWith('live:') && trading.isDenied(bot.accountId);
  /** What a bot has to be told of its keys; a bot that stands still for another reason goes on standing. */
  const eventFor = (bot: RunningBot): AutoTradeEvent | undefined => {
    const { state, context } = bot;
    // That orders are refused is known by now as the reason why they are.
    const refused = state === 'blocked' && context.reason === 'invalid-key';
    if (isDenied(bot)) return state === 'running' || state === 'paused' || refused ? { type: 'bot.blocked', reason: DENIED } : undefined;
    return state === 'blocked' && context.reason === DENIED ? { type: 'block.cleared' } : undefined;
  };
  const follow = async (bot: RunningBot): Promise<void> => {
    const event = eventFor(bot);
    if (event) await parts.apply(bot.bot.id, event);
  };
  trading.onChange((accountId) => {
    for (const bot of parts.running.values())
      if (bot.bot.accountId === accountId)
        follow(bot).catch((error: unknown) =>
          parts.log.error({ err: error, autoTradeId: bot.bot.id }, 'a bot could not follow what its keys may do'),
        );
  });
  return { isDenied, eventFor, follow };
}
