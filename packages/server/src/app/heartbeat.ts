import type { Cancel } from '@pilotfish/core/time/timers';
import { credentialsApart } from '../http/url-credentials.ts';
import type { AppContext } from './context.ts';
import type { Feature } from './feature.ts';

const BEAT_MS = 60_000;
/** Bots cannot trade on a market that was silent for longer. */
const SILENT_MS = 2 * 60_000;
const PATIENCE_MS = 10_000;

/**
 * Calls the operator's uptime service each minute while bots may trade, so that its silence tells of a dead machine.
 * The operator chose the address, so it may lie in the own network; redirects are not followed, and of the answer
 * nothing but its status is used. The address is a secret: no log and no message has it.
 */
export function heartbeat(
  { lease, log, now, settings, storage, timers }: Pick<AppContext, 'lease' | 'log' | 'now' | 'settings' | 'storage' | 'timers'>,
  /** `heardAt`: epoch ms at which the exchange was heard last; 0 for never. */
  { heardAt }: { readonly heardAt: () => number },
): Feature {
  const { heartbeatUrl } = settings;
  let timer: Cancel | undefined;
  let running: Promise<void> | undefined;
  let isFailing = false;

  const mayTrade = (): boolean => lease.held() && !storage.isFull() && now() - heardAt() < SILENT_MS;
  async function call(address: string): Promise<void> {
    try {
      const { url, headers } = credentialsApart(address);
      const answer = await fetch(url, {
        headers: { 'user-agent': 'Pilotfish', ...headers },
        redirect: 'manual',
        signal: timers.deadline(PATIENCE_MS),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw Object.assign(new Error('refused'), { code: `HTTP_${answer.status}` });
      if (isFailing) log.info('heartbeat.back: the heartbeat address answers again');
      isFailing = false;
    } catch (error) {
      // Only codes: what is said of the address may repeat it.
      const { name, code, cause } = error as { name: string; code?: unknown; cause?: { code?: unknown } };
      if (!isFailing) log.warn({ reason: cause?.code ?? code ?? name }, 'heartbeat.failed: the heartbeat address does not answer');
      isFailing = true;
    }
  }
  const beat = (): void => {
    if (heartbeatUrl === undefined || running || !mayTrade()) return;
    running = call(heartbeatUrl).finally(() => {
      running = undefined;
    });
  };

  return {
    handlers: {},
    start: async () => {
      if (heartbeatUrl !== undefined) timer = timers.every(BEAT_MS, beat);
    },
    stop: async () => {
      timer?.();
      await running;
    },
  };
}
