import { type Facts, shownFacts } from '@pilotfish/core/notifications/notification-facts';
import type { NotificationKind } from '@pilotfish/core/notifications/notification-kinds';
import type { MarketSource } from '@pilotfish/core/prices/prices-contract';
import type { Language, Texts } from '../http/texts.ts';

/** What a notification's texts are made of, as stored. */
export type Told = { readonly code: string; readonly facts: string };

export type Wording = { readonly title: string; readonly text: string };

/** Longest text of a message; a chat or a push message takes no more. */
const MAX_TEXT = 1500;

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Kinds that are about an account or the installation, whatever it trades on. */
const OF_NO_MARKET: ReadonlySet<NotificationKind> = new Set(['channel-lost', 'security', 'instance', 'test']);

/** Facts as they are stored, beside the market that they are of, `market` unless they name another. @returns JSON text */
export const storedFacts = (kind: NotificationKind, facts: Facts, market: MarketSource): string =>
  JSON.stringify(OF_NO_MARKET.has(kind) ? facts : { market, ...facts });

type Stored = Facts & { readonly market?: string };
/** Of a row that cannot be read nothing but its code is told: it must not keep the others from being listed. */
function storedOf(row: Told): Stored {
  try {
    return JSON.parse(row.facts) as Stored;
  } catch {
    return {};
  }
}

export function factsOf(row: Told): Facts {
  const { market: _market, ...facts } = storedOf(row);
  return facts;
}

/** Where a notification leads; null where that is of another market than the present one, whose pages are not there. */
export const linkIn = (row: Told & { readonly link: string | null }, present: MarketSource): string | null =>
  (storedOf(row).market ?? present) === present ? row.link : null;

/**
 * Title and text in a language. The title names the market where it is not the present one: a bot of the same name may
 * stand in both.
 * @param timeZone for times among the facts
 * @param present the market that the server works with
 */
export function wordingOf(row: Told, language: Language, timeZone: string, texts: Texts, present: MarketSource): Wording {
  const facts = shownFacts(factsOf(row), { language, timeZone, text: (key) => texts.find(language, key) });
  const text = (part: 'title' | 'text') => texts.find(language, `notifications.${row.code}.${part}`, facts);
  // Whoever is told afterwards must not take an old price for that of now.
  const late = facts.lateAt === undefined ? undefined : texts.find(language, 'alerts.foundLate', facts);
  const said = [text('text')?.trim(), late].filter(Boolean).join(' ');
  const { market = present } = storedOf(row);
  const title = cut(text('title') ?? row.code, 200);
  const elsewhere = market === present ? '' : ` (${texts.find(language, `exchange.${market}.name`) ?? market})`;
  return { title: title + elsewhere, text: cut(said, MAX_TEXT) };
}
