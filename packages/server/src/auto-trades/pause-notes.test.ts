import type { AutoTradeEvent } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import pino from 'pino';
import { expect, test } from 'vitest';
import { pauseNotes } from './pause-notes.ts';

const HOUR = 3_600_000;
const AT = 1_800_000_000_000;

function stage() {
  const told: AutoTradeEvent[] = [];
  const lines: string[] = [];
  const engine: { pause: { reason: string; until: number | null } | null } = { pause: null };
  const context = { database: { queries: {} } as never, now: () => AT, newId: () => 'id', log: pino({ level: 'silent' }) };
  const notes = pauseNotes('bot', context, {
    store: {
      appendLogs: async (_id: string, logs: readonly { code: string }[]) => void lines.push(...logs.map(({ code }) => code)),
    } as never,
    apply: (event) => void told.push(event),
    pauseNow: () => engine.pause,
  });
  const protection = { scope: 'bot', symbol: null, observed: '1', limit: '1', at: AT } as const;
  return { notes, told, lines, engine, protection };
}

test('a bot stays paused when one of two pauses ends', () => {
  const { notes, told, engine, lines } = stage();
  engine.pause = { reason: 'lossStreak', until: AT + 6 * HOUR };
  notes.onPauseEnded({ scope: 'bot', symbol: null, reason: 'btcGuard', at: AT });
  engine.pause = { reason: 'btcGuard', until: null };
  notes.onPauseEnded({ scope: 'bot', symbol: null, reason: 'lossStreak', at: AT });
  engine.pause = null;
  notes.onPauseEnded({ scope: 'bot', symbol: null, reason: 'btcGuard', at: AT });
  expect(told).toEqual([
    { type: 'bot.paused', reason: 'lossStreak', until: AT + 6 * HOUR },
    { type: 'bot.paused', reason: 'btcGuard', until: AT + HOUR },
    { type: 'pause.ended' },
  ]);
  expect(lines).toEqual(['PAUSE_ENDED', 'PAUSE_ENDED', 'PAUSE_ENDED']);
});

test('a shorter pause does not hide the longer one', () => {
  const { notes, told, engine, protection } = stage();
  engine.pause = { reason: 'lossStreak', until: AT + 6 * HOUR };
  notes.onProtection({ ...protection, protection: 'dailyLoss', until: AT + 2 * HOUR });
  notes.onProtection({ ...protection, protection: 'drawdown', until: AT + 12 * HOUR });
  expect(told).toEqual([
    { type: 'bot.paused', reason: 'lossStreak', until: AT + 6 * HOUR },
    { type: 'bot.paused', reason: 'drawdown', until: AT + 12 * HOUR },
  ]);
});

test('an unknown reference price is no pause of the bot', () => {
  const { notes, told, engine } = stage();
  engine.pause = { reason: 'reference-unknown', until: null };
  notes.onPauseEnded({ scope: 'bot', symbol: null, reason: 'btcGuard', at: AT });
  expect(told).toEqual([{ type: 'pause.ended' }]);
});
