import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** A way to a PostgreSQL on a Unix socket that can be blocked without either side being told; for tests. */
export type PostgresProxy = {
  /** URL of the same database by this way. */
  readonly url: string;
  /** From now on nothing gets through and nobody is told; new connections are not answered either. */
  block(): void;
  /** New connections get through again; those of before stay as they are, dead without knowing. */
  unblock(): void;
  close(): Promise<void>;
};

export async function postgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const { pathname, searchParams } = new URL(databaseUrl);
  const folder = searchParams.get('host');
  const sockets = new Set<Socket>();
  let blocked = false;
  const server = createServer({ pauseOnConnect: true }, (near) => {
    sockets.add(near);
    near.on('error', () => undefined);
    if (blocked) return;
    const far =
      folder === null ? dial(Number(new URL(databaseUrl).port || 5432), new URL(databaseUrl).hostname) : dial(`${folder}/.s.PGSQL.5432`);
    sockets.add(far);
    far.on('error', () => near.destroy());
    near.resume();
    const pass = (from: Socket, to: Socket) => {
      let dead = false;
      from.on('data', (chunk) => {
        dead ||= blocked;
        if (!dead) to.write(chunk);
      });
      from.on('close', () => {
        sockets.delete(from);
        if (!dead && !blocked) to.destroy();
      });
    };
    pass(near, far);
    pass(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgres://postgres@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    block: () => {
      blocked = true;
    },
    unblock: () => {
      blocked = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
