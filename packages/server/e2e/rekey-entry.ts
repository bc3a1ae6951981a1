// A change of keys in a process of its own, which ends itself with SIGKILL at the moment that PILOTFISH_CRASH_AT names.
import { randomBytes } from 'node:crypto';
import { rekey } from '../src/app/rekey.ts';
import { readSettings } from '../src/app/settings.ts';
import { uuidGenerator } from '../src/database/uuid.ts';

const settings = readSettings(process.env);
const done = await rekey({
  ...settings,
  random: randomBytes,
  now: Date.now,
  newId: uuidGenerator(Date.now, randomBytes),
  dropRecoveryCodes: process.env.PILOTFISH_DROP_CODES === 'yes',
  clean: process.env.PILOTFISH_CLEAN === 'yes',
  at: (point) => {
    if (point === process.env.PILOTFISH_CRASH_AT) process.kill(process.pid, 'SIGKILL');
  },
});
process.stderr.write(`listening ${JSON.stringify(done).replaceAll(' ', '_')}\n`);
