import { STREAM_POSITION_HEADER } from '@pilotfish/core/http/endpoint-path';
import { AppError } from '@pilotfish/core/http/problem';
import type { Context } from './context.ts';

/** Deeper than this no page of ours lies. */
const MOST_LOOKS = 4;

/** What to say where something else answers: the address above it that Pilotfish answers at, if there is one. */
export async function wrongAddress(context: Context, fetch: typeof globalThis.fetch, cause: unknown): Promise<AppError> {
  const t = await context.texts();
  const { url } = context.profile;
  const found = await addressAbove(url, fetch);
  const detail = found === undefined ? t('cli.address.unknown', { url }) : t('cli.address.above', { url, found });
  return new AppError('internal', { detail, cause });
}

/** Looks above an address, within its own origin, where the API answers; nothing of the person goes along. */
async function addressAbove(url: string, fetch: typeof globalThis.fetch): Promise<string | undefined> {
  let address = new URL(url);
  for (let looks = 0; looks < MOST_LOOKS && address.pathname !== '/'; looks += 1) {
    address = new URL(address.pathname.replace(/\/[^/]*\/?$/, '') || '/', address);
    const base = address.href.replace(/\/$/, '');
    const answer = await fetch(`${base}/bff/v1/app-config`, { headers: [], signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    if (answer?.ok && answer.headers.get(STREAM_POSITION_HEADER) !== null) return base;
  }
  return undefined;
}
