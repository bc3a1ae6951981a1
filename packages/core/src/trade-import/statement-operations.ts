import type { TransferKind } from '../positions/ledger-entry.ts';
import type { OperationMeaning } from './trade-import-contract.ts';

/** What a row of a statement is: a leg of something, a movement alone, or nothing that moves a coin in or out. */
export type LegKind = 'trade' | 'fee' | 'convert' | 'swap' | TransferKind | 'internal';

/** The vocabulary of the statements over the years; the first pattern that fits says what a row is. */
const OPERATIONS: readonly (readonly [RegExp, LegKind])[] = [
  [/^(transaction )?fee$|^bnb fee deduction$/, 'fee'],
  [/^(buy|sell|transaction (buy|spend|sold|revenue|related)|auto-?invest transaction)$/, 'trade'],
  [
    /^(binance convert|large otc trading|small assets exchange bnb|stablecoins? auto-conversion|leveraged? tokens? (redemption|subscription|purchase))$/,
    'convert',
  ],
  [/^(fiat ocbs.*|buy crypto.*|p2p trading)$/, 'fiat'],
  [/^token swap|^asset recovery$|^distribution$/, 'swap'],
  [/^eth 2\.0 staking$/, 'convert'],
  [/^(deposit|fiat deposit|crypto deposit)$/, 'deposit'],
  [/^(withdraw|withdrawal|fiat withdraw(al)?|send|crypto withdraw(al)?|binance card spending)$/, 'withdrawal'],
  [/^launchpad subscribe$/, 'adjustment'],
  [/^((savings|pool) distribution|insurance fund compensation)$/, 'reward'],
  [/^liquid swap (add|remove)/, 'internal'],
  [/airdrop|crypto box|token distribution/, 'airdrop'],
  [/(interest|rewards?|rebate|referral|commission|cashback|voucher|bonus|launchpool (earnings|airdrop)|dividend|mining)/, 'reward'],
  [/^(transfer|main and funding|funding account|spot|isolated)/, 'internal'],
  [/(subscription|redemption|purchase|stake|unstake|lock|unlock|liquidity|transfer)/, 'internal'],
];

/** An operation as it is compared: small letters, without spaces around it, 100 at most. */
export const operationName = (text: string): string => text.trim().toLowerCase().slice(0, 100).trim();

/** What a person said that operations mean which are not known here, by `operationName`. */
export type GivenMeanings = Readonly<Record<string, OperationMeaning>>;

/** What a row of an operation is, by the vocabulary; undefined for one nobody knows. */
export const knownOperation = (operation: string): LegKind | undefined => OPERATIONS.find(([pattern]) => pattern.test(operation))?.[1];

/**
 * What a row of an operation is that nobody knows, as a person said; undefined before.
 * @param isIn more of the coin is there after it
 */
export function givenOperation(operation: string, isIn: boolean, given: GivenMeanings): LegKind | undefined {
  const meaning = Object.hasOwn(given, operation) ? given[operation] : undefined;
  if (meaning === 'outside') return isIn ? 'deposit' : 'withdrawal';
  return meaning;
}
