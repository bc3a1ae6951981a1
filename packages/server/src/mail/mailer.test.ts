import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** As much of SMTP (RFC 5321) as one message needs; refuses the first `failures` messages for now. */
async function smtpServer(failures = 0, refusal = '451 try later'): Promise<{ url: string; messages: string[] }> {
  const messages: string[] = [];
  let left = failures;
  const server: Server = createServer((socket) => {
    let inData = false;
    let text = '';
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      text += chunk.toString();
      for (;;) {
        const end = text.indexOf(inData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const line = text.slice(0, end);
        text = text.slice(end + (inData ? 5 : 2));
        if (inData) {
          inData = false;
          left -= 1;
          if (left < 0) messages.push(line);
          socket.write(left >= 0 ? `${refusal}\r\n` : '250 taken\r\n');
        } else if (/^DATA/i.test(line)) {
          inData = true;
          socket.write('354 go\r\n');
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
        else socket.write('250 ok\r\n');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, messages };
}

const start = async (settings: { smtpUrl?: string; smsWebhookUrl?: string }): Promise<TestServer> => {
  const server = await startTestServer({ features: accountFeatures, settings });
  cleanups.push(() => server.close());
  return server;
};

describe('over SMTP', () => {
  test('a message arrives once, with its link', async () => {
    const smtp = await smtpServer();
    const server = await start({ smtpUrl: smtp.url });
    const user = await server.register();
    await server.context.mailer.settle();
    await server.context.mailer.deliver();
    expect(smtp.messages).toHaveLength(1);
    expect(smtp.messages[0]).toContain(`To: ${user.email}`);
    expect(smtp.messages[0]).toMatch(/Message-ID: <[\da-f-]{36}@pilotfish>/);
  });

  test('what the server refuses for now is sent later, and later each time', async () => {
    const smtp = await smtpServer(2);
    const server = await start({ smtpUrl: smtp.url });
    await server.register();
    await server.context.mailer.settle();
    expect(smtp.messages).toHaveLength(0);
    server.advance(9_999);
    await server.context.mailer.deliver();
    server.advance(1);
    await server.context.mailer.deliver();
    expect(smtp.messages).toHaveLength(0);
    server.advance(59_999);
    await server.context.mailer.deliver();
    expect(smtp.messages).toHaveLength(0);
    server.advance(1);
    await server.context.mailer.deliver();
    expect(smtp.messages).toHaveLength(1);
    expect(server.logged()).toContain('it stays in the outbox');
  });

  test('what always fails is given up after two days, stays with its last error, and leaves the next alone', async () => {
    const smtp = await smtpServer(1000);
    const server = await start({ smtpUrl: smtp.url });
    await server.register();
    await server.context.mailer.settle();
    const row = () => server.context.database.queries.selectFrom('mail_outbox').selectAll().executeTakeFirstOrThrow();
    for (let hour = 0; hour < 47; hour += 1) {
      server.advance(3_600_000);
      await server.context.mailer.deliver();
    }
    expect(await row()).toMatchObject({ failed_at: null, failure: 'EMESSAGE 451' });
    server.advance(3_600_000);
    await server.context.mailer.deliver();
    const { attempts, failed_at, message } = await row();
    expect({ failed_at, attempts }).toEqual({ failed_at: server.now(), attempts: 13 });
    expect(message).not.toBeNull();
    for (let day = 0; day < 31; day += 1) {
      server.advance(86_400_000);
      await server.context.mailer.deliver();
    }
    expect((await row()).attempts).toBe(attempts);
    await server.context.mailer.purge();
    expect(await server.context.database.queries.selectFrom('mail_outbox').select('id').execute()).toEqual([]);
  });

  test.each([
    ['550 no such mailbox', 1],
    ['554 not wanted', 1],
    ['535 who are you', 2],
    ['452 full', 2],
  ])('%s ends after so many tries within an hour: %i or more', async (answer, least) => {
    const smtp = await smtpServer(1000, answer);
    const server = await start({ smtpUrl: smtp.url });
    await server.register();
    await server.context.mailer.settle();
    server.advance(3_600_000);
    await server.context.mailer.deliver();
    const row = await server.context.database.queries.selectFrom('mail_outbox').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ attempts: least, failed_at: least === 1 ? server.now() - 3_600_000 : null });
    expect(row.failure).toContain(answer.slice(0, 3));
  });

  test('messages left by an earlier run are sent at the next start', async () => {
    const smtp = await smtpServer(1);
    const server = await start({ smtpUrl: smtp.url });
    await server.register();
    await server.context.mailer.settle();
    server.advance(60_000);
    await server.restart();
    await server.context.mailer.settle();
    expect(smtp.messages).toHaveLength(1);
  });
});

test('text messages go to the webhook, with a key against repetition', async () => {
  const got: { body: string; key: string | undefined; authorization: string | undefined }[] = [];
  const webhook = createHttpServer(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    got.push({ body, key: request.headers['idempotency-key'] as string | undefined, authorization: request.headers.authorization });
    response.writeHead(got.length === 1 ? 503 : 204).end();
  });
  webhook.listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  cleanups.push(() => new Promise((resolve) => webhook.close(resolve)));
  const server = await start({ smsWebhookUrl: `http://me:canary-webhook@127.0.0.1:${(webhook.address() as AddressInfo).port}/sms` });
  const user = await server.register();
  await user.call('/gateway/v1/account/receive-phone-confirmation', {
    body: { phone: '+905550001122' },
    headers: { 'accept-language': 'tr' },
  });
  await server.context.mailer.settle();
  server.advance(10_000);
  await server.context.mailer.deliver();
  expect(got).toHaveLength(2);
  expect(got[1]).toEqual(got[0]);
  const sent = JSON.parse(got[0]?.body ?? '') as { to: string; text: string };
  expect(sent.to).toBe('+905550001122');
  expect(got[0]?.authorization).toBe(`Basic ${Buffer.from('me:canary-webhook').toString('base64')}`);
  expect(server.logged()).not.toContain('canary');
  expect(sent.text).toMatch(/^Pilotfish kodunuz: \d{6}$/);
});
