import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type DeleteQueryNode,
  IdentifierNode,
  type InsertQueryNode,
  type JoinNode,
  type KyselyPlugin,
  ListNode,
  type MergeQueryNode,
  OnConflictNode,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  ParensNode,
  PrimitiveValueListNode,
  type QueryId,
  ReferenceNode,
  type SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  UsingNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
  type WithNode,
} from 'kysely';
import type { Schema } from './migrations.ts';

/**
 * Tables of which a server sees the rows of its own market only, by their column `market`.
 * - `keyed`: the market is part of the key, the same name may stand in two markets.
 * - `owned`: keys are ids that no other market has.
 * Every other table stands in `COMMON`; a test refuses one that is in neither.
 */
export const OF_MARKET = {
  markets: 'keyed',
  exchange_connections: 'keyed',
  wallets: 'owned',
  auto_trades: 'owned',
  auto_trade_positions: 'owned',
  order_intents: 'owned',
  account_states: 'keyed',
  unknown_orders: 'keyed',
  price_alerts: 'owned',
  price_alert_firings: 'owned',
  price_alert_feed: 'keyed',
  ledger_entries: 'keyed',
  ledger_versions: 'keyed',
  hidden_batches: 'owned',
  import_batches: 'owned',
  import_operations: 'keyed',
  position_overrides: 'keyed',
  position_breakages: 'keyed',
  sync_cursors: 'keyed',
  sync_runs: 'keyed',
  transfer_cursors: 'keyed',
  unread_rows: 'keyed',
  balance_snapshots: 'keyed',
} as const satisfies Partial<Record<keyof Schema, 'keyed' | 'owned'>>;

const ACCOUNT = 'of an account, whatever it trades on';
const INSTANCE = 'of the whole installation';
const BY_BOT = 'read by the id of a bot of this market';
/** Tables whose rows every market sees, and why that shows nothing of one market to another. */
export const COMMON: Readonly<Record<Exclude<keyof Schema, keyof typeof OF_MARKET>, string>> = {
  accounts: ACCOUNT,
  account_roles: ACCOUNT,
  account_preferences: ACCOUNT,
  account_exports: ACCOUNT,
  sessions: ACCOUNT,
  refresh_tokens: ACCOUNT,
  recovery_codes: ACCOUNT,
  one_time_codes: ACCOUNT,
  totp_steps: ACCOUNT,
  idempotent_calls: ACCOUNT,
  audit_log: ACCOUNT,
  notifications: 'an account reads all of them; one of another market says so',
  notification_deliveries: ACCOUNT,
  notification_settings: ACCOUNT,
  channel_troubles: ACCOUNT,
  push_subscriptions: ACCOUNT,
  telegram_chats: ACCOUNT,
  telegram_codes: ACCOUNT,
  telegram_confirmations: 'commands name what they are about by its id',
  bot_templates: 'settings without a wallet and coins: they fit every market',
  coin_filters: 'rules for choosing coins; which they choose is found out in the market',
  halts: 'a kill switch holds everywhere',
  coin_halts: 'a kill switch holds everywhere',
  auto_trade_configs: BY_BOT,
  auto_trade_traces: BY_BOT,
  auto_trade_fills: 'read by the id of a bot or of an order, which no two markets share',
  auto_trade_logs: `${BY_BOT}; those of all markets are cleared by their age`,
  wallet_ledger: 'read by the id of a wallet of this market',
  candle_chunks: 'kept by the name of the market, with the seed of a simulated one',
  pair_listings: 'kept by the name of the market, with the seed of a simulated one',
  seen_pairs: 'kept by the name of the exchange',
  installation: INSTANCE,
  instance: INSTANCE,
  instance_revisions: INSTANCE,
  app_settings: INSTANCE,
  roles: INSTANCE,
  custom_tags: INSTANCE,
  currency_settings: INSTANCE,
  localization_overrides: INSTANCE,
  retired_keys: INSTANCE,
  push_keys: INSTANCE,
  mail_outbox: INSTANCE,
  throttles: INSTANCE,
  telegram_updates: INSTANCE,
};

type Scoped = keyof typeof OF_MARKET;
const isScoped = (table: string): table is Scoped => Object.hasOwn(OF_MARKET, table);

/** What a name is unique by: in another market the same name is free. @param key the name as `foldName` writes it */
export const keyInMarket = (market: string, key: string): string => `${market} ${key}`;

/** Keeps queries to the rows of a market; raw SQL is left as it is. */
export function marketScope(market: string): KyselyPlugin {
  const transformer = new MarketTransformer(market);
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  };
}

/** Nodes without a query in them. They are frozen, and copying them would take most of the time that this takes. */
const LEAVES: ReadonlySet<OperationNode['kind']> = new Set([
  'ColumnNode',
  'IdentifierNode',
  'OperatorNode',
  'PrimitiveValueListNode',
  'ReferenceNode',
  'SchemableIdentifierNode',
  'SelectAllNode',
  'TableNode',
  'ValueNode',
]);
const COLUMN = ColumnNode.create('market');
const EQUALS = OperatorNode.create('=');
type Source = { readonly table: string; readonly name: string };

/** The tables of the list that a query reads directly, by the names it gives them. Sub-queries are queries of their own. */
function sourcesOf(nodes: readonly (OperationNode | undefined)[]): Source[] {
  return nodes.flatMap((node): Source[] => {
    if (node === undefined) return [];
    if (ListNode.is(node)) return sourcesOf(node.items);
    if (UsingNode.is(node)) return sourcesOf(node.tables);
    const [inner, alias] = AliasNode.is(node) ? [node.node, node.alias] : [node, undefined];
    if (!TableNode.is(inner)) return [];
    const table = inner.table.identifier.name;
    return isScoped(table) ? [{ table, name: alias !== undefined && IdentifierNode.is(alias) ? alias.name : table }] : [];
  });
}

