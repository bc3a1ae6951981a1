import { isNothing } from '@pilotfish/core/money/figure';
import { formatMoney, formatSigned } from '@pilotfish/core/money/format';
import type { PositionTotals } from '@pilotfish/core/positions/positions-contract';
import type { Context } from '../app/context.ts';
import type { Translate } from '../app/texts.ts';
import { colours, tint } from '../ui/colour.ts';
import { type Position, positionName } from './position-columns.ts';

/** Why figures cannot be trusted, in words, each with what would mend it; nothing for whole positions. */
export async function brokenLines(context: Context, positions: readonly Position[]): Promise<string[]> {
  const paint = colours(context, context.stdout);
  const lines = positions.flatMap((position) =>
    position.broken.map(({ code, detail, fix }) => {
      const said = detail === '' ? code : detail;
      return `${paint.yellow(positionName(position))}  ${said}${fix ? ` ${paint.dim(context.unicode ? '→' : '->')} ${fix}` : ''}`;
    }),
  );
  return lines;
}

/** The sums of one list, a line for each currency: they are never added up without a rate. */
export async function totalLines(context: Context, label: string, totals: readonly PositionTotals[]): Promise<string[]> {
  const t = await context.texts();
  const paint = colours(context, context.stdout);
  return totals.map((each) => {
    const parts = [
      `${paint.bold(label)} ${t('positions.count', { count: each.count })}`,
      ...amounts(t, each, paint),
      ...(each.broken > 0 ? [paint.yellow(t('positions.brokenCount', { count: each.broken }))] : []),
      ...(each.excluded > 0 ? [paint.dim(t('positions.excludedCount', { count: each.excluded }))] : []),
    ];
    return parts.join(context.unicode ? ' · ' : ' | ');
  });
}

function amounts(
  t: Translate,
  { currency, invested, value, realised, unrealised }: PositionTotals,
  paint: ReturnType<typeof colours>,
): string[] {
  return [
    ...(isNothing(invested) ? [] : [`${t('positions.invested')} ${formatMoney(invested, currency)}`]),
    ...(isNothing(value) ? [] : [`${t('positions.value')} ${formatMoney(value, currency)}`]),
    ...(isNothing(unrealised) ? [] : [`${t('positions.unrealised')} ${tint(paint, formatSigned(unrealised, currency))}`]),
    `${t('positions.realised')} ${tint(paint, formatSigned(realised, currency))} ${currency}`,
  ];
}
