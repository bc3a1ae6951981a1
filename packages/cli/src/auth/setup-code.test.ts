import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SETUP_CODE_FILE } from '@pilotfish/core/auth/setup-code';
import { afterAll, expect, test } from 'vitest';
import type { Context } from '../app/context.ts';
import { setupCodeBeside } from './setup-code.ts';

const folder = mkdtempSync(join(tmpdir(), 'pilotfish-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['https://home.example/pilotfish', true],
  ['http://localhost:4600', true],
  ['http://127.0.0.1:4600', true],
  ['http://127.0.0.1:4601', false],
  ['https://home.example', false],
  ['https://home.example/another', false],
  ['https://home.example:8443/pilotfish', false],
])('the code left for this server is given to %s: %s', (url, isGiven) => {
  const code = 'ABCDE-FGHJK';
  const left = { code, addresses: ['http://127.0.0.1:4600', 'https://home.example/pilotfish'] };
  writeFileSync(join(folder, SETUP_CODE_FILE), JSON.stringify(left));
  const context = { env: { PILOTFISH_DATA_DIR: folder }, profile: { url } } as unknown as Context;
  expect(setupCodeBeside(context)).toBe(isGiven ? code : undefined);
});
