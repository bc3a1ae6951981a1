import type { AutoTradeEvent } from '@pilotfish/core/auto-trades/auto-trade-machine';
import type { AutoTradeLog } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AppContext } from '../app/context.ts';
import type { AutoTradesStore } from './auto-trades-store.ts';
import type { BotParts } from './bot-runner.ts';

/** What an engine tells of its pauses becomes a state of the bot and a line of its log. */
export function pauseNotes(
  autoTradeId: string,
  parts: Pick<AppContext, 'database' | 'now' | 'newId' | 'log'> & {
    readonly store: Pick<AutoTradesStore, 'appendLogs'>;
    readonly apply: (event: AutoTradeEvent) => void;
  },
): Pick<BotParts, 'onProtection' | 'onProtectionWarning' | 'onPauseEnded'> {
  const { store, database, now, newId, log, apply } = parts;
  const note = (code: string, level: 'info' | 'warning', symbol: string | null, facts: AutoTradeLog['facts']): void => {
    const line = { id: newId(), at: new Date(now()).toISOString(), positionId: null, symbol, code, level, facts };
    store
      .appendLogs(autoTradeId, [line], database.queries)
      .catch((error: unknown) => log.error({ err: error, autoTradeId }, 'a line of the log of a bot could not be written'));
  };
  return {
    onProtection: ({ protection, scope, symbol, until, observed, limit }) => {
      note('PROTECTION', 'warning', symbol, { protection, observed, limit, until: new Date(until).toISOString() });
      if (scope === 'bot') apply({ type: 'bot.paused', reason: protection, until });
    },
    onProtectionWarning: ({ protection, observed, limit }) => note('PROTECTION_NEAR', 'warning', null, { protection, observed, limit }),
    onPauseEnded: ({ scope, symbol, reason }) => {
      note('PAUSE_ENDED', 'info', symbol, { protection: reason });
      if (scope === 'bot') apply({ type: 'pause.ended' });
    },
  };
}
