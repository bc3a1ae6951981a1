import { liveSocket } from './live-socket.ts';
import { type ExecutionReport, executionReport } from './payloads.ts';
import { type Signer, signedSocketParameters } from './signing.ts';

export type UserStream = { close(): Promise<void>; readonly ready: boolean };

/**
 * Account events by the WebSocket API (`userDataStream.subscribe.signature`; the older listen keys are gone since
 * 2026-02-20). After every reconnect `onReady` says how long nothing was heard, so that the owner can ask what it missed.
 */
export function userStream(options: {
  origin: string;
  signer: Signer;
  /** The exchange's clock, ms. */
  time: () => number;
  now: () => number;
  random: () => number;
  onExecution: (report: ExecutionReport) => void;
  onBalances: () => void;
  onReady: (gapMs: number) => void;
  onRefused: (code: number | undefined, message: string) => void;
  onDown?: (reason: string) => void;
}): UserStream {
  let ready = false;
  let requests = 1;
  let pending = 0;
  let gap = 0;
  const socket = liveSocket({
    url: () => `${options.origin}/ws-api/v3`,
    now: options.now,
    random: options.random,
    onOpen: (send, gapMs) => {
      ready = false;
      gap = gapMs;
      pending = requests++;
      send({
        id: pending,
        method: 'userDataStream.subscribe.signature',
        params: signedSocketParameters(options.signer, { timestamp: options.time() }),
      });
    },
    onMessage: (message) => {
      const { id, status, error, event } = message as {
        id?: number;
        status?: number;
        error?: { code?: number; msg?: string };
        event?: { e?: string };
      };
      if (id === pending && status !== undefined) {
        if (status === 200) {
          ready = true;
          options.onReady(gap);
        } else options.onRefused(error?.code, error?.msg ?? `status ${status}`);
        return;
      }
      if (event?.e === 'executionReport') {
        const report = executionReport.safeParse(event);
        if (report.success) options.onExecution(report.data);
      } else if (event?.e === 'outboundAccountPosition' || event?.e === 'balanceUpdate') options.onBalances();
    },
    onDown: (reason) => {
      ready = false;
      options.onDown?.(reason);
    },
  });
  return {
    close: () => socket.close(),
    get ready() {
      return ready && socket.state === 'open';
    },
  };
}
