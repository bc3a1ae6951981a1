import { type SimulatorOptions, startSimulator } from '@pilotfish/simulator/app/simulator';
import { exchangeFolder } from '../database/backup-archive.ts';
import { isDiskFull } from '../database/database-error.ts';
import { exchangeOrigins } from '../exchange/exchange-origins.ts';
import type { AppContext } from './context.ts';

export type OwnExchangeParts = Pick<AppContext, 'settings' | 'givenUp' | 'timers' | 'random' | 'storage' | 'log'>;

/**
 * Starts a simulated exchange inside this process, whose accounts lie in the data folder. It is spoken to over loopback
 * like any other; whoever else reaches its port must not make accounts, move the clock or break the market under the bots.
 * @param name of whoever speaks in the log
 */
export async function startOwnExchange(
  { settings, givenUp, timers, random, storage, log }: OwnExchangeParts,
  name: string,
  options: Pick<SimulatorOptions, 'market' | 'speed' | 'storageName' | 'now'>,
) {
  const controlKey = Buffer.from(random(32)).toString('base64url');
  const simulator = await startSimulator({
    ...options,
    storageFolder: exchangeFolder(settings.dataDir),
    timers,
    controlKey,
    signal: givenUp,
    onStorageRefused: (error) => {
      if (isDiskFull(error)) storage.refused();
    },
    log: (line) => log.info({ from: name }, line),
  });
  return { origins: { ...exchangeOrigins('simulated', { rest: simulator.origin, ws: simulator.wsOrigin }), controlKey }, simulator };
}
