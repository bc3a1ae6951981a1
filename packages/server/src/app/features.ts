import { accountFeature } from '../account/account-routes.ts';
import { authFeature } from '../auth/auth-routes.ts';
import type { AppContext } from './context.ts';
import type { Feature } from './feature.ts';

/**
 * Every feature of the process, in the order they start; they stop in reverse. A feature that needs another's
 * service is given it here, so this is the one place that shows who depends on whom.
 */
export async function createFeatures(context: AppContext): Promise<Feature[]> {
  return [await authFeature(context), accountFeature(context)];
}
