import { setTimeout as sleep } from 'node:timers/promises';
import { isErrorCode } from '@pilotfish/core/http/error-codes';
import { AppError } from '@pilotfish/core/http/problem';
import { formatChange, formatQuantity } from '@pilotfish/core/money/format';
import { getSyncStatus, type SyncStatus, startSync } from '@pilotfish/core/positions/positions-contract';
import type { Context } from '../app/context.ts';
import { colours } from '../ui/colour.ts';
import { type Column, formatOf, printOne, type Resource, table } from '../ui/output.ts';
import { untilEnd } from '../ui/stream.ts';
import { localTime } from '../ui/times.ts';

const ASK_EVERY_MS = 500;

const columns: readonly Column<SyncStatus>[] = [
  { key: 'state', value: ({ state }) => state },
  { key: 'progress', value: ({ done, total }) => `${done}/${total}` },
  { key: 'tradesFound', value: ({ tradesFound }) => String(tradesFound) },
  { key: 'finishedAt', value: ({ finishedAt }) => finishedAt ?? '', shown: ({ finishedAt }) => localTime(finishedAt) },
  { key: 'error', value: ({ error }) => error ?? '' },
];
const differences: Resource<SyncStatus['differences'][number]> = {
  empty: 'positions',
  columns: [
    { key: 'asset', value: ({ asset }) => asset, shown: ({ asset }, paint) => paint.bold(asset) },
    { key: 'balance', value: ({ balance }) => balance, shown: ({ balance }) => formatQuantity(balance), right: true, rank: 2 },
    { key: 'known', value: ({ known }) => known, shown: ({ known }) => formatQuantity(known), right: true, rank: 3 },
    { key: 'difference', value: ({ difference }) => difference, shown: ({ difference }) => formatChange(difference), right: true },
    { key: 'reasons', value: ({ reasons }) => reasons.join(' ') },
  ],
};

/** Reads the trade history from the exchange, or tells how far that is and what it does not explain. */
export async function sync(
  context: Context,
  { symbols, full, status: onlyStatus, wait }: { symbols: string[]; full?: true; status?: true; wait?: true },
): Promise<void> {
  const client = await context.client({ startSync, getSyncStatus });
  const wanted = symbols.map((symbol) => symbol.toUpperCase());
  let status = onlyStatus ? await client.getSyncStatus() : await client.startSync({ body: { full: full === true, symbols: wanted } });
  if (wait) {
    const controller = untilEnd(context);
    const tell = await progressTo(context);
    while (status.state === 'running' && !controller.signal.aborted) {
      tell(status);
      await sleep(ASK_EVERY_MS);
      status = await client.getSyncStatus();
    }
    tell(undefined);
  }
  await printOne(context, { columns }, status);
  if (formatOf(context) === 'table' && !context.globals.fields && status.state !== 'running') {
    const t = await context.texts();
    if (status.differences.length === 0)
      context.stdout.write(`\n${t(status.comparedAt === null ? 'positions.sync.notCompared' : 'positions.sync.explained')}\n`);
    else
      context.stdout.write(
        `\n${t('positions.sync.differences', { count: status.differences.length })}\n${await table(context, differences.columns, status.differences)}`,
      );
  }
  if (formatOf(context) === 'table' && !context.globals.fields && (status.unread ?? []).length > 0) {
    const t = await context.texts();
    const rows = (status.unread ?? []).map(({ list, row, field }) => `  ${list} ${row} (${field})\n`);
    context.stdout.write(`\n${t('positions.sync.unread', { count: rows.length })}\n${t('positions.sync.unreadAgain')}\n${rows.join('')}`);
  }
  if (formatOf(context) === 'table' && !context.globals.fields && status.withoutTransfers)
    context.stdout.write(`\n${(await context.texts())('positions.sync.withoutTransfers')}\n`);
  if (wait && status.state === 'failed') throw new AppError(status.error !== null && isErrorCode(status.error) ? status.error : 'internal');
}

/** One line on stderr that tells how far it is and goes away at the end; nothing where nobody reads it. */
async function progressTo(context: Context): Promise<(status: SyncStatus | undefined) => void> {
  const { stderr } = context;
  if (!stderr.isTTY) return () => undefined;
  const t = await context.texts();
  const paint = colours(context, stderr);
  return (status) => {
    stderr.write('\r\u001b[K');
    if (!status) return;
    const { done, total, symbol, tradesFound } = status;
    stderr.write(
      paint.dim(
        [t('positions.sync.running', { done, total }), symbol ?? '', t('positions.sync.found', { count: tradesFound })]
          .filter(Boolean)
          .join(' · '),
      ),
    );
  };
}
