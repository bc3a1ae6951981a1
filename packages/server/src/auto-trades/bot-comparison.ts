import { type SettingChange, settingChanges } from '@pilotfish/core/auto-trades/config/setting-fields';
import type { Trace } from '@pilotfish/core/auto-trades/trace';
import { traceSchema } from '@pilotfish/core/auto-trades/trace';
import { type Comparison, type KnownPositionRow, MOST_COMPARED, MOST_ENTRIES } from '@pilotfish/core/comparison/comparison-contract';
import { type ComparedRun, compareRuns, type KnownPosition } from '@pilotfish/core/comparison/run-comparison';
import { AppError } from '@pilotfish/core/http/problem';
import { decimal, isZero, subtract, toText } from '@pilotfish/core/money/decimal';
import type { AppContext } from '../app/context.ts';
import type { WalletRow, WalletsStore } from '../wallets/wallets-store.ts';
import type { AutoTradesStore, BotRow, PositionRow } from './auto-trades-store.ts';

/** What two bots that trade alike may differ in: whose money it is, and what they are called. */
const OWN = /^(name|walletId)$/;
const differs = (one: BotRow, other: BotRow): string[] =>
  settingChanges(one.config, other.config)
    .map(({ path }: SettingChange) => path)
    .filter((path) => !OWN.test(path));

