import { type Decimal, rescale, toText } from '@pilotfish/core/money/decimal';
import type { FoldedPosition } from '@pilotfish/core/positions/folded-position';
import type { OpenPosition, SyncStatus } from '@pilotfish/core/positions/positions-contract';
import type { Language, Texts } from '../http/texts.ts';
import type { Compared } from './balance-check.ts';
import type { BookPosition } from './position-book.ts';
import type { SyncCursor } from './sync-store.ts';

type Broken = OpenPosition['broken'][number];

/** What is known beside the entries, for judging whether a position's figures can be trusted. */
export type BrokenFacts = {
  readonly compared: Compared | undefined;
  /** How far each pair was read from the exchange; undefined without a connection. */
  readonly cursors: ReadonlyMap<string, SyncCursor> | undefined;
  /** False when the market is known and has no price for the pair. */
  readonly hasPrice: (symbol: string) => boolean;
};

/** Digits that a person reads. */
const shown = (value: Decimal): string => toText(value.scale > 8 ? rescale(value, 8, 'half-even') : value);

/** True when the exchange's own history of the pair was never read to its end although it could be. */
function hasGap({ symbol }: FoldedPosition, { cursors }: BrokenFacts): boolean {
  if (cursors === undefined) return false;
  const cursor = cursors.get(symbol);
  return cursor?.refused !== true && (cursor === undefined || cursor.readAt === null);
}

/** Every reason why the figures cannot be trusted, as codes with the values their sentences need. */
function reasonsOf({ position, override }: BookPosition, facts: BrokenFacts): { code: Broken['code']; values: Record<string, string> }[] {
  const { baseAsset, symbol } = position;
  const isOpen = position.closedAt === null;
  const reasons: { code: Broken['code']; values: Record<string, string> }[] = [];
  const values = { asset: baseAsset, symbol };
  for (const code of position.reasons) {
    if (code === 'OVERSOLD') reasons.push({ code, values: { ...values, quantity: shown(position.unmatched.quantity) } });
    else if (code === 'MISSING_COST') reasons.push({ code, values: { ...values, quantity: shown(position.unknownCost) } });
    else reasons.push({ code, values });
  }
  const difference = isOpen ? facts.compared?.differences.get(baseAsset) : undefined;
  if (difference !== undefined)
    reasons.push({
      code: 'BALANCE_MISMATCH',
      values: { ...values, balance: shown(difference.balance), known: shown(difference.known), difference: shown(difference.difference) },
    });
  if (hasGap(position, facts)) reasons.push({ code: 'GAP', values });
  if (isOpen && !position.reasons.has('DELISTED_PRICE') && !facts.hasPrice(symbol)) reasons.push({ code: 'DELISTED_PRICE', values });
  const text = override?.brokenText;
  if (text !== null && text !== undefined) reasons.push({ code: 'USER', values: { text } });
  return reasons;
}

export const isBroken = (position: BookPosition, facts: BrokenFacts): boolean => reasonsOf(position, facts).length > 0;

/** What says something of the rest that is held now, and nothing of its entries. */
const OF_THE_REST: ReadonlySet<Broken['code']> = new Set(['BALANCE_MISMATCH', 'DELISTED_PRICE']);

/**
 * True when what sales brought in is certain although the position may be broken: its entries are whole, and only what is
 * held now differs from the balance or has no price. Coins that left unseen change the worth of the rest, not those sales.
 */
export const isRealisedKnown = (position: BookPosition, facts: BrokenFacts): boolean =>
  position.position.reasons.size === 0 && brokenCodes(position, facts).every((code) => OF_THE_REST.has(code));

/** The reasons as codes. */
export const brokenCodes = (position: BookPosition, facts: BrokenFacts): Broken['code'][] =>
  reasonsOf(position, facts).map(({ code }) => code);

export type Reader = {
  readonly facts: BrokenFacts;
  readonly texts: Texts;
  readonly language: Language;
  /** The day of the reader's zone, `2026-12-31`, that a moment lies in. */
  readonly dayOf: (at: number) => string;
};

/** The reasons in the reader's language, each with what would mend it. */
export function brokenOf(position: BookPosition, { facts, texts, language, dayOf }: Reader): Broken[] {
  return reasonsOf(position, facts).map(({ code, values: given }) => {
    const values: Record<string, string> = { ...given, date: dayOf(position.position.openedAt) };
    const own = code === 'USER' && values.text !== '' ? values.text : undefined;
    return {
      code,
      detail: own ?? texts.text(language, `positions.broken.${code}.detail`, values),
      fix: texts.text(language, `positions.broken.${code}.fix`, values),
    };
  });
}

/** Balances that the ledger does not explain, by asset. */
export function differencesOf(compared: Compared | undefined, texts: Texts, language: Language): SyncStatus['differences'] {
  return [...(compared?.differences.values() ?? [])]
    .sort((one, other) => (one.asset < other.asset ? -1 : 1))
    .map(({ asset, balance, known, difference }) => ({
      asset,
      balance: toText(balance),
      known: toText(known),
      difference: toText(difference),
      reasons: (difference.units > 0n ? (['cameIn', 'notRead'] as const) : (['wentOut', 'elsewhere', 'notRead'] as const)).map((reason) =>
        texts.text(language, `positions.differences.${reason}`, { asset }),
      ),
    }));
}
