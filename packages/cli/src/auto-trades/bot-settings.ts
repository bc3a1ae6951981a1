import { isDecimalText } from '@pilotfish/core/money/decimal';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure, UsageError } from '../app/failure.ts';
import { type BotSource, type Draft, readBotSources } from './bot-source.ts';

export type BotFlags = {
  file?: string;
  template?: string;
  name?: string;
  wallet?: string;
  coins?: string;
  filters?: string;
  size?: string;
  maxPositions?: string;
  drop?: string;
  lookback?: string;
  immediate?: true;
  rebound?: string;
  order?: 'Limit' | 'Market';
  takeProfit?: string;
  trailingCost?: string;
  stopLoss?: string;
};

/** The one bot of a file; `-` is stdin. @throws LocalFailure naming the file and the line; `manyBots` where there are several */
export async function readBotFile(context: Context, path: string): Promise<Draft> {
  return (await readOneBot(context, path)).draft;
}

export async function readOneBot(context: Context, path: string): Promise<BotSource> {
  const [source, ...more] = await readBotSources(context, path);
  if (more.length > 0) throw new LocalFailure('manyBots', { file: path, count: more.length + 1 }, { exit: EXIT.usage });
  return source as BotSource;
}

const amount = (flag: string, text: string): string => {
  if (!isDecimalText(text)) throw new UsageError('amount', { flag, value: text });
  return text;
};
const whole = (flag: string, text: string): number => {
  if (!/^\d{1,7}$/.test(text)) throw new UsageError('count', { flag, value: text });
  return Number(text);
};

/** `2:50,3:50` → levels; a lone `2` sells everything. */
export function takeProfitLevels(text: string): { gainPct: string; sellPct: string }[] {
  return text.split(',').map((level) => {
    const [gain = '', share = '100', ...rest] = level.trim().split(':');
    if (rest.length > 0) throw new UsageError('levels', { value: level });
    return { gainPct: amount('--take-profit', gain), sellPct: amount('--take-profit', share) };
  });
}

/** The flags laid over the file, flags first: the tree that `POST /v2/auto-trades` wants, `wallet` still by name. */
export function withFlags(draft: Draft, flags: BotFlags): Draft {
  if (flags.coins !== undefined && flags.filters !== undefined) throw new UsageError('coinsOrFilters');
  const entry = { ...(draft.entry as Draft | undefined) };
  if (flags.size !== undefined) {
    const share = flags.size.endsWith('%');
    entry.size = { mode: share ? 'percentOfWallet' : 'fixed', value: amount('--size', share ? flags.size.slice(0, -1) : flags.size) };
  }
  if (flags.immediate && (flags.drop !== undefined || flags.lookback !== undefined)) throw new UsageError('immediateOrDrop');
  if (flags.immediate) entry.trigger = { kind: 'immediate' };
  if (flags.drop !== undefined || flags.lookback !== undefined) {
    const before = entry.trigger as Draft | undefined;
    entry.trigger = {
      ...(before?.kind === 'drop' ? before : {}),
      kind: 'drop',
      ...(flags.drop === undefined ? {} : { dropPct: amount('--drop', flags.drop) }),
      ...(flags.lookback === undefined ? {} : { lookbackMin: whole('--lookback', flags.lookback) }),
    };
  }
  if (flags.rebound !== undefined)
    entry.trailing = { ...(entry.trailing as Draft | undefined), enabled: true, reboundPct: amount('--rebound', flags.rebound) };
  if (flags.order !== undefined) entry.order = { ...(entry.order as Draft | undefined), type: flags.order };
  const changed: Draft = { ...draft, entry };
  if (flags.name !== undefined) changed.name = flags.name;
  if (flags.wallet !== undefined) changed.wallet = flags.wallet;
  if (flags.coins !== undefined)
    changed.coins = {
      symbols: flags.coins
        .split(',')
        .map((symbol) => symbol.trim().toUpperCase())
        .filter((symbol) => symbol !== ''),
    };
  if (flags.filters !== undefined)
    changed.coins = {
      filters: flags.filters
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    };
  if (flags.maxPositions !== undefined) changed.maxOpenPositions = whole('--max-positions', flags.maxPositions);
  if (flags.takeProfit !== undefined) changed.takeProfit = { levels: takeProfitLevels(flags.takeProfit) };
  if (flags.trailingCost !== undefined) {
    const [arm = '', distance = ''] = flags.trailingCost.split(':');
    changed.trailingCost = {
      ...(draft.trailingCost as Draft | undefined),
      enabled: true,
      armGainPct: amount('--trailing-cost', arm),
      distancePct: amount('--trailing-cost', distance),
    };
  }
  if (flags.stopLoss !== undefined)
    changed.stopLoss =
      flags.stopLoss === 'none'
        ? { mode: 'none' }
        : { ...(draft.stopLoss as Draft | undefined), mode: 'percent', pct: amount('--stop-loss', flags.stopLoss) };
  return changed;
}
