import { createHmac } from 'node:crypto';
import type { AppContext } from '../app/context.ts';
import { AddressRefused } from '../http/outbound-address.ts';
import type { OutboundRequest } from '../http/outbound-request.ts';
import { credentialsApart } from '../http/url-credentials.ts';
import { DeliveryError } from './delivery-error.ts';
import type { Carrier } from './delivery-outbox.ts';
import type { NotificationSettingsStore } from './notification-settings-store.ts';

/** `HMAC-SHA256(secret, "<timestamp>.<body>")` in hex: proves who wrote it and when. @param timestamp epoch seconds */
export const signatureOf = (secret: string, timestamp: number, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`, 'utf8').digest('hex');

/** Status codes after which the same call may work later. A proxy says 404 while what is behind it starts anew. */
const mayWorkLater = (status: number): boolean => status >= 500 || [401, 403, 404, 408, 409, 425, 429].includes(status);
/** There was something at that address, and there never will be again. */
const isGone = (status: number): boolean => status === 410;

/** How a call's own failure is told; addresses and library messages stay inside. */
export function deliveryErrorOf(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  if (error instanceof AddressRefused) return new DeliveryError('address-refused', { permanent: true });
  const name = (error as { name?: unknown }).name;
  return new DeliveryError(name === 'AbortError' || name === 'TimeoutError' ? 'timeout' : 'unreachable', { cause: error });
}

/** Notifications as signed JSON to an address of the account's choice. */
export function webhookChannel(
  { now }: Pick<AppContext, 'now'>,
  { settings, request }: { settings: NotificationSettingsStore; request: OutboundRequest },
): Carrier {
  return async ({ id, accountId, kind, code, facts, at, title, text, link }) => {
    const webhook = await settings.webhook(accountId);
    if (webhook === undefined) throw new DeliveryError('channel-gone');
    const body = JSON.stringify({ id, kind, code, at: new Date(at).toISOString(), title, text, link, facts });
    const timestamp = Math.floor(now() / 1000);
    const { url, headers } = credentialsApart(webhook.url);
    const answer = await request(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'idempotency-key': id,
        'pilotfish-timestamp': timestamp,
        'pilotfish-signature': `v1=${signatureOf(webhook.secret, timestamp, body)}`,
      },
      body,
    }).catch((error: unknown) => {
      throw deliveryErrorOf(error);
    });
    if (answer.status >= 200 && answer.status < 300) return;
    if (isGone(answer.status)) throw new DeliveryError('hook-gone', { channelLost: true });
    const seconds = answer.retryAfterSeconds;
    throw new DeliveryError(`http-${String(answer.status).charAt(0)}xx`, {
      permanent: !mayWorkLater(answer.status),
      retryAfterMs: seconds === undefined ? undefined : seconds * 1000,
    });
  };
}
