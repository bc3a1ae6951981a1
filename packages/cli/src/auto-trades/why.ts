import type { Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { type RuleUnits, ruleFigures } from '@pilotfish/core/auto-trades/rule-figures';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import type { Price } from '@pilotfish/core/money/figure';
import { formatPrice, formatQuantity } from '@pilotfish/core/money/format';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { pricePlaces } from '../app/price-places.ts';
import type { Translate } from '../app/texts.ts';
import { type Colours, colours } from '../ui/colour.ts';
import { formatOf, printRows, type Resource } from '../ui/output.ts';
import { widthOf } from '../ui/terminal-size.ts';
import { localTime } from '../ui/times.ts';
import { hanging } from '../ui/wrap.ts';
import { botsClient, findBot } from './find-bot.ts';

const priceShown = (price: Price | null, places: number | undefined): string => (price === null ? '' : formatPrice(price, places));

/** What says no more than the mark before it. */
const PLAIN: ReadonlySet<string> = new Set(['true', 'false', 'running']);

/** What was seen and what it must be: two numbers are compared, of words and moments each says something of its own. */
function seen(t: Translate, each: Evaluation['rules'][number], units: RuleUnits): string {
  const { rule, pass, observed, limit, detail } = each;
  if (rule === 'cooldown-over' && pass) return '';
  const figures = ruleFigures(each, units);
  if (figures !== undefined) return figures;
  const known = [observed, limit].filter((text) => text !== null && text !== '' && !PLAIN.has(text)) as string[];
  const word = (text: string) =>
    isDecimalText(text)
      ? formatQuantity(text)
      : ISO.test(text)
        ? localTime(text)
        : t([`botReasons.${text}`, `stopReasons.${text}`, `errors.${text}.title`], { detail, defaultValue: text });
  return known.map(word).join(', ');
}
const ISO = /^\d{4}-\d\d-\d\dT/;

/** @param places how many decimals a price of its pair is read with */
export const waiting = (t: Translate, { waitsFor }: Evaluation, places?: number): string =>
  waitsFor
    ? t(`waitsFor.${waitsFor.code}`, {
        detail: waitsFor.detail,
        price: priceShown(waitsFor.price, places),
        at: localTime(waitsFor.at),
      })
    : '';

const evaluations = (t: Translate): Resource<Evaluation> => ({
  empty: 'evaluations',
  columns: [
    { key: 'symbol', value: ({ symbol }) => symbol },
    { key: 'state', value: ({ state }) => state },
    { key: 'price', value: ({ price }) => price, pair: ({ symbol }) => symbol },
    { key: 'stoppedBy', value: ({ stoppedBy }) => stoppedBy ?? '' },
    { key: 'waitsFor', value: (row) => waiting(t, row) },
    { key: 'at', value: ({ at }) => at ?? '' },
  ],
});

/** The last evaluation of every coin as a checklist: each rule with what was seen and what it must be. */
export async function why(context: Context, { bot, coin }: { bot: string; coin?: string }): Promise<void> {
  const client = await botsClient(context);
  const { id } = await findBot(client, bot);
  const detail = await client.getAutoTradeDetail({ params: { id } });
  const wanted = coin?.toUpperCase();
  const rows = detail.evaluations.filter(({ symbol }) => wanted === undefined || symbol === wanted);
  if (wanted !== undefined && rows.length === 0)
    throw new LocalFailure('noSuchCoin', { wanted, names: detail.coins.join(', ') || '–' }, { exit: EXIT.notFound });
  const t = await context.texts();
  if (formatOf(context) !== 'table') return printRows(context, evaluations(t), rows);
  const [paint, places] = [colours(context, context.stdout), await pricePlaces(context)];
  if (rows.length === 0) return context.say('cli.empty.evaluations');
  context.stdout.write(
    `${rows.map((row) => checklist(t, row, { paint, unicode: context.unicode, currency: detail.currency, places: places(row.symbol), room: widthOf(context) })).join('\n\n')}\n`,
  );
}

/** How a checklist is drawn: in which colours and signs, in which currency its sums are, and the decimals of its prices. */
type Drawing = { paint: Colours; unicode: boolean; currency: string; places: number | undefined; room?: number };

export function checklist(t: Translate, evaluation: Evaluation, { paint, unicode, currency, places, room = Infinity }: Drawing): string {
  const { symbol, state, price, at, rules, stoppedBy } = evaluation;
  const [yes, no] = unicode ? ['✓', '✗'] : ['+', '-'];
  const texts = rules.map(({ rule }) => t(`why.${rule}`));
  const width = Math.max(0, ...texts.map((text) => text.length));
  const lines = rules.map((each, index) => {
    const mark = each.pass ? paint.green(yes as string) : each.rule === stoppedBy ? paint.red(no as string) : paint.dim(no as string);
    return hanging(
      `  ${mark} ${(texts[index] ?? '').padEnd(width)}  `,
      seen(t, each, { currency, pricePrecision: places }),
      room,
    ).trimEnd();
  });
  const head = `${paint.bold(symbol)}  ${t(`positionStates.${state}`)}  ${priceShown(price, places)}  ${paint.dim(localTime(at))}`;
  const next = waiting(t, evaluation, places);
  return [head.trimEnd(), ...(rules.length === 0 ? [`  ${t('why.no-data')}`] : lines), ...(next ? [`  ${next}`] : [])].join('\n');
}
