/** One table of an export: how its rows belong to the account, and in which order they are read. */
export type ExportedTable = {
  /** Columns that name a row within the account, in order; pages go on after the last one read. */
  readonly key: readonly string[];
  /** Where the rows hang on another exported table: `[own column, parent table]`; else they carry `account_id`. */
  readonly of?: readonly [column: string, parent: string];
  /** The account's column where it is called otherwise. */
  readonly owner?: string;
  /** Secrets, hashes and shadows of other columns: never written. */
  readonly without?: readonly string[];
  /** Columns of JSON text, written as what they hold. */
  readonly json?: readonly string[];
};

/** Everything an account owns, in all markets, by table. A table that is neither here nor in `NOT_EXPORTED` fails a test. */
export const EXPORTED: Readonly<Record<string, ExportedTable>> = {
  accounts: { key: ['id'], owner: 'id', without: ['username_key', 'email_key', 'password_hash', 'totp_secret'] },
  account_roles: { key: ['role'] },
  account_preferences: { key: ['account_id'], json: ['choices'] },
  sessions: { key: ['id'] },
  audit_log: { key: ['id'], json: ['details'] },
  exchange_connections: { key: ['market'], without: ['api_key', 'api_secret', 'claim'], json: ['permissions'] },
  balance_snapshots: { key: ['market', 'mode', 'at'] },
  ledger_entries: { key: ['market', 'entry_id'] },
  position_overrides: { key: ['market', 'entry_id'] },
  import_batches: { key: ['id'], json: ['counts', 'period', 'replaced'] },
  import_operations: { key: ['market', 'operation'] },
  coin_filters: { key: ['id'], without: ['name_key'], json: ['settings', 'last_coins'] },
  wallets: { key: ['id'], without: ['name_key', 'paper_key', 'paper_secret'] },
  wallet_ledger: { key: ['id'], of: ['wallet_id', 'wallets'], json: ['move'] },
  bot_templates: { key: ['id'], without: ['name_key'], json: ['settings'] },
  auto_trades: { key: ['id'], without: ['name_key'], json: ['context'] },
  auto_trade_configs: { key: ['auto_trade_id', 'version'], of: ['auto_trade_id', 'auto_trades'], json: ['config'] },
  auto_trade_positions: { key: ['id'], of: ['auto_trade_id', 'auto_trades'], json: ['context'] },
  auto_trade_traces: { key: ['id'], of: ['auto_trade_id', 'auto_trades'], json: ['body'] },
  auto_trade_logs: { key: ['id'], of: ['auto_trade_id', 'auto_trades'], json: ['facts'] },
  auto_trade_fills: { key: ['position_id', 'symbol', 'trade_id'], of: ['auto_trade_id', 'auto_trades'] },
  order_intents: { key: ['id'], of: ['auto_trade_id', 'auto_trades'], without: ['account_key'], json: ['body'] },
  unknown_orders: { key: ['market', 'client_order_id'], without: ['account_key'] },
  halts: { key: ['scope_id'] },
  coin_halts: { key: ['id'] },
  price_alerts: { key: ['id'], json: ['body', 'context', 'memory'] },
  price_alert_firings: { key: ['id'], json: ['condition', 'facts'] },
  notifications: { key: ['id'], json: ['facts'] },
  notification_deliveries: { key: ['id'] },
  notification_settings: { key: ['account_id'], without: ['webhook_url', 'webhook_secret'], json: ['choices'] },
  channel_troubles: { key: ['channel'], without: ['target'] },
  push_subscriptions: { key: ['id'], without: ['endpoint_hash', 'subscription'] },
  telegram_chats: { key: ['account_id'], without: ['chat_hash', 'chat'] },
};

/** Tables with an owner that an export leaves out, and why. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  totp_steps: 'a counter of the authenticator, of no use to anybody',
  recovery_codes: 'hashes of secrets',
  one_time_codes: 'hashes of secrets',
  refresh_tokens: 'hashes of secrets',
  telegram_codes: 'hashes of secrets',
  telegram_confirmations: 'commands that wait a minute for a second tap',
  idempotent_calls: 'answers kept for a day so that a repeated call is not done twice',
  account_exports: 'says of exports what the export itself is',
  hidden_batches: 'bookkeeping of imports that do not count',
  ledger_versions: 'a counter',
  sync_cursors: 'how far the exchange was read; it can be read again',
  transfer_cursors: 'how far the exchange was read; it can be read again',
  unread_rows: 'what of the exchange could not be read; it can be asked again',
  account_states: 'what the exchange said last; it can be asked again',
  sync_runs: 'the progress of the last reading',
  position_breakages: 'what the notifications say of broken positions already',
};

/** Rows of an account that end with it at once, before what is kept for a while: ways in, and what only it could use. */
export const FORGOTTEN_AT_ONCE = [
  'account_roles',
  'recovery_codes',
  'one_time_codes',
  'totp_steps',
  'exchange_connections',
  'account_preferences',
  'bot_templates',
  'account_exports',
  'idempotent_calls',
  'telegram_chats',
  'telegram_codes',
  'telegram_confirmations',
  'push_subscriptions',
  'notification_settings',
  'channel_troubles',
] as const;
