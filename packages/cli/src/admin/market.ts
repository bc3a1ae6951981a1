import { type MarketChoice, type MarketRest, marketChoiceContract, marketTroubleText } from '@pilotfish/core/admin/market-choice-contract';
import { AppError } from '@pilotfish/core/http/problem';
import { type MarketSource, marketSource } from '@pilotfish/core/prices/prices-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { changeMarket } from '../app/market-change.ts';
import type { Translate } from '../app/texts.ts';
import type { Colours } from '../ui/colour.ts';
import { type Column, formatOf, printOne, printRows, type Resource } from '../ui/output.ts';

const named = (t: Translate, market: MarketSource, paint: Colours) => {
  const name = t(`exchange.${market}.name`);
  return market === 'simulated' ? paint.simulated(name) : paint.bold(name);
};

const choiceColumns = (t: Translate): readonly Column<MarketChoice>[] => [
  {
    key: 'market',
    head: t('cli.market.columns.market'),
    value: ({ market }) => market,
    shown: ({ market, changingTo }, paint) =>
      [market, changingTo]
        .map((each) => each && named(t, each, paint))
        .filter(Boolean)
        .join(' → '),
  },
  {
    key: 'decidedBy',
    head: t('cli.market.columns.decidedBy'),
    value: ({ decidedBy }) => decidedBy,
    shown: ({ decidedBy }) => t(`cli.market.decidedBy.${decidedBy}`),
  },
  {
    key: 'reachable',
    head: t('cli.market.columns.reachable'),
    value: ({ reachable }) => String(reachable),
    shown: ({ reachable, trouble }, paint) =>
      reachable ? t('cli.market.reachable') : `${paint.red(t('cli.market.unreachable'))}. ${t(marketTroubleText(trouble))}`,
  },
];

const rests = (t: Translate): Resource<MarketRest> => ({
  empty: 'marketRests',
  columns: [
    {
      key: 'market',
      head: t('cli.market.columns.market'),
      value: ({ market }) => market,
      shown: ({ market }, paint) => named(t, market, paint),
    },
    ...(['bots', 'runningBots', 'openPositions', 'liveOpenPositions', 'wallets', 'priceAlerts', 'ledgerEntries'] as const).map(
      (key, rank) => ({
        key,
        head: t(`cli.market.columns.${key}`),
        value: (row: MarketRest) => String(row[key]),
        right: true,
        rank,
      }),
    ),
  ],
});

/** The market, who decided it, whether its prices are there; in a table also what lies at each market. */
async function print(context: Context, choice: MarketChoice): Promise<void> {
  const t = await context.texts();
  await printOne(context, { columns: choiceColumns(t) }, choice);
  if (formatOf(context) !== 'table' || context.globals.fields) return;
  context.stdout.write('\n');
  await printRows(context, rests(t), choice.rests);
}

export async function show(context: Context): Promise<void> {
  await print(context, await (await context.client(marketChoiceContract)).getMarketChoice());
}

/**
 * Lets the server work with another market.
 * @throws AppError `exchange-unreachable` where it does so, and prices do not come
 */
export async function use(context: Context, { market: given }: { market: string }): Promise<void> {
  const market = marketSource.safeParse(given.toLowerCase()).data;
  if (market === undefined) throw new UsageError('invalidValue', { word: '<market>', allowed: marketSource.options.join(', ') });
  const choice = await changeMarket(context, market);
  const t = await context.texts();
  await context.say('cli.market.chosen', { market: t(`exchange.${market}.name`) });
  await print(context, choice);
  if (choice.reachable) return;
  const detail =
    market === 'simulated'
      ? undefined
      : `${t(marketTroubleText(choice.trouble))} ${t('cli.market.back', { market: t(`exchange.${market}.name`) })}`;
  throw new AppError('exchange-unreachable', { detail });
}
