import type { MarketTrouble } from '@pilotfish/core/admin/market-choice-contract';
import type { Permissions } from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import type { OuterChannel } from '@pilotfish/core/notifications/notification-kinds';
import {
  bookNeeds,
  botNeeds,
  channelNeeds,
  connectionNeeds,
  marketNeeds,
  type NeedBooks,
  type NeedBot,
  type NeedSource,
  orderedNeeds,
  unknownSource,
  unreadableBotNeeds,
} from '@pilotfish/core/overview/needs';
import type { Need } from '@pilotfish/core/overview/overview-contract';
import type { Logger } from 'pino';
import type { Queries } from '../database/database.ts';
import { channelsOf } from '../notifications/notifier.ts';

export type NeedParts = {
  readonly bots: (accountId: string) => Promise<{ bots: NeedBot[]; unreadable: { id: string; name: string }[] }>;
  readonly connection: {
    /** What the keys may do, as the exchange last said; undefined without keys. */
    permissions(accountId: string): Promise<Permissions | undefined>;
    /** Why the account cannot be read, of one with keys. */
    trouble(accountId: string): Promise<{ code: string; since: number } | undefined>;
  };
  /** What does not add up of a connected account; undefined without keys. */
  readonly books: (accountId: string) => Promise<Omit<NeedBooks, 'broken'>>;
  readonly market: { readonly loaded: boolean; readonly trouble: MarketTrouble | undefined };
};

/** A balance that differs is the coin's, and an item of its own: those rows are not of a position. */
const OF_ASSET = 'asset:';

/** Every cause for which a person is needed. A source that fails is named among them, and keeps none of the others away. */
export function needsList({ queries, log, now }: { queries: Queries; log: Logger; now: () => number }, parts: NeedParts) {
  async function brokenOf(accountId: string): Promise<NeedBooks['broken']> {
    const rows = await queries
      .selectFrom('position_breakages')
      .select(['position_id', 'found_at'])
      .where('account_id', '=', accountId)
      .execute();
    const found = rows.filter(({ position_id }) => !position_id.startsWith(OF_ASSET));
    return {
      count: new Set(found.map(({ position_id }) => position_id)).size,
      since: found.length === 0 ? null : Math.min(...found.map(({ found_at }) => Number(found_at))),
    };
  }

  async function troubledChannels(accountId: string) {
    const [{ setUp, troubled }, rows] = await Promise.all([
      channelsOf(queries, accountId),
      queries.selectFrom('channel_troubles').select(['channel', 'reason', 'since']).where('account_id', '=', accountId).execute(),
    ]);
    return rows.flatMap((row): { channel: OuterChannel; reason: string; since: number }[] =>
      setUp.has(row.channel) && troubled.has(row.channel) ? [{ ...row, since: Number(row.since) }] : [],
    );
  }

  const isAdmin = async (accountId: string): Promise<boolean> =>
    (await queries
      .selectFrom('account_roles')
      .select('role')
      .where('account_id', '=', accountId)
      .where('role', '=', 'Admin')
      .executeTakeFirst()) !== undefined;

  const sources: Readonly<Record<NeedSource, (accountId: string) => Promise<Need[]>>> = {
    bots: async (accountId) => {
      const { bots, unreadable } = await parts.bots(accountId);
      return [...botNeeds(bots), ...unreadableBotNeeds(unreadable)];
    },
    connection: async (accountId) => {
      const permissions = await parts.connection.permissions(accountId);
      if (permissions === undefined) return [];
      return connectionNeeds({ permissions, trouble: await parts.connection.trouble(accountId) }, now());
    },
    books: async (accountId) => bookNeeds({ ...(await parts.books(accountId)), broken: await brokenOf(accountId) }),
    channels: async (accountId) => channelNeeds(await troubledChannels(accountId)),
    market: async (accountId) => ((await isAdmin(accountId)) ? marketNeeds(parts.market) : []),
  };

  return async (accountId: string): Promise<Need[]> => {
    const found = await Promise.all(
      Object.entries(sources).map(([source, ask]) =>
        ask(accountId).catch((error: unknown) => {
          log.warn({ err: error, source }, 'overview.source_failed');
          return [unknownSource(source as NeedSource)];
        }),
      ),
    );
    return orderedNeeds(found.flat());
  };
}
