import { AppError } from '@pilotfish/core/http/problem';

/** Why a bot or a position cannot do now what it is asked for; each has a sentence, `errors.not-ready.detail_<reason>`. */
type NotReady =
  | 'acknowledge'
  | 'changed'
  | 'no_coins'
  | 'not_at_work'
  | 'not_waiting'
  | 'nothing_held'
  | 'price_jump'
  | 'starting'
  | 'stopped'
  | 'stopping'
  | 'unreadable'
  | 'wallet_gone';
export const notReady = (reason: NotReady): AppError => new AppError('not-ready', { parameters: { context: reason } });
