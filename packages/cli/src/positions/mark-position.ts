import type { Answer } from '@pilotfish/core/http/endpoint';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import { UNKNOWN } from '@pilotfish/core/money/format';
import { calculatePosition, setPositionBroken, setPositionExcluded, setTargetPrice } from '@pilotfish/core/positions/positions-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { type Column, formatOf, printOne } from '../ui/output.ts';
import { findPosition, printPosition } from './find-position.ts';
import { type Position, positionName, signed } from './position-columns.ts';
import { brokenLines } from './position-notes.ts';

/** Marks a position as not to be trusted, or takes that mark back; reasons found by the ledger stay. */
export async function markBroken(context: Context, flags: { position: string; text?: string; undo?: true }): Promise<void> {
  const { id } = await findPosition(context, flags.position);
  const client = await context.client({ setPositionBroken });
  const body = { broken: flags.undo !== true, ...(flags.text === undefined ? {} : { text: flags.text }) };
  await printWithReasons(context, await client.setPositionBroken({ params: { id }, body }));
}

/** Takes a position out of the sums, or back in. */
export async function exclude(context: Context, { position, undo }: { position: string; undo?: true }): Promise<void> {
  const { id } = await findPosition(context, position);
  const client = await context.client({ setPositionExcluded });
  const changed = await client.setPositionExcluded({ params: { id }, body: { excluded: undo !== true } });
  await printWithReasons(context, changed);
  await context.say(undo ? 'cli.positions.included' : 'cli.positions.excluded', { name: positionName(changed) });
}

/** Sets the price at which the position should be sold; `none` clears it. Nothing is ordered. */
export async function setTarget(context: Context, { position, price }: { position: string; price: string }): Promise<void> {
  const isNone = /^(none|yok|-)$/i.test(price);
  if (!isNone && (!isDecimalText(price) || !/[1-9]/.test(price) || price.startsWith('-')))
    throw new UsageError('amount', { flag: '<price>', value: price });
  const { id } = await findPosition(context, position, 'open');
  const client = await context.client({ setTargetPrice });
  await printPosition(context, await client.setTargetPrice({ params: { id }, body: { targetPrice: isNone ? null : price } }));
}

async function printWithReasons(context: Context, position: Position): Promise<void> {
  await printPosition(context, position);
  if (formatOf(context) !== 'table') return;
  const lines = await brokenLines(context, [position]);
  if (lines.length > 0) context.stdout.write(`\n${lines.join('\n')}\n`);
}

type Recalculation = Answer<typeof calculatePosition>;

/** Rebuilds a position from its trades and says what changed. */
export async function calculate(context: Context, { position: wanted }: { position: string }): Promise<void> {
  const position = await findPosition(context, wanted);
  const client = await context.client({ calculatePosition });
  const found = await client.calculatePosition({ params: { id: position.id } });
  const { quoteAsset } = position;
  const columns: Column<Recalculation>[] = [
    ...(['averageCostBefore', 'averageCostAfter'] as const).map(
      (key): Column<Recalculation> => ({
        key,
        value: (row) => row[key],
        pair: () => position.symbol,
        none: UNKNOWN,
      }),
    ),
    ...(['realisedBefore', 'realisedAfter'] as const).map(
      (key): Column<Recalculation> => ({
        key,
        value: (row) => row[key],
        shown: (row, paint) => signed(paint, row[key], quoteAsset),
      }),
    ),
    { key: 'tradesAdded', value: (row) => String(row.tradesAdded) },
    { key: 'tradesRemoved', value: (row) => String(row.tradesRemoved) },
    { key: 'broken', value: (row) => row.broken.map(({ code }) => code).join(',') },
  ];
  await printOne(context, { columns }, found);
  if (formatOf(context) !== 'table') return;
  const lines = await brokenLines(context, [{ ...position, broken: found.broken }]);
  const t = await context.texts();
  context.stdout.write(`\n${lines.length > 0 ? lines.join('\n') : t('positions.diff.whole')}\n`);
}
