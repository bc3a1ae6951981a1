import type { AutoTradeEngine } from '@pilotfish/core/auto-trades/engine/auto-trade-engine';
import { jumpIsAsked } from '@pilotfish/core/auto-trades/position/position-jump';
import { BALANCE_JUMP, type Jump } from '@pilotfish/core/auto-trades/position/position-state';

export type AskedJump = {
  readonly symbol: string;
  readonly positionId: string;
  readonly jump: Jump;
  /** It is known by the balance, not by the price. */
  readonly byBalance: boolean;
  readonly pricePrecision: number;
};

/** What the owner of a bot is asked about since prices or balances jumped over a standstill. */
export const askedJumps = (engine: Pick<AutoTradeEngine, 'symbols' | 'inspect'>): AskedJump[] =>
  engine.symbols.flatMap((symbol) => {
    const { context } = engine.inspect(symbol)!;
    const { positionId, attention, jump, settings } = context;
    if (!jumpIsAsked(context) || !jump) return [];
    return [{ symbol, positionId, jump, byBalance: attention === BALANCE_JUMP, pricePrecision: settings.pricePrecision }];
  });
