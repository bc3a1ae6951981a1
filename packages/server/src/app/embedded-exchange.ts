import { join } from 'node:path';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import type { Logger } from 'pino';
import { type ExchangeOrigins, exchangeOrigins } from '../exchange/exchange-origins.ts';
import type { Settings } from './settings.ts';

/**
 * The addresses of the chosen exchange. The simulated one is started inside this process unless addresses of another
 * are given; it is spoken to over loopback like any other, so nothing knows the difference.
 */
export async function openExchangeOrigins(
  settings: Settings,
  log: Logger,
): Promise<{ origins: ExchangeOrigins; simulator: Simulator | undefined }> {
  const overrides = { rest: settings.exchangeRestUrl, ws: settings.exchangeWsUrl };
  if (settings.exchange !== 'simulated' || overrides.rest !== undefined) {
    return { origins: exchangeOrigins(settings.exchange, overrides), simulator: undefined };
  }
  const simulator = await startSimulator({
    market:
      settings.marketReplay === undefined
        ? { kind: 'seeded', seed: settings.marketSeed }
        : { kind: 'replay', folder: settings.marketReplay },
    speed: settings.marketSpeed,
    storageFolder: join(settings.dataDir, 'exchange'),
    log: (line) => log.info({ from: 'simulator' }, line),
  });
  return { origins: exchangeOrigins('simulated', { rest: simulator.origin, ws: simulator.wsOrigin }), simulator };
}
