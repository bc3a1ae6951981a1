import { marketSource } from '@pilotfish/core/prices/prices-contract';
import { realTimers } from '@pilotfish/core/time/timers';
import { upstreamOf } from '@pilotfish/server/app/upstream';
import { type Exchange, openExchange } from '@pilotfish/server/exchange/exchange';
import { type ExchangeOrigins, exchangeOrigins } from '@pilotfish/server/exchange/exchange-origins';
import type { Upstream } from '@pilotfish/simulator/mirror/upstream';

const KNOWN = marketSource.exclude(['simulated']);

/**
 * The exchange that `--mirror` names: one that we know, or the address of another simulator, as it prints it. Nothing is
 * asked of it here.
 * @throws RangeError naming the option
 */
export function mirroredExchange(name: string, print: (line: string) => void): { upstream: Upstream; close(): Promise<void> } {
  const mirrored: { gap: () => void } = { gap: () => undefined };
  const exchange: Exchange = openExchange({
    origins: originsOf(name),
    now: Date.now,
    timers: realTimers,
    random: Math.random,
    onGap: () => mirrored.gap(),
    onDown: (reason) => print(`${name}: its streams are down (${reason}); reconnecting`),
    onRefused: (reason) => print(`${name} refused a stream: ${reason}`),
  });
  const { upstream, gap } = upstreamOf(exchange);
  mirrored.gap = gap;
  return { upstream, close: () => exchange.close() };
}

function originsOf(name: string): ExchangeOrigins {
  const known = KNOWN.safeParse(name).data;
  if (known) return exchangeOrigins(known, {});
  if (!/^https?:\/\/[^/?#@\s]+\/?$/.test(name) || !URL.canParse(name))
    throw new RangeError(`--mirror must be ${KNOWN.options.join(', ')}, or the address of another simulator such as http://127.0.0.1:4700`);
  return exchangeOrigins('simulated', { rest: name, ws: name.replace(/^http/, 'ws') });
}
