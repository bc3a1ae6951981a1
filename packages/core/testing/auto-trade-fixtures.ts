import { type AutoTradeConfig, type AutoTradeConfigInput, autoTradeConfigSchema } from '../src/auto-trades/config/auto-trade-config.ts';
import type { PositionSettings } from '../src/auto-trades/position/position-state.ts';
import { afterTransfer, emptySums, type WalletBook } from '../src/wallets/wallet-book.ts';
import { btcusdt } from './pairs.ts';

export const WALLET_ID = '01890000-0000-7000-8000-000000000001';
export const BOT_ID = '01890000-0000-7000-8000-000000000002';

/** A bot over BTCUSDT whose every rule can be overridden. */
export const botConfig = (over: Partial<AutoTradeConfigInput> = {}): AutoTradeConfig =>
  autoTradeConfigSchema.parse({
    name: 'Dip',
    walletId: WALLET_ID,
    coins: { symbols: ['BTCUSDT'] },
    entry: {
      size: { mode: 'fixed', value: '1000' },
      trigger: { kind: 'drop', dropPct: '1', lookbackMin: 60 },
      trailing: { reboundPct: '0.2', expiryMin: 30, maxChasePct: '1' },
      order: { type: 'Market' },
    },
    takeProfit: { levels: [{ gainPct: '4', sellPct: '100' }] },
    trailingCost: { enabled: true, armGainPct: '1', distancePct: '0.5', stepPct: '0.1' },
    stopLoss: { mode: 'percent', pct: '3' },
    ...over,
  });

export const positionSettings = (config: AutoTradeConfig = botConfig()): PositionSettings => ({
  autoTradeId: BOT_ID,
  runNo: 1,
  mode: 'paper',
  config,
  configVersion: 1,
  symbol: btcusdt.symbol,
  baseAsset: btcusdt.baseAsset,
  quoteAsset: btcusdt.quoteAsset,
  filters: btcusdt.filters,
  pricePrecision: btcusdt.pricePrecision,
  takerFee: '0.001',
});

export const walletBook = (balance = '10000'): WalletBook => ({
  id: WALLET_ID,
  currency: 'USDT',
  reservePct: '1',
  sums: afterTransfer(emptySums, balance),
});
