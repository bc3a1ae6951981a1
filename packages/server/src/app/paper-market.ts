import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import type { Upstream } from '@pilotfish/simulator/mirror/upstream';
import { exchangeFolder } from '../database/backup-archive.ts';
import { isDiskFull } from '../database/database-error.ts';
import { type Exchange, openExchange, type PaperVenue } from '../exchange/exchange.ts';
import { exchangeOrigins } from '../exchange/exchange-origins.ts';
import type { AppContext } from './context.ts';

/**
 * Accounts on paper beside an exchange that has none: orders of theirs are matched inside this process against the
 * exchange's trades and books, and are spoken to over loopback like those of any exchange. They are kept by market, so
 * that paper of one is never traded at the prices of another. Starts whether the exchange answers or not; until it
 * does, nothing is answered here either.
 */
export async function openPaperMarket(
  {
    settings,
    marketSource,
    givenUp,
    timers,
    random,
    storage,
    log,
    lease,
  }: Pick<AppContext, 'settings' | 'marketSource' | 'givenUp' | 'timers' | 'random' | 'storage' | 'log' | 'lease'>,
  exchange: Exchange,
  upstream: Upstream,
): Promise<PaperVenue & { close(): Promise<void> }> {
  const controlKey = Buffer.from(random(32)).toString('base64url');
  // By the exchange's clock: what is asked about an order's fate compares the times of both.
  const now = () => exchange.rest.time();
  const simulator: Simulator = await startSimulator({
    market: { kind: 'mirror', upstream, inBackground: true },
    storageFolder: exchangeFolder(settings.dataDir),
    storageName: `paper-${marketSource}`,
    now,
    timers,
    controlKey,
    signal: givenUp,
    onStorageRefused: (error) => {
      if (isDiskFull(error)) storage.refused();
    },
    log: (line) => log.info({ from: 'paper market' }, line),
  });
  const origins = { ...exchangeOrigins('simulated', { rest: simulator.origin, ws: simulator.wsOrigin }), controlKey };
  const own = openExchange({ origins, now, timers, random: () => 0, maySign: lease.held });
  return {
    origins,
    rest: own.rest,
    close: async () => {
      await own.close();
      await simulator.close();
    },
  };
}
