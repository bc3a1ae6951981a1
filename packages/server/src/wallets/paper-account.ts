import { AppError } from '@pilotfish/core/http/problem';
import { decimal, divide, HUNDRED, toText } from '@pilotfish/core/money/decimal';
import type { PaperTerms } from '@pilotfish/core/money/trading-terms';
import type { Timers } from '@pilotfish/core/time/timers';
import type { ExchangeOrigins } from '../exchange/exchange-origins.ts';

const fractionOf = (percent: string): string => toText(divide(decimal(percent), HUNDRED));

/** The taker fee of a paper wallet as a fraction: of pairs for which the exchange has not said it yet. */
export const takerFeeOn = ({ takerFeePct }: PaperTerms): string => fractionOf(takerFeePct);

/** Terms as the control calls of the simulated exchange take them. */
export const accountTerms = ({ makerFeePct, takerFeePct, latencyMs }: PaperTerms) => ({
  makerCommission: fractionOf(makerFeePct),
  takerCommission: fractionOf(takerFeePct),
  latencyMs,
});

/**
 * Gives an account on paper the terms of its wallet, for orders from then on. @throws AppError `exchange-unreachable`
 */
export async function setAccountTerms(
  origins: ExchangeOrigins,
  apiKey: string,
  terms: PaperTerms,
  timers: Pick<Timers, 'deadline'>,
): Promise<void> {
  const response = await fetch(`${origins.rest}/sim/v1/accounts/${encodeURIComponent(apiKey)}`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      ...(origins.controlKey !== undefined && { 'x-sim-key': origins.controlKey }),
    },
    body: JSON.stringify(accountTerms(terms)),
    signal: timers.deadline(10_000),
  }).catch(() => {
    throw new AppError('exchange-unreachable');
  });
  // Read to its end: the connection is used again.
  await response.text().catch(() => undefined);
  if (!response.ok) throw new AppError('exchange-unreachable');
}
