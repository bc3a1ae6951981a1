import { type SettingChange, settingChanges } from '@pilotfish/core/auto-trades/config/setting-fields';
import type { Trace } from '@pilotfish/core/auto-trades/trace';
import { traceSchema } from '@pilotfish/core/auto-trades/trace';
import { type Comparison, MOST_COMPARED } from '@pilotfish/core/comparison/comparison-contract';
import { type ComparedRun, compareRuns, type KnownPosition } from '@pilotfish/core/comparison/run-comparison';
import { AppError } from '@pilotfish/core/http/problem';
import { decimal, subtract, toText } from '@pilotfish/core/money/decimal';
import type { AppContext } from '../app/context.ts';
import type { WalletRow, WalletsStore } from '../wallets/wallets-store.ts';
import type { AutoTradesStore, BotRow, PositionRow } from './auto-trades-store.ts';

/** What two bots that trade alike may differ in: whose money it is, and what they are called. */
const OWN = /^(name|walletId)$/;
const differs = (one: BotRow, other: BotRow): string[] =>
  settingChanges(one.config, other.config)
    .map(({ path }: SettingChange) => path)
    .filter((path) => !OWN.test(path));

type Compared = { readonly row: BotRow; readonly wallet: WalletRow };

/** Two bots beside each other: what happened, and what paper or other settings made of the same time. */
export function botComparison(
  { database }: Pick<AppContext, 'database'>,
  {
    store,
    wallets,
    require,
  }: {
    readonly store: Pick<AutoTradesStore, 'list'>;
    readonly wallets: Pick<WalletsStore, 'find'>;
    readonly require: (accountId: string, id: string) => Promise<BotRow>;
  },
) {
  /** When a bot was first enabled, with the wallet that it has now: before that it was another bot. Wall time. */
  async function tradesSince(row: BotRow): Promise<number> {
    const enabled = await database.queries
      .selectFrom('audit_log')
      .where('action', '=', 'auto-trade.enable')
      .where('target', '=', row.id)
      .select((e) => e.fn.min('at').as('at'))
      .executeTakeFirst();
    const versions = await database.queries
      .selectFrom('auto_trade_configs')
      .where('auto_trade_id', '=', row.id)
      .orderBy('version', 'desc')
      .select(['config', 'created_at'])
      .execute();
    const other = versions.findIndex(({ config }) => (JSON.parse(config) as { walletId?: string }).walletId !== row.walletId);
    const moved = other > 0 ? Number(versions[other - 1]!.created_at) : 0;
    return Math.max(row.createdAt, moved, Number(enabled?.at ?? 0));
  }

  /** The newest positions of a bot, and from when on they are all there. */
  async function runOf({
    row,
  }: Compared): Promise<ComparedRun & { readonly since: number; readonly recordedAt: ReadonlyMap<Trace, number> }> {
    const rows = database.queries.selectFrom('auto_trade_traces').where('auto_trade_id', '=', row.id);
    const first = await rows
      .where('kind', '=', 'Entry')
      .select('seq')
      .orderBy('seq', 'desc')
      .offset(MOST_COMPARED - 1)
      .limit(1)
      .executeTakeFirst();
    const found = await rows
      .where('kind', 'in', ['Entry', 'Buy', 'Sell', 'Exit'])
      .where('seq', '>=', first?.seq ?? 0)
      .select(['body', 'recorded_at'])
      .orderBy('seq')
      .execute();
    const stored = await database.queries
      .selectFrom('auto_trade_positions')
      .where('auto_trade_id', '=', row.id)
      .where('state', 'in', ['closed', 'detached'])
      .where('updated_at', '>=', Number(found[0]?.recorded_at ?? 0))
      .select(['id', 'state', 'closed_at', 'realised', 'context'])
      .execute();
    const known = new Map(
      stored.map(({ id, state, closed_at, realised, context }): [string, KnownPosition] => {
        const { fees = '0', lateFees = '0' } = JSON.parse(context) as Partial<PositionRow['context']>;
        const net = toText(subtract(decimal(realised), decimal(lateFees)));
        return [id, { takenOverAt: state === 'detached' ? Number(closed_at ?? 0) : null, realised: net, fees }];
      }),
    );
    const recordedAt = new Map<Trace, number>();
    const traces = found.map(({ body, recorded_at }): Trace => {
      const trace = traceSchema.parse(JSON.parse(body));
      recordedAt.set(trace, Number(recorded_at));
      return trace;
    });
    return {
      traces,
      known,
      slots: row.config.maxOpenPositions,
      since: Math.max(await tradesSince(row), Number((first && found[0]?.recorded_at) ?? 0)),
      recordedAt,
    };
  }

  const named = ({ row, wallet }: Compared) => ({ id: row.id, name: row.name, mode: wallet.mode });

  return {
    compareAutoTrade: async ({
      params,
      query,
      account,
    }: {
      params: { id: string };
      query: { against?: string | undefined };
      account: { id: string };
    }): Promise<Comparison> => {
      const asked = await require(account.id, params.id);
      const withWallet = async (row: BotRow): Promise<Compared[]> => {
        const wallet = await wallets.find(account.id, row.walletId);
        return wallet ? [{ row, wallet }] : [];
      };
      const [own] = await withWallet(asked);
      if (!own) throw new AppError('not-found');
      const others = (await Promise.all((await store.list(account.id)).map(withWallet)))
        .flat()
        .filter(({ row, wallet }) => row.id !== asked.id && wallet.currency === own.wallet.currency)
        .map((bot) => ({ bot, differs: differs(own.row, bot.row), alike: Number(bot.wallet.mode === own.wallet.mode) }))
        .sort((a, b) => a.alike - b.alike || a.differs.length - b.differs.length || (a.bot.row.id < b.bot.row.id ? 1 : -1));
      const candidates = others.map(({ bot, differs: paths }) => ({ ...named(bot), differs: paths }));
      const chosen = query.against === undefined ? others[0] : others.find(({ bot }) => bot.row.id === query.against);
      if (query.against !== undefined && !chosen) throw new AppError('not-found');
      const about = { currency: own.wallet.currency, candidates };
      if (!chosen) return { ...about, real: named(own), other: null, comparison: null };
      // Of a live bot and one on paper the live one is what happened, whichever was asked about.
      const swapped = own.wallet.mode === 'paper' && chosen.bot.wallet.mode === 'live';
      const [real, other] = swapped ? [chosen.bot, own] : [own, chosen.bot];
      const [ours, theirs] = await Promise.all([runOf(real), runOf(other)]);
      const since = Math.max(ours.since, theirs.since);
      return {
        ...about,
        real: named(real),
        other: { ...named(other), differs: chosen.differs },
        comparison: compareRuns(ours, theirs, since, (entry) => (ours.recordedAt.get(entry) ?? theirs.recordedAt.get(entry) ?? 0) >= since),
      };
    },
  };
}
