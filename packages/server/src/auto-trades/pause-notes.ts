import type { AutoTradeLog } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeEvent } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import type { AppContext } from '../app/context.ts';
import type { AutoTradesStore } from './auto-trades-store.ts';
import type { BotParts } from './bot-runner.ts';

/** The price that a guard looks at is not known: no pause of its own, and over with the next price. */
const UNKNOWN = 'reference-unknown';
/** What is said of the end of a pause that nobody knows, ms. */
const GUESS_MS = 3_600_000;

/**
 * What a bot is told of a pause that its engine knows; undefined when there is none to tell of.
 * @param at venue ms
 */
export const pauseTold = (
  known: { readonly reason: string; readonly until: number | null } | null | undefined,
  at: number,
): Extract<AutoTradeEvent, { type: 'bot.paused' }> | undefined =>
  known && known.reason !== UNKNOWN ? { type: 'bot.paused', reason: known.reason, until: known.until ?? at + GUESS_MS } : undefined;

/** What an engine tells of its pauses becomes a state of the bot and a line of its log. */
export function pauseNotes(
  autoTradeId: string,
  { database, now, newId, log }: Pick<AppContext, 'database' | 'now' | 'newId' | 'log'>,
  parts: {
    readonly store: Pick<AutoTradesStore, 'appendLogs'>;
    readonly apply: (event: AutoTradeEvent) => void;
    /** The pause of the whole bot that its engine knows now; `until` null: for as long as its cause lasts. */
    readonly pauseNow: () => { readonly reason: string; readonly until: number | null } | null | undefined;
  },
): Pick<BotParts, 'onProtection' | 'onProtectionWarning' | 'onPauseEnded'> {
  const { store, apply, pauseNow } = parts;
  const note = (code: string, level: 'info' | 'warning', symbol: string | null, facts: AutoTradeLog['facts']): void => {
    const line = { id: newId(), at: new Date(now()).toISOString(), positionId: null, symbol, code, level, facts };
    store
      .appendLogs(autoTradeId, [line], database.queries)
      .catch((error: unknown) => log.error({ err: error, autoTradeId }, 'a line of the log of a bot could not be written'));
  };
  /** Of two pauses the one that lasts longer is told: it is the one that the engine ends. */
  const longest = (pause: { reason: string; until: number }): { reason: string; until: number } => {
    const known = pauseNow();
    return known && known.until !== null && known.until > pause.until ? { reason: known.reason, until: known.until } : pause;
  };
  return {
    onProtection: ({ protection, scope, symbol, until, observed, limit }) => {
      note('PROTECTION', 'warning', symbol, { protection, observed, limit, until: new Date(until).toISOString() });
      if (scope === 'bot') apply({ type: 'bot.paused', ...longest({ reason: protection, until }) });
    },
    onProtectionWarning: ({ protection, observed, limit }) => note('PROTECTION_NEAR', 'warning', null, { protection, observed, limit }),
    onPauseEnded: ({ scope, symbol, reason, at }) => {
      note('PAUSE_ENDED', 'info', symbol, { protection: reason });
      if (scope !== 'bot') return;
      // One pause may end while another goes on.
      apply(pauseTold(pauseNow(), at) ?? { type: 'pause.ended' });
    },
  };
}
