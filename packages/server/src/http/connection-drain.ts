import type { Socket } from 'node:net';
import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { FastifyInstance } from 'fastify';

/** How long running calls may take to end once the process stops. */
const DRAIN_MS = 10_000;

/**
 * Lets the server close without waiting for connections that carry no call: kept-alive ones, and those a browser
 * opened in advance and never used (Node waits for the latter). Calls under way may end, up to a limit.
 */
export function drainConnections(server: FastifyInstance, timers: Timers): void {
  const calls = new Map<Socket, number>();
  let closing = false;
  let deadline: Cancel | undefined;

  server.server.on('connection', (socket: Socket) => {
    calls.set(socket, 0);
    socket.once('close', () => calls.delete(socket));
  });
  server.server.on('request', (request, response) => {
    const { socket } = request;
    calls.set(socket, (calls.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (calls.get(socket) ?? 1) - 1;
      if (calls.has(socket)) calls.set(socket, left);
      // `end` flushes what the answer still has to send.
      if (closing && left === 0) socket.end();
    });
  });
  server.addHook('preClose', async () => {
    closing = true;
    for (const [socket, running] of calls) if (running === 0) socket.destroy();
    deadline = timers.after(DRAIN_MS, () => server.server.closeAllConnections(), { ref: true });
  });
  server.addHook('onClose', async () => deadline?.());
}
