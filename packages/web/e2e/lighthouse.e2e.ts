import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import lighthouse, { desktopConfig } from 'lighthouse';
import { type BrowserContext, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER_FLAGS, CHROMIUM, openStage, type Stage } from './stage.ts';

// Accessibility, best practices and SEO as Lighthouse counts them. Its performance score follows the load of the
// machine: bytes and the first paint are measured by benchmarks instead.

const CATEGORIES = ['accessibility', 'best-practices', 'seo'];
/** The stream keeps the network busy; nothing is missing after this. */
const MOST_MS = 8_000;
/** What differs between the two is layout, which axe walks at both widths: `PILOTFISH_LIGHTHOUSE=all` measures both. */
const FORM_FACTORS = process.env.PILOTFISH_LIGHTHOUSE === 'all' ? (['mobile', 'desktop'] as const) : (['mobile'] as const);

describe.runIf(CHROMIUM)('Lighthouse', () => {
  let stage: Stage;
  let user: SignedInUser;
  let profile: string;
  let context: BrowserContext;
  let port: number;
  beforeAll(async () => {
    stage = await openStage();
    user = await stage.server.register();
    profile = mkdtempSync(join(tmpdir(), 'pilotfish-lighthouse-'));
    context = await chromium.launchPersistentContext(profile, {
      executablePath: CHROMIUM ?? '',
      args: [...BROWSER_FLAGS, '--remote-debugging-port=0'],
    });
    port = Number(readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')[0]);
  });
  afterAll(async () => {
    await context?.close();
    await stage?.close();
    rmSync(profile, { recursive: true, force: true });
  });

  /** What falls short of 100, by category: the audits that failed. */
  const shortcomings = async (path: string, formFactor: 'mobile' | 'desktop'): Promise<Record<string, unknown>> => {
    const result = await lighthouse(
      `${stage.server.url}${path}`,
      { port, onlyCategories: CATEGORIES, output: 'json', logLevel: 'error', disableStorageReset: true, maxWaitForLoad: MOST_MS },
      formFactor === 'desktop' ? desktopConfig : undefined,
    );
    const { categories, audits, runtimeError } = result?.lhr ?? {};
    if (runtimeError) throw new Error(`${runtimeError.code}: ${runtimeError.message}`);
    expect(Object.keys(categories ?? {}).sort()).toEqual([...CATEGORIES].sort());
    return Object.fromEntries(
      Object.entries(categories ?? {})
        .filter(([, { score }]) => score !== 1)
        .map(([name, { score, auditRefs }]) => [
          name,
          {
            score,
            failed: auditRefs
              .filter(({ id, weight }) => weight > 0 && (audits?.[id]?.score ?? 1) < 1)
              .map(({ id }) => [id, JSON.stringify(audits?.[id]?.details ?? '').slice(0, 1500)]),
          },
        ]),
    );
  };
  const signIn = async (signedIn: boolean) => {
    const page = await context.newPage();
    await page.goto(`${stage.server.url}/auth/login`);
    const session = signedIn ? JSON.stringify(await stage.server.signIn(user)) : '';
    await page.evaluate((stored) => (stored === '' ? localStorage.clear() : localStorage.setItem('user_jwt', stored)), session);
    await page.close();
  };

  test.each(FORM_FACTORS)('landing and prices are at 100 for a guest (%s)', async (formFactor) => {
    await signIn(false);
    for (const path of ['/', '/prices']) expect([path, await shortcomings(path, formFactor)]).toEqual([path, {}]);
  });
  test.each(FORM_FACTORS)('auto trades are at 100, signed in (%s)', async (formFactor) => {
    await signIn(true);
    expect(await shortcomings('/auto-trade', formFactor)).toEqual({});
  });
});
