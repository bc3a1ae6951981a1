import { randomUUID } from 'node:crypto';
import type { AutoTradeConfigInput } from '@pilotfish/core/auto-trades/auto-trade-config';
import { autoTradesContract } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { AppError } from '@pilotfish/core/http/problem';
import { walletsContract } from '@pilotfish/core/wallets/wallets-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { findByName } from '../app/find.ts';
import { formatOf, printOne, printRows, type Resource } from '../ui/output.ts';
import { bots } from './bot-columns.ts';
import { type BotFlags, type Draft, readBotFile, withFlags } from './bot-settings.ts';

type Rung = { symbol: string; level: number; price: string; quantity: string; quote: string };
const rungs: Resource<Rung> = {
  empty: 'ladder',
  columns: [
    { key: 'symbol', value: ({ symbol }) => symbol },
    { key: 'level', value: ({ level }) => String(level), right: true },
    { key: 'price', value: ({ price }) => price, right: true },
    { key: 'quantity', value: ({ quantity }) => quantity, right: true },
    { key: 'quote', value: ({ quote }) => quote, right: true },
  ],
};

/** Saves a bot from a file, flags, or both; --dry-run has the server check every rule without saving. */
export async function create(context: Context, { dryRun, ...flags }: BotFlags & { dryRun?: true }): Promise<void> {
  if (flags.file === undefined && flags.name === undefined) throw new UsageError('needsFlag', { flag: '--file' });
  const client = await context.client({ ...autoTradesContract, listWallets: walletsContract.listWallets });
  const { wallet, ...draft } = withFlags(flags.file === undefined ? {} : await readBotFile(context, flags.file), flags);
  const body: Draft =
    typeof wallet === 'string' ? { ...draft, walletId: findByName('wallet', await client.listWallets(), wallet).id } : draft;
  // The server knows every rule and names each that is broken; a second check here could only disagree.
  const saved = await client.createAutoTrade(
    { body: body as AutoTradeConfigInput, query: { validateOnly: dryRun ? 'true' : 'false' } },
    dryRun ? {} : { idempotencyKey: randomUUID() },
  );
  if (!saved.valid) throw new AppError('rules-violated', { fields: saved.errors });
  if (saved.autoTrade) await printOne(context, bots(await context.texts()), saved.autoTrade);
  else if (formatOf(context) === 'json') context.stdout.write(`${JSON.stringify(saved)}\n`);
  else await context.say('cli.bots.valid');
  if (formatOf(context) === 'table' && saved.ladder) {
    context.stdout.write('\n');
    await printRows(context, rungs, saved.ladder.rungs);
    await context.say('cli.bots.worstCase', { total: saved.ladder.worstCaseTotal, currency: saved.ladder.currency });
  }
}
