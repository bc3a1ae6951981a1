/** What an address said when it was last followed, and what was written to it since, oldest first. */
export type OwnWrites = { readonly from: string; readonly sent: readonly string[] };

/**
 * The address now says something new: the echo of an own write, or a change that came from elsewhere (undefined).
 * Echoes come late, because the router follows in transitions; what was typed meanwhile must not give way to them.
 */
export function afterEcho({ sent }: OwnWrites, address: string): OwnWrites | undefined {
  const at = sent.lastIndexOf(address);
  return at < 0 ? undefined : { from: address, sent: sent.slice(at + 1) };
}

/**
 * Reducer of a state that renders bring up to date by themselves. React works out an update of `useState` ahead, from
 * what was rendered last, and that may be a render of the router's transition that was thrown away: the echo which it
 * had counted as seen then came as a change from elsewhere, and what had been typed meanwhile gave way to it.
 */
export const changed = <Held>(before: Held, change: (before: Held) => Held): Held => change(before);
