import { Socket } from 'node:net';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** Hosts outside of this machine that something tried to reach. */
export type Guard = { readonly attempts: string[]; release(): void };

/**
 * Refuses every connection of this process that does not stay on the machine, and remembers it. HTTP, TLS, WebSockets
 * and fetch all connect through `net.Socket`.
 */
export function guardLoopback(): Guard {
  const attempts: string[] = [];
  const original = Reflect.get(Socket.prototype, 'connect') as (this: Socket, ...parameters: unknown[]) => Socket;
  Socket.prototype.connect = function connect(this: Socket, ...parameters: unknown[]): Socket {
    const [first] = Array.isArray(parameters[0]) ? (parameters[0] as unknown[]) : parameters;
    const { host, path } = typeof first === 'object' && first !== null ? (first as { host?: string; path?: string }) : {};
    const target = typeof parameters[1] === 'string' ? parameters[1] : (host ?? 'localhost');
    if (path === undefined && !LOOPBACK.test(target)) {
      attempts.push(target);
      // Nobody listens there: the caller gets the refusal it would get from a machine without a network.
      return original.call(this, { host: '127.0.0.1', port: 1 });
    }
    return original.apply(this, parameters);
  };
  return {
    attempts,
    release: () => {
      Reflect.set(Socket.prototype, 'connect', original);
    },
  };
}
