import { formatQuantity } from '@pilotfish/core/money/format';
import { setPositionClosed, setPositionOpen } from '@pilotfish/core/positions/positions-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended } from '../app/failure.ts';
import { openPrompts, requireTerminal } from '../ui/prompt.ts';
import { findPosition, printPosition } from './find-position.ts';
import { type Position, positionName } from './position-columns.ts';

type Remainder = 'at-cost' | 'at-market' | 'split';

/** Asks what becomes of what is still held. @throws UsageError without a terminal */
async function askRemainder(context: Context, position: Position): Promise<Remainder | undefined> {
  requireTerminal(context, '--remainder');
  const t = await context.texts();
  const prompts = openPrompts(context);
  try {
    const answer = await prompts.ask(
      t('cli.positions.askRemainder', {
        name: positionName(position),
        quantity: formatQuantity(position.quantity),
        asset: position.baseAsset,
      }),
    );
    const word = typeof answer === 'string' ? answer.trim().toLowerCase() : '';
    if (/^(c|cost|at-cost|maliyet)$/.test(word)) return 'at-cost';
    return /^(m|market|at-market|p|piyasa)$/.test(word) ? 'at-market' : undefined;
  } finally {
    prompts.close();
  }
}

/** Closes a position by hand. Nothing is sold: only the books say that the rest has left. */
export async function close(
  context: Context,
  { position: wanted, remainder: given, dryRun }: { position: string; remainder?: Remainder; dryRun?: true },
): Promise<void> {
  const position = await findPosition(context, wanted, 'open');
  // What its machine takes: nothing to ask about where the one way to close it is to be sold out as before.
  const ways = position.allowed.filter((action) => action === 'close' || action === 'split');
  const remainder = given ?? (ways.join() === 'split' ? 'split' : await askRemainder(context, position));
  if (!remainder) {
    await context.say('cli.usage.cancelled');
    throw new Ended(EXIT.failed);
  }
  if (dryRun) {
    await context.say('cli.positions.wouldClose', { name: positionName(position), remainder });
    return;
  }
  const client = await context.client({ setPositionClosed });
  await printPosition(context, await client.setPositionClosed({ params: { id: position.id }, body: { remainder } }));
}

/** Takes a closing by hand back; one that was sold out goes on with what is bought next. */
export async function reopen(context: Context, { position: wanted }: { position: string }): Promise<void> {
  const { id } = await findPosition(context, wanted, 'closed');
  const client = await context.client({ setPositionOpen });
  await printPosition(context, await client.setPositionOpen({ params: { id } }));
}