/** What ends the work of a bot, or begins it again, as the audit log has it. */
const SWITCHES = ['auto-trade.enable', 'auto-trade.disable', 'auto-trade.halt'];
type Idle = ReturnType<NonNullable<ComparedRun['idleAt']>>;
const AFTER: Readonly<Record<string, Idle>> = { 'auto-trade.disable': 'disabled', 'auto-trade.halt': 'halted' };
/** When a bot was enabled, disabled and halted, oldest first. Wall time. */
type Switched = readonly { readonly at: number; readonly idle: Idle }[];

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
  async function switchesOf({ id, accountId }: BotRow): Promise<Switched> {
    const asked = await database.queries
      .selectFrom('audit_log')
      .where('account_id', '=', accountId)
      .where('action', 'in', SWITCHES)
      // A halt of all bots names none; one of a coin names the coin.
      .where('target', 'in', [id, 'all'])
      .select(['at', 'action'])
      .orderBy('at')
      .execute();
    // The server halts by itself, too, and no one asked for that.
    const halts = await database.queries.selectFrom('halts').where('scope_id', '=', id).select('halted_at').execute();
    return [
      ...asked.map(({ at, action }) => ({ at: Number(at), idle: AFTER[action] })),
      ...halts.map((halt) => ({ at: Number(halt.halted_at), idle: 'halted' as const })),
    ].sort((a, b) => a.at - b.at);
  }

  /** When a bot was first enabled, with the wallet that it has now: before that it was another bot. Wall time. */
  async function tradesSince(row: BotRow, switched: Switched): Promise<number> {
    const enabled = switched.find(({ idle }) => idle === undefined);
    const versions = await database.queries
      .selectFrom('auto_trade_configs')
      .where('auto_trade_id', '=', row.id)
      .orderBy('version', 'desc')
      .select(['config', 'created_at'])
      .execute();
    const other = versions.findIndex(({ config }) => (JSON.parse(config) as { walletId?: string }).walletId !== row.walletId);
    const moved = other > 0 ? Number(versions[other - 1]!.created_at) : 0;
    return Math.max(row.createdAt, moved, enabled?.at ?? 0);
  }

  /** The row that the newest positions of a bot begin with; undefined where all of them are looked at. */
  async function firstOf(id: string): Promise<number | undefined> {
    const entries = database.queries
      .selectFrom('auto_trade_traces as entry')
      .where('entry.auto_trade_id', '=', id)
      .where('entry.kind', '=', 'Entry')
      .select('entry.seq')
      .orderBy('entry.seq', 'desc')
      .limit(1);
    const bought = entries
      .innerJoin('auto_trade_positions as position', 'position.id', 'entry.position_id')
      .where('position.opened_at', 'is not', null);
    const found = [
      await bought.offset(MOST_COMPARED - 1).executeTakeFirst(),
      // A bot whose orders hardly ever fill has any number of them.
      await entries.offset(MOST_ENTRIES - 1).executeTakeFirst(),
    ].flatMap((row) => (row ? [Number(row.seq)] : []));
    return found.length > 0 ? Math.max(...found) : undefined;
  }

  /** What is stored of ended positions beside their traces: of those since a wall time, or of all whose traces do not say it. */
  async function knownOf(id: string, since?: number): Promise<Map<string, KnownPosition & { readonly isLate: boolean }>> {
    const stored = await database.queries
      .selectFrom('auto_trade_positions')
      .where('auto_trade_id', '=', id)
      .where('state', 'in', ['closed', 'detached'])
      .where((row) =>
        since === undefined
          ? row.or([row('state', '=', 'detached'), row('context', 'not like', '%"lateFees":"0"%')])
          : row('updated_at', '>=', since),
      )
      .select(['id', 'state', 'closed_at', 'realised', 'context'])
      .execute();
    return new Map(
      stored.map((position) => {
        const { fees = '0', lateFees = '0' } = JSON.parse(position.context) as Partial<PositionRow['context']>;
        const late = decimal(lateFees);
        return [
          position.id,
          {
            takenOverAt: position.state === 'detached' ? Number(position.closed_at ?? 0) : null,
            realised: toText(subtract(decimal(position.realised), late)),
            fees,
            isLate: !isZero(late),
          },
        ];
      }),
    );
  }

  type Run = ComparedRun & {
    readonly since: number;
    readonly recordedAt: ReadonlyMap<Trace, number>;
    /** Why the bot was not at work at a moment of wall time. */
    readonly idle: (at: number) => Idle;
  };
  /** The newest positions of a bot, and from when on they are all there. */
  async function runOf({ row }: Compared): Promise<Run> {
    const rows = database.queries.selectFrom('auto_trade_traces').where('auto_trade_id', '=', row.id);
    const first = await firstOf(row.id);
    const found = await rows
      .where('kind', 'in', ['Entry', 'Buy', 'Sell', 'Exit'])
      .where('seq', '>=', first ?? 0)
      .select(['body', 'recorded_at'])
      .orderBy('seq')
      .execute();
    const switched = await switchesOf(row);
    const known = await knownOf(row.id, Number(found[0]?.recorded_at ?? 0));
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
      since: Math.max(await tradesSince(row, switched), Number((first && found[0]?.recorded_at) ?? 0)),
      recordedAt,
      idle: (at) => {
        const last = switched.findLast((each) => each.at <= at);
        if (last) return last.idle;
        // Enabled later, or never.
        return switched.length > 0 || row.state === 'draft' || row.state === 'disabled' ? 'disabled' : undefined;
      },
    };
  }

  const named = ({ row, wallet }: Compared) => ({ id: row.id, name: row.name, mode: wallet.mode });

  return {
    listKnownPositions: async ({ params, account }: { params: { id: string }; account: { id: string } }): Promise<KnownPositionRow[]> => {
      const { id } = await require(account.id, params.id);
      return [...(await knownOf(id))]
        .filter(([, { takenOverAt, isLate }]) => takenOverAt !== null || isLate)
        .map(([positionId, { takenOverAt, realised, fees }]) => ({
          positionId,
          takenOverAt: takenOverAt === null ? null : new Date(takenOverAt).toISOString(),
          realised,
          fees,
        }));
    },
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
      const recordedAt = (entry: Trace): number => ours.recordedAt.get(entry) ?? theirs.recordedAt.get(entry) ?? 0;
      const withIdle = (run: Run): ComparedRun => ({ ...run, idleAt: (entry) => run.idle(recordedAt(entry)) });
      return {
        ...about,
        real: named(real),
        other: { ...named(other), differs: chosen.differs },
        comparison: compareRuns(withIdle(ours), withIdle(theirs), since, (entry) => recordedAt(entry) >= since),
      };
    },
  };
}
