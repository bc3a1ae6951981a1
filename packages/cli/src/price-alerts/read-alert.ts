import { parseAlert } from '@pilotfish/core/price-alerts/alert-grammar';
import { alertText } from '@pilotfish/core/price-alerts/alert-text';
import type { PriceAlert, PriceAlertInput } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import type { Translate } from '../app/texts.ts';

/** A bare coin is meant in this one. */
const QUOTE = 'USDT';

/** An alert in plain words of the person's language. */
export const alertPrinter =
  (t: Translate) =>
  (alert: Pick<PriceAlert, 'symbol' | 'condition'>): string =>
    alertText(alert, (key, values) => t(key, values));

/**
 * One line as an alert, and what was understood.
 * @throws LocalFailure with the place and what could stand there
 */
export async function readAlert(
  context: Pick<Context, 'texts' | 'language' | 'now' | 'zone'>,
  text: string,
  pairs: readonly Pick<Pair, 'symbol'>[],
): Promise<{ body: PriceAlertInput; said: string }> {
  const t = await context.texts();
  const parsed = parseAlert(text, {
    symbols: pairs.map(({ symbol }) => symbol),
    quote: QUOTE,
    language: context.language,
    now: context.now(),
    timeZone: await context.zone(),
  });
  if (parsed.ok) return { body: parsed.input, said: alertPrinter(t)(parsed.body) };
  const { code, text: word, suggestions } = parsed.error;
  const offered = suggestions.length > 0 ? ` ${t('cli.alerts.perhaps', { suggestions: suggestions.join(', ') })}` : '';
  throw new LocalFailure('alertText', { why: `${t(`alerts.grammar.${code}`, { text: word })}${offered}` }, { exit: EXIT.usage });
}
