import * as z from 'zod';

/** Why a bot sold, or its position ended. The texts are `exitReasons.<reason>`. */
export const exitReason = z.enum([
  'TakeProfit',
  'TrailingCost',
  'StopLoss',
  'TargetPrice',
  'TimeStop',
  'Conditions',
  'Manual',
  'KillSwitch',
  'SoldOutside',
  'SetAsClosed',
  'Delisted',
  'Dust',
  'PriceJump',
  'Abandoned',
]);
export type ExitReason = z.infer<typeof exitReason>;

/** In place of a bot or its reason: an order that no bot of this account placed. */
export const BY_HAND = 'hand';
