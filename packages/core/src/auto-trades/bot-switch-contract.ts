import * as z from 'zod';

// What is said with a switch of a bot's state.

/** Consent to exits that a halt or a freeze held back and that are due: what they hold is sold at once. */
const consentToExits = z.boolean().default(false);
/** `version`: the settings that were agreed to; none that were changed meanwhile are started. */
export const enabling = z.object({ acknowledge: z.boolean().default(false), sellNow: consentToExits, version: z.int().optional() });
export const disabling = z.object({ exits: z.enum(['continue', 'freeze']).default('continue'), sellNow: consentToExits });
