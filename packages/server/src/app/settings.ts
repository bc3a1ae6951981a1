import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { type MarketSource, marketSource } from '@pilotfish/core/prices/prices-contract';
import * as z from 'zod';

/** How long the parts of an authentication live, in seconds, and how it is throttled. */
export type AuthPolicy = {
  readonly accessTokenSeconds: number;
  /** From sign-in on; rotation does not prolong it. */
  readonly refreshTokenSeconds: number;
  /** A device that does not come back for so long after its access token ended must sign in again; 0 for never. */
  readonly idleSeconds: number;
  /** Devices of one account that are signed in; one more signs out the one that was away longest. */
  readonly mostSessions: number;
  /** A spent refresh token answers its own successor again for this long (a second tab, a retry). */
  readonly refreshGraceSeconds: number;
  readonly pendingCodeSeconds: number;
  readonly pendingCodeTries: number;
  readonly resetCodeSeconds: number;
  readonly emailCodeSeconds: number;
  readonly phoneCodeSeconds: number;
  /** How long a second factor given in a session counts for what needs one. */
  readonly secondFactorSeconds: number;
  /** Accounts one address may create before it has to wait between them. */
  readonly accountsPerAddress: number;
  /** Argon2id, OWASP minimum: memory in KiB, passes, lanes. */
  readonly argon2: { readonly memoryCost: number; readonly timeCost: number; readonly parallelism: number };
  /** Hashes computed at once, and how many more may wait before new ones are refused. */
  readonly hashSlots: number;
  readonly hashQueue: number;
};

export const DEFAULT_AUTH_POLICY: AuthPolicy = {
  // A browser discards a session whose access token has ended: over lunch it does not.
  accessTokenSeconds: 12 * 3600,
  refreshTokenSeconds: 30 * 86_400,
  idleSeconds: 0,
  mostSessions: 50,
  refreshGraceSeconds: 10,
  pendingCodeSeconds: 5 * 60,
  pendingCodeTries: 5,
  resetCodeSeconds: 30 * 60,
  emailCodeSeconds: 24 * 3600,
  phoneCodeSeconds: 10 * 60,
  secondFactorSeconds: 10 * 60,
  accountsPerAddress: 20,
  argon2: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  hashSlots: 2,
  hashQueue: 64,
};

/** Everything the process is told from outside. Made by `readSettings`, never by reading the environment elsewhere. */
export type Settings = {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Where people find the server, without a slash at the end: links begin with it, and everything lies below its path. The listening address when absent. */
  readonly publicUrl: string | undefined;
  /** What the first account has to give; made up at start when absent and needed. */
  readonly setupCode: string | undefined;
  /** Further host names this server is called by, e.g. in the own network. */
  readonly allowedHosts: readonly string[];
  /** Undefined where the environment leaves it to the Admins. */
  readonly exchange: MarketSource | undefined;
  readonly exchangeRestUrl: string | undefined;
  /** Both WebSocket addresses of the exchange, where those of one kind are not given below. */
  readonly exchangeWsUrl: string | undefined;
  readonly exchangeWsApiUrl: string | undefined;
  readonly exchangeStreamUrl: string | undefined;
  /** Where the exchange publishes months of candles; Binance's own address where absent and Binance is the market. */
  readonly exchangeArchiveUrl: string | undefined;
  /** Where exchanges are that do not answer at their published addresses, by market: known to tests alone. */
  readonly exchangesAt: { readonly [Source in MarketSource]?: { readonly rest: string; readonly ws: string } };
  readonly databaseUrl: string | undefined;
  readonly marketReplay: string | undefined;
  readonly marketSeed: number;
  readonly marketSpeed: number;
  /** Room for stored candles, in MB; pairs that do not fit are without history. */
  readonly candlesMb: number;
  /** Room for months of candles that are stored for backtests, in MB. */
  readonly candleMonthsMb: number;
  /** Records what bots are told, so that a run can be replayed. */
  readonly recordTapes: boolean;
  /** Room for all of them, in MB. */
  readonly tapesMb: number;
  /** Hours between two backups of the SQLite database; 0 for none. */
  readonly backupHours: number;
  /** How many of them are kept. */
  readonly backupsKept: number;
  /** Called each minute while bots may trade; its owner is an uptime service. */
  readonly heartbeatUrl: string | undefined;
  readonly telegramBotToken: string | undefined;
  readonly telegramApiRoot: string | undefined;
  readonly smtpUrl: string | undefined;
  readonly smsWebhookUrl: string | undefined;
  /** Webhooks may go to addresses of the own network, and over http. */
  readonly allowPrivateWebhooks: boolean;
  readonly newsFeeds: readonly string[];
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  readonly role: 'all';
  /** Origins of other sites that may call the API; none by default. */
  readonly corsOrigins: readonly string[];
  /** Reverse proxies in front, counted exactly, or their addresses and networks; 0 means the peer address is the client's. */
  readonly trustProxy: number | readonly string[];
  /** Folder of the built web app; without it only the API is served. */
  readonly webFolder: string | undefined;
  readonly auth: AuthPolicy;
};

