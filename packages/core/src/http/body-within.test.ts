import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test } from 'vitest';
import { textWithin } from './body-within.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('an answer that stalls ends with its signal, also after the garbage was collected', async () => {
  const given = new AbortController();
  let asked = 0;
  const address = await serve((_, response) => {
    const more = () => {
      asked += 1;
      collectGarbage();
      if (asked === 20) given.abort(new Error('too late'));
      // Without the signal it would end here, and be answered.
      if (asked > 200) response.end();
      else response.write('x', () => setImmediate(more));
    };
    more();
  });
  const read = async () => textWithin(await fetch(address, { redirect: 'error', signal: given.signal }), given.signal);
  await expect(read()).rejects.toThrow('too late');
  expect(asked).toBeLessThan(200);
});

test('an answer without a body, one of several pieces, and a signal that was aborted before', async () => {
  const { signal } = new AbortController();
  expect(await textWithin(new Response(null, { status: 204 }), signal)).toBe('');
  const euro = new TextEncoder().encode('1 €, 2 €');
  const halves = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(euro.subarray(0, 3));
      controller.enqueue(euro.subarray(3));
      controller.close();
    },
  });
  expect(await textWithin(new Response(halves), signal)).toBe('1 €, 2 €');
  await expect(textWithin(new Response('late'), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});
