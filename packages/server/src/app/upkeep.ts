import { STREAM_HEARTBEAT_MS } from '@pilotfish/core/http/stream-contract';
import type { Timers } from '@pilotfish/core/time/timers';
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
  timers: Timers;
  log: Logger;
}): () => void {
  const { timers } = parts;
  const purge = async () => {
    await parts.idempotency.purge().catch((error: unknown) => parts.log.error({ err: error }, 'old answers could not be cleared'));
    await parts.mailer.purge().catch((error: unknown) => parts.log.error({ err: error }, 'old mails could not be cleared'));
  };
  const cancels = [
    timers.every(STREAM_HEARTBEAT_MS, () => parts.stream.heartbeat()),
    // Messages left by an earlier run, and those whose first try failed.
    timers.every(OUTBOX_MS, () => parts.mailer.wake()),
    timers.every(PURGE_MS, () => void purge()),
  ];
  parts.mailer.wake();
  return () => {
    for (const cancel of cancels) cancel();
  };
}
