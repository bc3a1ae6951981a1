import { accountContract } from '@pilotfish/core/account/account-contract';
import { isTradingDenied } from '@pilotfish/core/account/claims';
import { AppError } from '@pilotfish/core/http/problem';
import type { Context } from './context.ts';

/**
 * Before a person is asked whether to trade live: refuses where the keys may not, as the server would afterwards.
 * @throws AppError `trading-disabled`
 */
export async function requireTrading(context: Context): Promise<void> {
  const { getAccount } = accountContract;
  const client = await context.client({ getAccount });
  if (isTradingDenied(await client.getAccount())) throw new AppError('trading-disabled');
}
