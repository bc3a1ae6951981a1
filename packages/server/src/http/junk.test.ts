import { contract } from '@pilotfish/core/http/contract';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import { BACKEND_PREFIX } from '@pilotfish/core/http/endpoint-path';
import { problemSchema } from '@pilotfish/core/http/problem-document';
import { runs } from '@pilotfish/core/testing/tiers';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../app/testing/test-server.ts';

let server: TestServer;
let admin: SignedInUser;
beforeAll(async () => {
  server = await startTestServer({ features: accountFeatures });
  admin = await server.register();
});
afterAll(() => server.close());

const endpoints = (Object.entries(contract) as [string, AnyEndpoint][]).filter(([id]) => id !== 'logout');
const segment = fc.oneof(
  fc.constant('018f0000-0000-7000-8000-000000000000'),
  fc.constant("' or 1=1 --"),
  fc.string({ minLength: 1, maxLength: 40 }),
);
/** Near misses find more than noise: the right names with wrong values. */
const body = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(
    fc.constantFrom(
      'username',
      'email',
      'password',
      'otpCode',
      'confirmationCode',
      'code',
      'roles',
      'key',
      'values',
      'phone',
      'newPassword',
      '__proto__',
      'constructor',
    ),
    fc.jsonValue(),
  ),
);

test('whatever is sent to whichever endpoint, the answer is a problem document and never a 500', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...endpoints),
      segment,
      body,
      fc.string({ maxLength: 60 }),
      async ([id, endpoint], part, content, query) => {
        // The writes are limited per minute; the clock moves on.
        server.advance(1000);
        const path = `${BACKEND_PREFIX[endpoint.backend]}${endpoint.path.replace(/\{\w+\}/g, encodeURIComponent(part).replaceAll('.', '%2E') || 'x')}`;
        const session = await server.call<{ accessToken: string; refreshToken: string }>('/gateway/v1/account/refresh-token', {
          method: 'POST',
          token: admin.session.refreshToken,
        });
        if (session.status === 200) admin.session = { ...admin.session, ...session.body };
        const answer = await admin.call(`${path}?page=${encodeURIComponent(query)}&search=${encodeURIComponent(query)}`, {
          method: endpoint.method,
          ...(endpoint.method === 'GET' ? {} : { body: content }),
        });
        expect([id, answer.status === 501 || answer.status < 500, answer.status]).toEqual([id, true, answer.status]);
        if (answer.status >= 400) expect(problemSchema.safeParse(answer.body).success).toBe(true);
      },
    ),
    { numRuns: runs(300) },
  );
});
