import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedCall = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

export type ReceivingServer = {
  readonly url: string;
  readonly calls: ReceivedCall[];
  /** The statuses of the next answers; 204 after them. */
  answerWith(...statuses: number[]): void;
  close(): Promise<void>;
};

/** An HTTP server on loopback that keeps what it is sent: a webhook's receiver, or a push service. */
export async function startReceivingServer(): Promise<ReceivingServer> {
  const calls: ReceivedCall[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    calls.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(statuses.shift() ?? 204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answerWith: (...next) => {
      statuses.push(...next);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