/** Thrown at start; its message is a sentence for the person at the terminal. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

type Variable<Value> = {
  readonly schema: z.ZodType<Value, string | undefined>;
  readonly accepts: string;
  readonly secret?: boolean;
};

const variable = <Value>(
  accepts: string,
  schema: z.ZodType<Value, string | undefined>,
  more: { secret?: boolean } = {},
): Variable<Value> => ({ accepts, schema, ...more });

const optionalText = z.string().min(1).optional();
const url = (protocols: RegExp) => z.url({ protocol: protocols }).optional();
const oneOf = <const Choices extends readonly [string, ...string[]]>(choices: Choices, byDefault: Choices[number]) =>
  variable<Choices[number]>(`one of ${choices.join(', ')}`, z.enum(choices).default(byDefault) as never);
const wholeNumber = (byDefault: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max)
    .default(byDefault);
const listOf = (item: z.ZodType<string, string>) =>
  z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item));
/** A name or an address as it stands in a URL, without port: `pilotfish.lan`, `192.168.1.5`, `[fd00::5]`. */
const hostName = z
  .string()
  .max(255)
  .regex(/^(?:\[[\da-f:.]+\]|[\w.-]+)$/i);
/**
 * The base path is compared with what browsers and proxies send, so it has one way to be written: no `//`, no `.` and
 * `..`, nothing encoded. One that begins as an own path could not be told from it where a proxy takes the base away.
 */
