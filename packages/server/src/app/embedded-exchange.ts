import type { Simulator } from '@pilotfish/simulator/app/simulator';
import { type ExchangeOrigins, exchangeOrigins } from '../exchange/exchange-origins.ts';
import type { AppContext } from './context.ts';
import { type OwnExchangeParts, startOwnExchange } from './own-exchange.ts';

/**
 * The addresses of the chosen exchange. The simulated one is started inside this process unless addresses of another
 * are given; nothing knows the difference.
 */
export async function openExchangeOrigins(context: OwnExchangeParts & Pick<AppContext, 'marketSource' | 'now'>): Promise<{
  origins: ExchangeOrigins;
  simulator: Simulator | undefined;
}> {
  const { settings, marketSource, now } = context;
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
  return startOwnExchange(context, 'simulator', {
    market:
      settings.marketReplay === undefined
        ? { kind: 'seeded', seed: settings.marketSeed }
        : { kind: 'replay', folder: settings.marketReplay },
    speed: settings.marketSpeed,
    now,
  });
}
