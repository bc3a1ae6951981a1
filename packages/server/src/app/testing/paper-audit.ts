import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { directUpstream } from '@pilotfish/simulator/testing/direct-upstream';
import { exchangeFolder } from '../../database/backup-archive.ts';
import { type AuditCounts, auditBots } from './bot-audit.ts';

/** What an account on paper holds at first: its wallet says how much of it is spent. */
const BEGAN = { USDT: '1000000000' };
/** What a server on `binance` keeps its accounts on paper by. */
const STORAGE = 'paper-binance';

type StoredKeys = { keys?: { apiKey: string; verifier: string }[] };

/**
 * The audit of bots on paper: their account is read by another mirror, from a copy of what the server has on disk. So it
 * holds for a server that is at work, and for what would be there after its next start.
 *
 * @param parts.dataDir of the server, with one account on paper
 * @param parts.exchange whose market is mirrored; it lists every pair that was traded
 * @param parts.now the clock of that exchange, epoch ms
 */
export async function auditPaperBots({
  dataDir,
  exchange,
  now,
  ...parts
}: Omit<Parameters<typeof auditBots>[0], 'origin' | 'keys' | 'began'> & {
  dataDir: string;
  exchange: Pick<Simulator, 'origin' | 'wsOrigin'>;
  now: () => number;
}): Promise<AuditCounts> {
  const copy = mkdtempSync(join(tmpdir(), 'pilotfish-audit-'));
  cpSync(exchangeFolder(dataDir), copy, { recursive: true });
  const keys = readFileSync(join(copy, `${STORAGE}.jsonl`), 'utf8')
    .split('\n')
    // The last line may be half written.
    .slice(0, -1)
    .flatMap((line) => (JSON.parse(line) as StoredKeys).keys ?? []);
  const [key] = keys;
  if (key === undefined || keys.some(({ apiKey }) => apiKey !== key.apiKey)) throw new Error('there is not one account on paper');
  const upstream = directUpstream(exchange);
  const limits = { weightPerMinute: 1_000_000 };
  const mirror = await startSimulator({
    market: { kind: 'mirror', upstream },
    storageFolder: copy,
    storageName: STORAGE,
    now,
    limits,
  });
  try {
    return await auditBots({ ...parts, began: BEGAN, origin: mirror.origin, keys: { apiKey: key.apiKey, apiSecret: key.verifier } });
  } finally {
    await mirror.close();
    upstream.close();
    rmSync(copy, { recursive: true, force: true });
  }
}
