import { codeOf, shownProblem } from '@pilotfish/core/http/problem';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended } from '../app/failure.ts';
import { confirm } from '../ui/prompt.ts';

/** Consent to a sale at once; left out while nobody was asked. */
export type SaleConsent = { readonly sellNow?: true };

/** Makes a call. Where it would sell something at once, what that would be is said and asked, and the call is made again. */
export async function askingForSale<Answer>(context: Context, call: (consent: SaleConsent) => Promise<Answer>): Promise<Answer> {
  return call({}).catch(async (error: unknown) => {
    if (codeOf(error) !== 'would-sell-now') throw error;
    if (!(await confirm(context, 'cli.bots.sellNow', { what: shownProblem(error).detail ?? '' }))) throw new Ended(EXIT.failed);
    return call({ sellNow: true });
  });
}
