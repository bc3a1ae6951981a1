import { codeOf } from '@pilotfish/core/http/problem';
import { getEstimatedBalance } from '@pilotfish/core/landing/landing-contract';
import { formatCurrency, formatPercent } from '@pilotfish/core/money/format';
import { walletsContract } from '@pilotfish/core/wallets/wallets-contract';
import type { Context } from '../app/context.ts';
import { formatOf, printOne, printRows } from '../ui/output.ts';
import { wallets } from './wallets.ts';

/** What the exchange account is worth, and what is in the wallets of bots. */
export async function balance(context: Context): Promise<void> {
  const client = await context.client({ getEstimatedBalance, listWallets: walletsContract.listWallets });
  const list = await client.listWallets();
  const account = await client.getEstimatedBalance().catch((error: unknown) => {
    if (['not-connected', 'exchange-unreachable'].includes(codeOf(error) ?? '')) return null;
    throw error;
  });
  const format = formatOf(context);
  if (format === 'json' || format === 'jsonl') {
    context.stdout.write(`${JSON.stringify({ account, wallets: list }, null, context.stdout.isTTY ? 2 : 0)}\n`);
    return;
  }
  if (account === null) await context.say('cli.everyday.noBalance');
  else if (format === 'table') {
    const columns = (['total', 'available', 'invested'] as const).map((key) => ({
      key,
      value: (row: typeof account) => row[key],
      shown: (row: typeof account) => formatCurrency(row[key], row.currency),
    }));
    const change = {
      key: 'changePct',
      value: ({ change24h }: typeof account) => change24h,
      shown: ({ change24h }: typeof account) => (change24h === null ? '' : formatPercent(change24h)),
    };
    await printOne(context, { columns: [...columns, change] }, account);
    context.stdout.write('\n');
  }
  await printRows(context, wallets(await context.texts()), list);
}
