import { randomUUID } from 'node:crypto';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import { createCoinFilter } from '@pilotfish/core/prices/screener-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { namingRules } from '../screen/rule-problems.ts';
import { type QuestionFlags, readQuestion } from '../screen/screen-question.ts';
import { quoteOf } from '../screen/screen-run.ts';
import { printOne } from '../ui/output.ts';
import { wholeNumber } from '../ui/whole-number.ts';
import { filters } from './filters.ts';

type AddFlags = Omit<QuestionFlags, 'columns'> & {
  name: string;
  quote?: string;
  include?: string;
  exclude?: string;
  maxCoins?: string;
  minAge?: string;
  minVolume?: string;
  maxSpread?: string;
  refresh?: string;
  onError?: 'keepLast' | 'empty';
};

const symbols = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((each) => each.trim().toUpperCase())
    .filter((each) => each !== '');

/** A decimal at least zero. @throws UsageError naming the option */
function amount(text: string, flag: string): string {
  if (!isDecimalText(text) || text.startsWith('-')) throw new UsageError('amount', { flag, value: text });
  return text;
}

/** Saves a coin filter; what is not said takes the product's own limits. */
export async function add(context: Context, flags: AddFlags): Promise<void> {
  const days = flags.minAge === '0' ? 0 : wholeNumber(flags.minAge, '--min-age');
  const limits = {
    ...given('maxCoins', wholeNumber(flags.maxCoins, '--max-coins')),
    ...given('minAgeDays', days),
    ...given('minQuoteVolume24h', flags.minVolume === undefined ? undefined : amount(flags.minVolume, '--min-volume')),
    ...given('maxSpreadPct', flags.maxSpread === undefined ? undefined : amount(flags.maxSpread, '--max-spread')),
    ...given('refreshMinutes', wholeNumber(flags.refresh, '--refresh')),
    ...given('onError', flags.onError),
  };
  const { filter, sort } = await readQuestion(context, flags);
  const quoteAsset = flags.quote?.toUpperCase() ?? quoteOf(filter);
  const body = {
    name: flags.name,
    ...limits,
    ...given('quoteAsset', quoteAsset),
    ...given('conditions', filter),
    sort: [...sort],
    include: symbols(flags.include),
    exclude: symbols(flags.exclude),
  };
  const client = await context.client({ createCoinFilter });
  await printOne(context, filters, await namingRules(filter, () => client.createCoinFilter({ body }, { idempotencyKey: randomUUID() })));
}

const given = <Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } =>
  value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value });
