import * as z from 'zod';

/** In the data folder of a server whose first account is to come: its set-up code, and the addresses it belongs to. */
export const SETUP_CODE_FILE = 'setup-code.json';

const schema = z.object({ code: z.string(), addresses: z.array(z.url()) });
export type LeftSetupCode = z.infer<typeof schema>;

/** What such a file says; undefined when it says nothing of the kind. */
export function readSetupCode(text: string): LeftSetupCode | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
