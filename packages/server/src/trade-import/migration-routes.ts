import { AppError, type FieldError } from '@pilotfish/core/http/problem';
import { add, compare, type Decimal, decimal, multiply, subtract, toText, ZERO } from '@pilotfish/core/money/decimal';
import type { Money, Quantity } from '@pilotfish/core/money/figure';
import { addFlows, type LedgerEntry, type TransferEntry } from '@pilotfish/core/positions/ledger-entry';
import { tradeEntry } from '@pilotfish/core/trade-import/draft-entries';
import type { TradeDraft } from '@pilotfish/core/trade-import/import-draft';
import { rowNamer } from '@pilotfish/core/trade-import/import-identity';
import { CASH_ASSETS } from '@pilotfish/core/trade-import/known-pairs';
import type { addMigrationTrades, getMigration } from '@pilotfish/core/trade-import/trade-import-contract';
import type * as z from 'zod';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import { toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import type { Call, Handlers } from '../http/endpoint-handler.ts';
import type { Language } from '../http/texts.ts';
import type { Market } from '../market/market.ts';
import { assetsOf, entryOfTrade } from '../positions/fill-entries.ts';
import type { PositionsService } from '../positions/positions-service.ts';

type Row = z.infer<typeof getMigration.answer>[number];
type Body = Call<typeof addMigrationTrades>['body'];

const PRIMARY = 'USDT';
/** Pairs whose trades are looked at for one answer, and trades shown of each. */
const CANDIDATE_PAIRS = 5;
const CANDIDATES = 200;
const NO_PAIRS = new Map<string, never>();

/** What something that is known already had cost. */
type GivenCost = { readonly id: string; readonly cost: string };

export type MigrationParts = {
  readonly service: PositionsService;
  readonly market: Pick<Market, 'pair' | 'isUnread'>;
  /** Rebuilds one position and answers the difference. */
  readonly calculate: Handlers['calculatePosition'] | undefined;
};

/** What the exchange holds against what the known trades explain, and the ways to close the gap. */
export function migrationFeature({ texts, audit, now }: AppContext, { service, market, calculate }: MigrationParts): Feature {
  const { ledger, check, sync, syncStore, valuer } = service;

  async function rows(accountId: string, language: Language): Promise<Row[]> {
    const compared = await check.compare(accountId).catch((error: unknown) => {
      throw error instanceof AppError ? error : toAppErrorFromExchange(error);
    });
    const reasons = new Map((await service.syncStatus(accountId, language)).differences.map((each) => [each.asset, each.reasons]));
    const assets = [...compared.differences.values()].sort((one, other) => (one.asset < other.asset ? -1 : 1));
    const candidates = await candidatesOf(
      accountId,
      assets.map(({ asset }) => asset),
    );
    return assets.map(({ asset, balance, known, difference }) => ({
      exchange: 'Binance' as const,
      asset,
      balance: toText(balance),
      known: toText(known),
      difference: toText(difference),
      trades: candidates.get(asset) ?? [],
      reasons: reasons.get(asset) ?? [],
    }));
  }

  /** Trades of pairs that were never read: they may be the explanation. */
  async function candidatesOf(accountId: string, assets: readonly string[]): Promise<Map<string, Row['trades']>> {
    const found = new Map<string, Row['trades']>();
    const { uid } = await service.accountOf(accountId);
    const cursors = await syncStore.cursors(accountId, uid);
    const unread = assets.filter((asset) => market.pair(asset + PRIMARY) !== undefined && !cursors.has(asset + PRIMARY));
    for (const asset of unread.slice(0, CANDIDATE_PAIRS)) {
      const trades = await sync.tradesOf(accountId, asset + PRIMARY, '0');
      const entries = trades.slice(-CANDIDATES).flatMap((trade) => entryOfTrade(trade, market) ?? []);
      found.set(
        asset,
        entries.map(({ symbol, side, price, quantity, fee, feeAsset, at, tradeId }) => ({
          symbol,
          side,
          price,
          quantity,
          fee,
          feeAsset,
          at: new Date(at).toISOString(),
          tradeId,
        })),
      );
    }
    return found;
  }

  /** The entries a person typed or confirmed. @throws AppError `invalid` naming the trade */
  async function entriesOf(accountId: string, body: Body, language: Language): Promise<{ entries: LedgerEntry[]; costs: GivenCost[] }> {
    const problems: FieldError[] = [];
    const refuse = (path: string, code: string, actual: string) =>
      problems.push({ path, code, message: texts.text(language, `tradeImport.migration.${code}`, { actual, asset: body.asset }), actual });
    const name = rowNamer('user');
    const entries = body.trades.flatMap((trade, index): LedgerEntry[] => {
      const pair = assetsOf(market, trade.symbol);
      const at = Date.parse(trade.at);
      if (pair === undefined && market.isUnread(trade.symbol)) {
        refuse(`trades.${index}.symbol`, 'unreadPair', trade.symbol);
        return [];
      }
      if (pair === undefined || (pair.baseAsset !== body.asset && pair.quoteAsset !== body.asset)) {
        refuse(`trades.${index}.symbol`, 'otherAsset', trade.symbol);
        return [];
      }
      if (at > now()) refuse(`trades.${index}.at`, 'future', trade.at);
      const draft: TradeDraft = {
        kind: 'trade',
        row: index,
        at,
        symbol: trade.symbol,
        baseAsset: pair.baseAsset,
        quoteAsset: pair.quoteAsset,
        side: trade.side,
        price: toText(decimal(trade.price)),
        quantity: toText(decimal(trade.quantity)),
        // Nobody types the exchange's own figure: of what was typed this is the exact one.
        quoteQuantity: toText(multiply(decimal(trade.price), decimal(trade.quantity))),
        fee: toText(decimal(trade.fee ?? '0')),
        feeAsset: trade.feeAsset ?? pair.quoteAsset,
        tradeId: trade.tradeId ?? null,
        orderId: null,
      };
      return [tradeEntry(draft, name(draft), { source: 'user', primary: PRIMARY, pairs: NO_PAIRS, rateAt: () => undefined })];
    });
    const costs: GivenCost[] = [];
    if (body.holding !== undefined) {
      const at = Date.parse(body.holding.at);
      if (at > now()) refuse('holding.at', 'future', body.holding.at);
      const told = await holdingEntry(accountId, body.asset, { ...body.holding, at });
      if ('kind' in told) entries.push(told);
      else costs.push(told);
    }
    if (entries.length === 0 && costs.length === 0 && problems.length === 0) refuse('trades', 'nothing', '');
    if (problems.length > 0) throw new AppError('invalid', { fields: problems });
    return { entries, costs };
  }

  /** Units at a cost: the cost of something known to have come without one, or units nobody knew of. */
  async function holdingEntry(
    accountId: string,
    asset: string,
    { quantity, cost, at }: { quantity: Quantity; cost: Money; at: number },
  ): Promise<TransferEntry | GivenCost> {
    const amount = decimal(quantity);
    const waiting = (await ledger.entries(accountId, { assets: [asset] })).filter(
      (entry): entry is TransferEntry =>
        entry.kind === 'transfer' && entry.asset === asset && entry.cost === null && compare(decimal(entry.change), amount) === 0,
    );
    const [known] = waiting.sort((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at));
    const said = { cost: toText(decimal(cost)) };
    if (known !== undefined) return { id: known.id, ...said };
    const draft = { kind: 'transfer' as const, row: 0, at, asset, change: toText(amount), transfer: 'deposit' as const };
    const { row: _, ...entry } = draft;
    return { ...entry, id: rowNamer('user')(draft), source: 'user', ...said };
  }

  return {
    handlers: {
      getMigration: ({ account, language }) => rows(account.id, language),
      addMigrationTrades: async ({ account, body, language, origin }) => {
        const { entries, costs } = await entriesOf(account.id, body, language);
        const before = (await rows(account.id, language)).find(({ asset }) => asset === body.asset);
        const balance = before === undefined ? undefined : decimal(before.balance);
        const flows = new Map<string, Decimal>();
        for (const entry of entries) addFlows(flows, entry);
        const change = flows.get(body.asset) ?? ZERO;
        const known = add(before === undefined ? ZERO : decimal(before.known), change);
        if (body.dryRun) {
          const held = balance ?? known;
          return {
            exchange: 'Binance',
            asset: body.asset,
            balance: toText(held),
            known: toText(known),
            difference: toText(subtract(held, known)),
            trades: [],
            reasons: before?.reasons ?? [],
          };
        }
        await ledger.inTurn(account.id, async () => {
          for (const { id, cost } of costs) await ledger.giveCost(account.id, id, cost);
          if (entries.length > 0) await ledger.append(account.id, entries);
        });
        valuer.later(account.id);
        await audit.record({
          accountId: account.id,
          action: 'trade-import.migrate',
          target: body.asset,
          origin,
          details: { entries: entries.length + costs.length },
        });
        const after = (await rows(account.id, language)).find(({ asset }) => asset === body.asset);
        const flow = (await service.books.of(account.id)).flows.get(body.asset) ?? ZERO;
        return (
          after ?? {
            exchange: 'Binance',
            asset: body.asset,
            balance: toText(flow),
            known: toText(flow),
            difference: '0',
            trades: [],
            reasons: [],
          }
        );
      },
      buildMigrationPosition: async (call) => {
        const { positions } = await service.books.of(call.account.id);
        const own = positions.filter(({ position }) => position.baseAsset === call.body.asset);
        const open = own.filter(({ position }) => position.closedAt === null);
        const chosen = open.find(({ position }) => CASH_ASSETS.has(position.quoteAsset)) ?? open[0] ?? own.at(-1);
        if (chosen === undefined || calculate === undefined) throw new AppError('not-found');
        return calculate({ ...call, params: { id: chosen.id } } as unknown as Parameters<typeof calculate>[0]);
      },
    },
  };
}
