import type { AutoTradeEvent } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import type { AppContext } from '../app/context.ts';
import type { RunningBot } from './bot-runner.ts';

const STORAGE_FULL = 'storage-full';

/** Bots that buy nothing while nothing can be stored; exits and halts go on. */
export function storageBlocks(
  { storage, log }: Pick<AppContext, 'storage' | 'log'>,
  parts: { readonly running: ReadonlyMap<string, RunningBot>; readonly apply: (id: string, event: AutoTradeEvent) => Promise<unknown> },
) {
  /** What a bot has to be told of the disk; a bot that stands still for another reason goes on standing. */
  const eventFor = ({ state, context }: Pick<RunningBot, 'state' | 'context'>): AutoTradeEvent | undefined => {
    if (storage.isFull()) return state === 'running' || state === 'paused' ? { type: 'bot.blocked', reason: STORAGE_FULL } : undefined;
    return state === 'blocked' && context.reason === STORAGE_FULL ? { type: 'block.cleared' } : undefined;
  };
  const follow = async (bot: RunningBot): Promise<void> => {
    const event = eventFor(bot);
    if (event) await parts.apply(bot.bot.id, event);
  };
  storage.onChange(() => {
    for (const bot of parts.running.values())
      follow(bot).catch((error: unknown) =>
        log.error({ err: error, autoTradeId: bot.bot.id }, 'a bot could not follow the state of the disk'),
      );
  });
  return {
    eventFor,
    follow,
    /** Why nothing may be bought now. */
    refusal: (side: 'Buy' | 'Sell'): string | undefined => (side === 'Buy' && storage.isFull() ? 'STORAGE_FULL' : undefined),
  };
}
