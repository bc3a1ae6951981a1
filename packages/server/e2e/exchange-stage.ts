import { type VirtualTime, virtualTime } from '@pilotfish/core/testing/virtual-time';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { testMarket } from '@pilotfish/simulator/testing/test-market';
import type { AuthPolicy, Settings } from '../src/app/settings.ts';
import { startTestServer, type TestServer } from '../src/app/testing/test-server.ts';
import { type Exchange, openExchange } from '../src/exchange/exchange.ts';

export type ExchangeStage = {
  readonly time: VirtualTime;
  readonly simulator: Simulator;
  readonly server: TestServer;
  /** The exchange as another program of an account's owner sees it. */
  readonly venue: Exchange;
  close(): Promise<void>;
};

/** An exchange of a few pairs whose market stands still unless it is moved, and a server that uses it, on one virtual clock. */
export async function startExchangeStage(
  seed: number,
  settings: Partial<Settings> = {},
  auth: Partial<AuthPolicy> = {},
): Promise<ExchangeStage> {
  const time = virtualTime();
  const { now, timers } = time;
  const simulator = await startSimulator({ market: testMarket(seed), paused: true, now, timers });
  const server = await startTestServer({
    time,
    auth,
    settings: { exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin, ...settings },
  });
  const origins = { rest: simulator.origin, stream: simulator.wsOrigin, api: simulator.wsOrigin };
  const venue = openExchange({ origins, now, timers, random: () => 0.5 });
  return {
    time,
    simulator,
    server,
    venue: onClock(time, venue),
    close: async () => {
      await server.close();
      await time.during(venue.close());
      await time.during(simulator.close());
    },
  };
}

/** The same calls, with time going on while their answers wait for it. */
export function onClock<Calls extends object>(time: VirtualTime, calls: Calls): Calls {
  return new Proxy(calls, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const answer: unknown = value.apply(target, given);
        return answer instanceof Promise ? time.during(answer) : answer;
      };
    },
  });
}
