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

/**
 * A way as a pooler in transaction mode offers it: all who connect share one session, each for the length of a
 * transaction. Knows no passwords.
 */
export async function transactionPooler(databaseUrl: string): Promise<Pick<PostgresProxy, 'url' | 'close'>> {
  const { pathname, searchParams } = new URL(databaseUrl);
  const far = dial(`${searchParams.get('host')}/.s.PGSQL.5432`);
  const sockets = new Set<Socket>([far]);
  let waiting: { near: Socket; message: Buffer }[] = [];
  let serving: Socket | undefined;
  let greeting = Buffer.alloc(0);
  let greeted = false;
  let welcome: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    welcome = resolve;
  });

  function next(): void {
    if (serving || !greeted) return;
    const turn = waiting.shift();
    if (!turn) return;
    serving = turn.near;
    far.write(turn.message);
  }
  /** Whole messages: a letter, four bytes of length, and the rest. */
  const messages = (onMessage: (message: Buffer) => void, headless = false) => {
    let rest = Buffer.alloc(0);
    let bare = headless;
    return (chunk: Buffer): void => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const head = bare ? 0 : 1;
        if (rest.length < head + 4 || rest.length < head + rest.readInt32BE(head)) return;
        const end = head + rest.readInt32BE(head);
        const message = rest.subarray(0, end);
        rest = rest.subarray(end);
        bare = false;
        onMessage(message);
      }
    };
  };
  const isReady = (message: Buffer) => message[0] === 0x5a;
  far.on(
    'data',
    messages((message) => {
      if (!greeted) {
        greeting = Buffer.concat([greeting, message]);
        greeted = isReady(message);
        if (greeted) welcome();
      } else {
        serving?.write(message);
        // Idle: the transaction is over, and the session is whose turn it is.
        if (isReady(message) && message[5] === 0x49) serving = undefined;
      }
      next();
    }),
  );
  const startup = Buffer.from(`user\0postgres\0database\0${pathname.slice(1)}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(startup.length + 8, 0);
  head.writeInt32BE(196_608, 4);
  far.write(Buffer.concat([head, startup]));
  await ready;

  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => undefined);
    let started = false;
    near.on(
      'data',
      messages((message) => {
        if (!started) {
          started = true;
          near.write(greeting);
        } else if (message[0] === 0x58) near.end();
        else if (serving === near) far.write(message);
        else {
          waiting.push({ near, message });
          next();
        }
      }, true),
    );
    near.on('close', () => {
      sockets.delete(near);
      waiting = waiting.filter((turn) => turn.near !== near);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgres://postgres@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
