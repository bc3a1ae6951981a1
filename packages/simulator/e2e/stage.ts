import type { KeyType } from '../src/accounts/api-key.ts';
import { type Simulator, startSimulator } from '../src/app/simulator.ts';

export type Stage = {
  readonly simulator: Simulator;
  account(keyType: KeyType): Promise<{ apiKey: string; apiSecret: string }>;
  /** Moves the market on, a minute at a time, until the promise is settled. */
  moveUntil<T>(wanted: Promise<T>): Promise<T>;
  /** Resolves when a client listens to its account. */
  userSubscribed(count?: number): Promise<void>;
  close(): Promise<void>;
};

/** A seeded market that stands still until a test moves it; the whole table, because the clients read every pair of it at once. */
export async function openMarket(): Promise<Stage> {
  const simulator = await startSimulator({
    market: { kind: 'seeded', seed: 'conformance', startTime: Date.UTC(2025, 5, 1, 12) },
    paused: true,
    limits: { ordersPer10Seconds: 1000, streamMessagesPerSecond: 1000 },
  });
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  return {
    simulator,
    account: (keyType) => simulator.createAccount({ keyType, balances: { USDT: '100000', BTC: '1', BNB: '10', ETH: '5' } }),
    moveUntil: async (wanted) => {
      let settled = false;
      const done = (): void => {
        settled = true;
      };
      wanted.then(done, done);
      while (!settled) {
        await turn();
        await simulator.clock.advance(20_000);
      }
      return wanted;
    },
    userSubscribed: async (count = 1) => {
      while (simulator.status().userStreams < count) await turn();
    },
    close: () => simulator.close(),
  };
}
