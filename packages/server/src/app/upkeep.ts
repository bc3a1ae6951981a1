import { STREAM_HEARTBEAT_MS } from '@pilotfish/core/http/stream-contract';
import type { Logger } from 'pino';
import type { IdempotentCalls } from '../http/idempotent-calls.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { StreamHub } from '../stream/stream-hub.ts';

const OUTBOX_MS = 10_000;
const PURGE_MS = 3_600_000;

/** The small repeated duties that belong to no feature. Answers how to stop them. */
export function startUpkeep(parts: {
  stream: Pick<StreamHub, 'heartbeat'>;
  mailer: Pick<Mailer, 'wake' | 'purge'>;
  idempotency: Pick<IdempotentCalls, 'purge'>;
  log: Logger;
}): () => void {
  const purge = async () => {
    await parts.idempotency.purge().catch((error: unknown) => parts.log.error({ err: error }, 'old answers could not be cleared'));
    await parts.mailer.purge().catch((error: unknown) => parts.log.error({ err: error }, 'old mails could not be cleared'));
  };
  const timers = [
    setInterval(() => parts.stream.heartbeat(), STREAM_HEARTBEAT_MS),
    // Messages left by an earlier run, and those whose first try failed.
    setInterval(() => parts.mailer.wake(), OUTBOX_MS),
    setInterval(() => void purge(), PURGE_MS),
  ];
  for (const timer of timers) timer.unref();
  parts.mailer.wake();
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
