import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a proxy hands on what lies below its path: as it is, with the Host it was called by, or without the path, as its own call. */
export type ProxyManner = 'kept' | 'stripped';

export type PathProxy = {
  /** Where people find the server: the proxy's address with the path, without a slash at the end. */
  readonly url: string;
  /** Paths that were asked for and lie elsewhere on this site; they answer 404. */
  readonly strays: string[];
  /** Where it hands on to. The server has to know the address of the proxy before it starts. */
  forwardTo(server: string): void;
  close(): Promise<void>;
};

/** A reverse proxy on loopback whose site has other things, too: the server lies below a path of it. */
export async function startPathProxy(path: string, manner: ProxyManner): Promise<PathProxy> {
  const strays: string[] = [];
  let target = '';
  const proxy = createServer((request, response) => {
    const url = request.url ?? '/';
    if (!url.startsWith(`${path}/`)) {
      strays.push(url);
      response.writeHead(404).end('another site');
      return;
    }
    const { host, ...headers } = request.headers;
    const passed = ask(
      target + (manner === 'kept' ? url : url.slice(path.length)),
      {
        method: request.method,
        headers: { ...headers, 'x-forwarded-for': request.socket.remoteAddress ?? '', ...(manner === 'kept' ? { host } : {}) },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${path}`,
    strays,
    forwardTo: (server) => {
      target = server;
    },
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}
