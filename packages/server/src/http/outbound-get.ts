import { get as httpsGet } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { checkedUrl, publicLookup } from './outbound-address.ts';

const UNPACK = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress } as const;

/**
 * Reads an address that somebody else than the operator gave: a public one over https only, never where a redirect
 * points, and no longer than the signal allows. The body comes unpacked and unread; who reads it counts its bytes.
 * @throws AddressRefused for an address that is not public; Error for any answer but 200
 */
export function outboundGet(
  text: string,
  { headers, signal, lookup = publicLookup() }: { headers: Readonly<Record<string, string>>; signal: AbortSignal; lookup?: LookupFunction },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let url: URL;
    try {
      url = checkedUrl(text, false);
    } catch (error) {
      return reject(error as Error);
    }
    // A connection of its own: one kept from before would not be checked again.
    const call = httpsGet(url, { headers: { 'accept-encoding': 'gzip, br', ...headers }, agent: false, signal, lookup }, (answer) => {
      if (answer.statusCode !== 200) {
        answer.destroy();
        return reject(new Error(`status ${answer.statusCode}`));
      }
      const unpack = UNPACK[String(answer.headers['content-encoding'] ?? '').toLowerCase() as keyof typeof UNPACK];
      // Whoever reads is told of a failure by the stream itself.
      const body = unpack === undefined ? answer : pipeline(answer, unpack(), () => undefined);
      const type = answer.headers['content-type'];
      resolve(
        new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { headers: type === undefined ? {} : { 'content-type': type } }),
      );
    });
    call.on('error', reject);
  });
}
