import type { Unreadable } from '@pilotfish/core/account/account-contract';
import type { Connection } from '@pilotfish/core/account/account-security-contract';
import type { MarketSource } from '@pilotfish/core/prices/prices-contract';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { SetupCode } from '../auth/setup-code.ts';
import type { Database, Queries } from '../database/database.ts';
import type { Installation } from '../database/installation.ts';
import type { ServerLease } from '../database/server-lease.ts';
import type { StorageRoom } from '../database/storage-room.ts';
import type { Random } from '../database/uuid.ts';
import type { Origin } from '../http/endpoint-handler.ts';
import type { Texts } from '../http/texts.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Notifier } from '../notifications/notifier.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { StreamHub } from '../stream/stream-hub.ts';
import type { InstanceData } from './instance-data.ts';
import type { MarketDecision } from './market-decision.ts';
import type { Quotas } from './quotas.ts';
import type { Settings } from './settings.ts';

/** A kind of what reaches an account, or is reached by it, besides its sessions. */
export type AccountConnection = {
  readonly kind: Connection['kind'];
  /** In the transaction of who asks, if there is one. */
  readonly list: (accountId: string, queries: Queries) => Promise<{ name: string; addedAt: number | null }[]>;
  /** Ends all of them. @throws AppError `connection-in-use` when they are needed */
  readonly end: (accountId: string, origin: Origin) => Promise<void>;
};

/** What other features add to the account; registered by them at composition, used by `account` and `admin`. */
export type AccountExtras = {
  exchanges: (accountId: string) => Promise<{ name: 'Binance'; tradeEnabled: boolean }[]>;
  hasTelegram: (accountId: string) => Promise<boolean>;
  /** Run before an account is deleted (stop bots, forget keys); a throw keeps the account. */
  readonly beforeDelete: ((accountId: string) => Promise<void>)[];
  /** Run after it is deleted: what is kept in memory of it. */
  readonly afterDelete: ((accountId: string) => Promise<void>)[];
  /** Run after the roles of accounts, or what these allow, have changed. */
  readonly afterRoles: ((accountIds: readonly string[]) => Promise<void>)[];
  readonly connections: AccountConnection[];
  /** What is stored of the account and cannot be read by this version. */
  readonly unreadable: ((accountId: string) => Promise<Unreadable[]>)[];
  /** Figures for the admin's stats, merged over the built-in ones. */
  readonly stats: (() => Promise<Partial<AdminFigures>>)[];
};

export type AdminFigures = {
  botsByState: Record<string, number>;
  ordersLastHour: number;
  alertsFired24h: number;
  streamLagMs: number | null;
  queueDepths: Record<string, number>;
  exchangeWeightUsed: number | null;
};

/** What every feature is given. Nothing else reads the clock, randomness, the environment or the disk on its own. */
export type AppContext = {
  readonly settings: Settings;
  /** The market this run of the server works with. */
  readonly marketSource: MarketSource;
  /** Who decided it, and the way to another. */
  readonly marketDecision: MarketDecision;
  readonly database: Database;
  /** Whether this is for certain the only server of its database: only then is anything signed. */
  readonly lease: Pick<ServerLease, 'held' | 'doubt'>;
  /** Whether there is room for what is decided. */
  readonly storage: Pick<StorageRoom, 'isFull' | 'refused' | 'onChange'>;
  /** What orders of this start are known by. */
  readonly installation: Installation;
  readonly secretBox: SecretBox;
  /** Aborts when somebody has asked to end while it was still starting. */
  readonly givenUp: AbortSignal | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Every wait, beside `now`. */
  readonly timers: Timers;
  readonly random: Random;
  /** A new UUIDv7. */
  readonly newId: () => string;
  readonly log: Logger;
  readonly texts: Texts;
  readonly stream: StreamHub;
  readonly metrics: Metrics;
  readonly audit: AuditLog;
  readonly mailer: Mailer;
  readonly notifier: Notifier;
  readonly sessions: Sessions;
  readonly setupCode: SetupCode;
  readonly accountExtras: AccountExtras;
  /** What Admins change while the instance runs: settings, currencies, tags. */
  readonly instance: InstanceData;
  /** How many of a kind an account may have. */
  readonly quotas: Quotas;
  /** Where links in mails and messages point; known once the port is open when no public URL is set. */
  readonly publicUrl: () => string;
};
