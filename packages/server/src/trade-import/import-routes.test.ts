import { AppError } from '@pilotfish/core/http/problem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { uploadOf } from './import-fixture.ts';
import { importFeature } from './import-routes.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ features: accountFeatures });
});
afterAll(() => server.close());

test('a file is read no further when its sender is gone', async () => {
  const feature = importFeature(server.context, {
    market: { pairs: () => [] },
    store: { batches: { stop: () => undefined } },
  } as never);
  const gone = new AppError('timeout');
  const sent = (signal: AbortSignal) =>
    feature.handlers.importTrades!({
      account: { id: 'somebody' },
      query: { preview: true },
      language: 'en',
      file: async () => uploadOf('a.csv', 'Date(UTC),Pair\n'),
      gone: () => signal,
    } as never);
  await expect(sent(AbortSignal.abort(gone))).rejects.toBe(gone);
  // The place is free again: what comes next is read, and is no export.
  await expect(sent(new AbortController().signal)).resolves.toMatchObject({ committed: false });
  await feature.stop?.();
});
