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
