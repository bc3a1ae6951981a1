import { join } from 'node:path';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { isDiskFull } from '../database/database-error.ts';
import { type ExchangeOrigins, exchangeOrigins } from '../exchange/exchange-origins.ts';
import type { AppContext } from './context.ts';

/**
 * The addresses of the chosen exchange. The simulated one is started inside this process unless addresses of another
 * are given; it is spoken to over loopback like any other, so nothing knows the difference.
 */
export async function openExchangeOrigins({
  settings,
  marketSource,
  givenUp,
  now,
  timers,
  random,
  storage,
  log,
}: Pick<AppContext, 'settings' | 'marketSource' | 'givenUp' | 'now' | 'timers' | 'random' | 'storage' | 'log'>): Promise<{
  origins: ExchangeOrigins;
  simulator: Simulator | undefined;
}> {
  const at = settings.exchangesAt[marketSource];
  const overrides = {
    rest: at?.rest ?? settings.exchangeRestUrl,
    ws: at?.ws ?? settings.exchangeWsUrl,
    api: settings.exchangeWsApiUrl,
    stream: settings.exchangeStreamUrl,
  };
  if (marketSource !== 'simulated' || overrides.rest !== undefined) {
    return { origins: exchangeOrigins(marketSource, overrides), simulator: undefined };
  }
  // Whoever reaches the port must not make accounts, move the clock or break the market under the bots.
  const controlKey = Buffer.from(random(32)).toString('base64url');
  const simulator = await startSimulator({
    market:
      settings.marketReplay === undefined
        ? { kind: 'seeded', seed: settings.marketSeed }
        : { kind: 'replay', folder: settings.marketReplay },
    speed: settings.marketSpeed,
    storageFolder: join(settings.dataDir, 'exchange'),
    now,
    timers,
    controlKey,
    signal: givenUp,
    onStorageRefused: (error) => {
      if (isDiskFull(error)) storage.refused();
    },
    log: (line) => log.info({ from: 'simulator' }, line),
  });
  return { origins: { ...exchangeOrigins('simulated', { rest: simulator.origin, ws: simulator.wsOrigin }), controlKey }, simulator };
}
