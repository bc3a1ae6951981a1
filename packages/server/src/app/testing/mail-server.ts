import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type MailServer = {
  readonly url: string;
  /** Every message taken, as sent. */
  readonly messages: string[];
  /** Refuses the next messages for now, or for ever with a status of 5xx: the receiver, or what was written. */
  refuse(times: number, status?: number, of?: 'receiver' | 'text'): void;
  close(): Promise<void>;
};

/** A mail server on loopback that takes every message, or refuses some. */
export async function startMailServer(): Promise<MailServer> {
  const messages: string[] = [];
  let refusals: { left: number; status: number; of: 'receiver' | 'text' } = { left: 0, status: 451, of: 'text' };
  const refusal = (of: 'receiver' | 'text'): Error | undefined => {
    if (refusals.left === 0 || refusals.of !== of) return undefined;
    refusals.left -= 1;
    return Object.assign(new Error('not now'), { responseCode: refusals.status });
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) => done(refusal('receiver')),
    onData: (stream, _session, done) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
      stream.on('end', () => {
        const refused = refusal('text');
        if (refused) return done(refused);
        messages.push(text);
        done();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    messages,
    refuse: (left, status = 451, of = status >= 500 ? 'receiver' : 'text') => {
      refusals = { left, status, of };
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