/** The condition first, what was asked in brackets: an `or` in it must not open the other markets. */
const both = (condition: OperationNode, asked: OperationNode): OperationNode =>
  AndNode.create(condition, asked.kind === 'BinaryOperationNode' ? asked : ParensNode.create(asked));

class MarketTransformer extends OperationNodeTransformer {
  readonly #market: string;
  readonly #conditions = new Map<string, OperationNode>();
  /** A query that is built on its own and used in another one comes here twice. */
  readonly #done = new WeakSet<OperationNode>();

  constructor(market: string) {
    super();
    this.#market = market;
  }

  override transformNode<T extends OperationNode | undefined>(node: T, queryId?: QueryId): T {
    return node === undefined || LEAVES.has(node.kind) || this.#done.has(node) ? node : super.transformNode(node, queryId);
  }

  protected override transformSelectQuery(node: SelectQueryNode, queryId?: QueryId): SelectQueryNode {
    const asked = super.transformSelectQuery(node, queryId);
    return this.#narrowed(asked, [...(asked.from?.froms ?? []), ...unjoined(asked.joins)], asked.joins);
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    const asked = super.transformUpdateQuery(node, queryId);
    return this.#narrowed(asked, [asked.table, ...(asked.from?.froms ?? []), ...unjoined(asked.joins)], asked.joins);
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, queryId?: QueryId): DeleteQueryNode {
    const asked = super.transformDeleteQuery(node, queryId);
    return this.#narrowed(asked, [...asked.from.froms, asked.using, ...unjoined(asked.joins)], asked.joins);
  }

  protected override transformJoin(node: JoinNode, queryId?: QueryId): JoinNode {
    const join = super.transformJoin(node, queryId);
    const [source] = sourcesOf([join.table]);
    if (source === undefined || (join.on === undefined && join.joinType !== 'LeftJoin')) return join;
    // In `where` it would drop the rows that a left join keeps.
    const condition = this.#condition(source.name);
    return { ...join, on: OnNode.create(join.on === undefined ? condition : both(condition, join.on.on)) };
  }

  protected override transformInsertQuery(node: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    const asked = super.transformInsertQuery(node, queryId);
    const [source] = sourcesOf([asked.into]);
    if (source === undefined) return asked;
    const { columns, values, onConflict } = asked;
    const isGiven = columns?.some(({ column }) => column.name === 'market');
    if (columns === undefined || values === undefined || !ValuesNode.is(values) || isGiven || asked.defaultValues)
      throw new Error(`Rows of ${source.table} are inserted by values without a market: the database adds it.`);
    const insert: InsertQueryNode = {
      ...asked,
      columns: [...columns, COLUMN],
      values: ValuesNode.create(
        values.values.map((row) =>
          PrimitiveValueListNode.is(row)
            ? PrimitiveValueListNode.create([...row.values, this.#market])
            : ValueListNode.create([...row.values, ValueNode.create(this.#market)]),
        ),
      ),
      ...(onConflict && { onConflict: this.#conflict(source, onConflict) }),
    };
    this.#done.add(insert);
    return insert;
  }

  protected override transformWith(node: WithNode, queryId?: QueryId): WithNode {
    for (const { name } of node.expressions)
      if (isScoped(name.table.table.identifier.name))
        throw new Error(`A query named ${name.table.table.identifier.name} cannot be told from the table.`);
    return super.transformWith(node, queryId);
  }

  protected override transformMergeQuery(node: MergeQueryNode, queryId?: QueryId): MergeQueryNode {
    if (sourcesOf([node.into, node.using?.table]).length > 0) throw new Error('Rows of a market cannot be merged.');
    return super.transformMergeQuery(node, queryId);
  }

  #conflict({ table, name }: Source, node: OnConflictNode): OnConflictNode {
    if (node.constraint !== undefined || node.indexExpression !== undefined)
      throw new Error(`A conflict of ${table} is named by its columns.`);
    if (node.columns !== undefined && OF_MARKET[table as Scoped] === 'keyed') return { ...node, columns: [...node.columns, COLUMN] };
    // An id that another market has is no row of this one.
    return node.updates === undefined ? node : OnConflictNode.cloneWithUpdateWhere(node, this.#condition(name));
  }

  #narrowed<Node extends SelectQueryNode | UpdateQueryNode | DeleteQueryNode>(
    node: Node,
    tables: readonly (OperationNode | undefined)[],
    joins: readonly JoinNode[] | undefined,
  ): Node {
    const sources = sourcesOf(tables);
    const isOuter = joins?.some(({ joinType }) => joinType === 'RightJoin' || joinType === 'FullJoin');
    if (isOuter && sourcesOf([...tables, ...joins!.map(({ table }) => table)]).length > 0)
      throw new Error('Tables of a market are joined from the left.');
    let narrowed = node;
    for (const { name } of sources) {
      const condition = this.#condition(name);
      const where = narrowed.where === undefined ? condition : both(condition, narrowed.where.where);
      narrowed = { ...narrowed, where: WhereNode.create(where) };
    }
    this.#done.add(narrowed);
    return narrowed;
  }

  #condition(name: string): OperationNode {
    const known = this.#conditions.get(name);
    if (known !== undefined) return known;
    const made = BinaryOperationNode.create(ReferenceNode.create(COLUMN, TableNode.create(name)), EQUALS, ValueNode.create(this.#market));
    this.#conditions.set(name, made);
    return made;
  }
}

/** Tables of joins that have no condition of their own. */
const unjoined = (joins: readonly JoinNode[] | undefined): OperationNode[] =>
  (joins ?? []).flatMap(({ on, table }) => (on === undefined ? [table] : []));