const publicUrl = z
  .url({ protocol: /^https?$/, abort: true })
  .regex(/^\w+:\/\/[^/?#@\\\s]+(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*\/?$/)
  .refine((text) => !/^\/(?:gateway|bff|icons|assets|healthz|readyz|metrics)(?:\/|$)/.test(new URL(text).pathname))
  .transform((text) => new URL(text).href.replace(/\/$/, ''))
  .optional();
/** What Fastify takes as an address or a network: one that it refuses would end a start half-way. One of no bits would be everybody. */
const network = z.string().refine((text) => {
  const [address = '', bits = '1', ...more] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return /^[^%]+(?:%\w+)?$/.test(address) && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most;
});
const proxies = z.union([wholeNumber(0, 0, 10), listOf(network).refine((list) => list.length > 0)]) as z.ZodType<
  number | string[],
  string | undefined
>;
const origin = z.url({ protocol: /^https?$/, abort: true }).refine((text) => new URL(text).origin === text);

const VARIABLES = {
  PILOTFISH_HOST: variable(
    'a host name or address to listen on, e.g. 127.0.0.1',
    z
      .string()
      .min(1)
      .max(255)
      .regex(/^[\w.:-]+$/)
      .default('127.0.0.1'),
  ),
  PILOTFISH_PORT: variable('a port number from 0 to 65535 (0 = any free one)', wholeNumber(4600, 0, 65_535)),
  PILOTFISH_DATA_DIR: variable('the path of a folder', z.string().min(1).default('./data')),
  PILOTFISH_PUBLIC_URL: variable(
    'an http or https URL with nothing after its path, e.g. https://pilotfish.example or https://home.example/pilotfish (letters, digits and -._~, and not a path of its own as /bff or /assets)',
    publicUrl,
  ),
  PILOTFISH_SETUP_CODE: variable(
    '12 to 100 letters and digits for the first account',
    z
      .string()
      .regex(/^[\w.-]{12,100}$/)
      .optional(),
    { secret: true },
  ),
  PILOTFISH_ALLOWED_HOSTS: variable('host names without port, e.g. pilotfish.lan, separated by commas', listOf(hostName)),
  PILOTFISH_EXCHANGE: variable(
    `one of ${marketSource.options.join(', ')}; where absent, an Admin chooses while it runs`,
    marketSource.optional() as z.ZodType<MarketSource | undefined, string | undefined>,
  ),
  PILOTFISH_EXCHANGE_REST_URL: variable('an http or https URL', url(/^https?$/)),
  PILOTFISH_EXCHANGE_WS_URL: variable('a ws or wss URL', url(/^wss?$/)),
  PILOTFISH_EXCHANGE_WS_API_URL: variable('a ws or wss URL', url(/^wss?$/)),
  PILOTFISH_EXCHANGE_STREAM_URL: variable('a ws or wss URL', url(/^wss?$/)),
  PILOTFISH_EXCHANGE_ARCHIVE_URL: variable('an http or https URL', url(/^https?$/)),
  DATABASE_URL: variable('a URL like postgres://user:password@host:5432/database', url(/^postgres(ql)?$/), { secret: true }),
  PILOTFISH_MARKET_REPLAY: variable('the path of a folder of recorded candles', optionalText),
  PILOTFISH_MARKET_SEED: variable('a whole number from 0 to 4294967295', wholeNumber(1, 0, 4_294_967_295)),
  PILOTFISH_MARKET_SPEED: variable(
    'a number above 0 and up to 10000 (1 = real time)',
    z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .transform(Number)
      .refine((value) => value > 0 && value <= 10_000)
      .default(1),
  ),
  PILOTFISH_CANDLES_MB: variable('whole megabytes from 1 to 100000', wholeNumber(256, 1, 100_000)),
  PILOTFISH_CANDLE_MONTHS_MB: variable('whole megabytes from 1 to 1000000', wholeNumber(2048, 1, 1_000_000)),
  PILOTFISH_TAPE: oneOf(['off', 'on'], 'off'),
  PILOTFISH_TAPES_MB: variable('whole megabytes from 1 to 1000000', wholeNumber(2048, 1, 1_000_000)),
  PILOTFISH_BACKUP_HOURS: variable('whole hours from 0 (no backups) to 8760', wholeNumber(0, 0, 8760)),
  PILOTFISH_BACKUP_KEEP: variable('a whole number from 1 to 1000', wholeNumber(7, 1, 1000)),
  // Whoever knows the address can report a dead server as alive: uptime services know their callers by it alone.
  PILOTFISH_HEARTBEAT_URL: variable('an http or https URL', url(/^https?$/), { secret: true }),
  TELEGRAM_BOT_TOKEN: variable(
    'a bot token like 123456:ABC-DEF',
    z
      .string()
      .regex(/^\d+:[\w-]{10,}$/)
      .optional(),
    { secret: true },
  ),
  TELEGRAM_API_ROOT: variable('an http or https URL', url(/^https?$/)),
  SMTP_URL: variable('a URL like smtp://user:password@host:587', url(/^smtps?$/), { secret: true }),
  SMS_WEBHOOK_URL: variable('an http or https URL', url(/^https?$/), { secret: true }),
  PILOTFISH_ALLOW_PRIVATE_WEBHOOKS: oneOf(['off', 'on'], 'off'),
  PILOTFISH_NEWS_FEEDS: variable('http or https URLs separated by commas', listOf(z.url({ protocol: /^https?$/ }))),
  PILOTFISH_LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  PILOTFISH_ROLE: variable<'all'>(
    'all (one server does everything; api and worker do not exist until several servers can share the work)',
    z.enum(['all']).default('all') as never,
  ),
  PILOTFISH_CORS_ORIGINS: variable('origins like https://app.example separated by commas', listOf(origin)),
  PILOTFISH_TRUST_PROXY: variable(
    'how many reverse proxies stand in front, 0 to 10, or their addresses and networks separated by commas, e.g. 127.0.0.1,10.0.0.5',
    proxies,
  ),
  PILOTFISH_WEB_DIR: variable('the path of the built web app', optionalText),
} as const;

type Name = keyof typeof VARIABLES;
type Values = { [K in Name]: z.output<(typeof VARIABLES)[K]['schema']> };

/** The shape of a refused value without the value itself, because it may be a secret: `a text of 12 characters`. */
function shapeOf(value: string): string {
  if (/^-?\d+$/.test(value)) return `a whole number of ${value.replace('-', '').length} digits`;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(value)?.[1];
  return scheme === undefined ? `a text of ${value.length} characters` : `a ${scheme} URL of ${value.length} characters`;
}

/**
 * Reads and checks the environment. An empty variable counts as absent.
 * @throws SettingsError naming every bad variable, the shape of its value and what is accepted.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>, overrides: Partial<Settings> = {}): Settings {
  const complaints: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { schema, accepts, ...more }] of Object.entries(VARIABLES) as [Name, Variable<unknown>][]) {
    const raw = env[name] === '' ? undefined : env[name];
    const parsed = schema.safeParse(raw);
    if (parsed.success) values[name] = parsed.data;
    else
      complaints.push(
        `${name} is ${raw === undefined || more.secret ? shapeOf(raw ?? '') : `"${withoutUserInfo(raw)}", ${shapeOf(raw)}`}; accepted: ${accepts}.`,
      );
  }
  if (complaints.length > 0) throw new SettingsError(complaints.join('\n'));
  const read = values as Values;
  return {
    host: read.PILOTFISH_HOST,
    port: read.PILOTFISH_PORT,
    dataDir: resolve(read.PILOTFISH_DATA_DIR),
    publicUrl: read.PILOTFISH_PUBLIC_URL,
    setupCode: read.PILOTFISH_SETUP_CODE,
    allowedHosts: read.PILOTFISH_ALLOWED_HOSTS,
    exchange: read.PILOTFISH_EXCHANGE,
    exchangeRestUrl: read.PILOTFISH_EXCHANGE_REST_URL,
    exchangeWsUrl: read.PILOTFISH_EXCHANGE_WS_URL,
    exchangeWsApiUrl: read.PILOTFISH_EXCHANGE_WS_API_URL,
    exchangeStreamUrl: read.PILOTFISH_EXCHANGE_STREAM_URL,
    exchangeArchiveUrl: read.PILOTFISH_EXCHANGE_ARCHIVE_URL,
    exchangesAt: {},
    databaseUrl: read.DATABASE_URL,
    marketReplay: read.PILOTFISH_MARKET_REPLAY === undefined ? undefined : resolve(read.PILOTFISH_MARKET_REPLAY),
    marketSeed: read.PILOTFISH_MARKET_SEED,
    marketSpeed: read.PILOTFISH_MARKET_SPEED,
    candlesMb: read.PILOTFISH_CANDLES_MB,
    candleMonthsMb: read.PILOTFISH_CANDLE_MONTHS_MB,
    recordTapes: read.PILOTFISH_TAPE === 'on',
    tapesMb: read.PILOTFISH_TAPES_MB,
    backupHours: read.PILOTFISH_BACKUP_HOURS,
    backupsKept: read.PILOTFISH_BACKUP_KEEP,
    heartbeatUrl: read.PILOTFISH_HEARTBEAT_URL,
    telegramBotToken: read.TELEGRAM_BOT_TOKEN,
    telegramApiRoot: read.TELEGRAM_API_ROOT,
    smtpUrl: read.SMTP_URL,
    smsWebhookUrl: read.SMS_WEBHOOK_URL,
    allowPrivateWebhooks: read.PILOTFISH_ALLOW_PRIVATE_WEBHOOKS === 'on',
    newsFeeds: read.PILOTFISH_NEWS_FEEDS,
    logLevel: read.PILOTFISH_LOG_LEVEL,
    role: read.PILOTFISH_ROLE,
    corsOrigins: read.PILOTFISH_CORS_ORIGINS,
    trustProxy: read.PILOTFISH_TRUST_PROXY,
    webFolder: read.PILOTFISH_WEB_DIR === undefined ? undefined : resolve(read.PILOTFISH_WEB_DIR),
    auth: DEFAULT_AUTH_POLICY,
    ...overrides,
  };
}

const FIELD_OF: Record<Name, keyof Settings> = {
  PILOTFISH_HOST: 'host',
  PILOTFISH_PORT: 'port',
  PILOTFISH_DATA_DIR: 'dataDir',
  PILOTFISH_PUBLIC_URL: 'publicUrl',
  PILOTFISH_SETUP_CODE: 'setupCode',
  PILOTFISH_ALLOWED_HOSTS: 'allowedHosts',
  PILOTFISH_EXCHANGE: 'exchange',
  PILOTFISH_EXCHANGE_REST_URL: 'exchangeRestUrl',
  PILOTFISH_EXCHANGE_WS_URL: 'exchangeWsUrl',
  PILOTFISH_EXCHANGE_WS_API_URL: 'exchangeWsApiUrl',
  PILOTFISH_EXCHANGE_STREAM_URL: 'exchangeStreamUrl',
  PILOTFISH_EXCHANGE_ARCHIVE_URL: 'exchangeArchiveUrl',
  DATABASE_URL: 'databaseUrl',
  PILOTFISH_MARKET_REPLAY: 'marketReplay',
  PILOTFISH_MARKET_SEED: 'marketSeed',
  PILOTFISH_MARKET_SPEED: 'marketSpeed',
  PILOTFISH_CANDLES_MB: 'candlesMb',
  PILOTFISH_CANDLE_MONTHS_MB: 'candleMonthsMb',
  PILOTFISH_TAPE: 'recordTapes',
  PILOTFISH_TAPES_MB: 'tapesMb',
  PILOTFISH_BACKUP_HOURS: 'backupHours',
  PILOTFISH_BACKUP_KEEP: 'backupsKept',
  PILOTFISH_HEARTBEAT_URL: 'heartbeatUrl',
  TELEGRAM_BOT_TOKEN: 'telegramBotToken',
  TELEGRAM_API_ROOT: 'telegramApiRoot',
  SMTP_URL: 'smtpUrl',
  SMS_WEBHOOK_URL: 'smsWebhookUrl',
  PILOTFISH_ALLOW_PRIVATE_WEBHOOKS: 'allowPrivateWebhooks',
  PILOTFISH_NEWS_FEEDS: 'newsFeeds',
  PILOTFISH_LOG_LEVEL: 'logLevel',
  PILOTFISH_ROLE: 'role',
  PILOTFISH_CORS_ORIGINS: 'corsOrigins',
  PILOTFISH_TRUST_PROXY: 'trustProxy',
  PILOTFISH_WEB_DIR: 'webFolder',
};

/** The effective settings, one line each, for `pilotfish config`; secrets show only that they are set. */
export function describeSettings(settings: Settings): { name: string; value: string; accepts: string }[] {
  return (Object.keys(VARIABLES) as Name[]).map((name) => {
    const { accepts, ...more } = VARIABLES[name] as Variable<unknown>;
    const value = settings[FIELD_OF[name]];
    const text = written(value as string | number | boolean | readonly string[] | undefined);
    return { name, accepts, value: more.secret && text !== '' ? '********' : withoutUserInfo(text) };
  });
}

/** A value as the variable accepts it. */
function written(value: string | number | boolean | readonly string[] | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'object' ? value.join(',') : String(value);
}

/** Passwords may hide in any URL, so the user part of every one is masked. */
const withoutUserInfo = (text: string): string => text.replace(/(\w+:\/\/)[^/@\s]+@/g, '$1********@');
