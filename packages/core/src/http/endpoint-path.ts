import type { Backend } from './endpoint.ts';

/** URL prefix of each backend; the paths of the contract follow it. */
export const BACKEND_PREFIX: Record<Backend, string> = { gateway: '/gateway', bff: '/bff' };

/** `/v2/x/{id}` + {id} → `/v2/x/7`, each value percent-encoded. */
export function fillPath(path: string, params: Readonly<Record<string, string | number | undefined>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new RangeError(`fillPath(): ${name} is missing`);
    return encodeURIComponent(String(value));
  });
}

/** Carries what a device without cookies keeps of earlier sign-ins: sent with a sign-in, answered by one that succeeds. */
export const DEVICE_HEADER = 'device-token';

/** On every answer: where the events of the stream were when it was asked for. What happened after that may be missing in it. */
export const STREAM_POSITION_HEADER = 'x-stream-position';
