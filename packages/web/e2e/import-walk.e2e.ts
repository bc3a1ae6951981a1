import { type MachinePath, title } from '@pilotfish/core/testing/machine-paths';
import { firstOf } from '@pilotfish/core/testing/tiers';
import { IMPORT_MAPPING, importFileText, pathsOfEachImportStep } from '@pilotfish/core/testing/trade-import-paths';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { CHROMIUM, DESKTOP, type Stage, settled, sharedStage } from './stage.ts';

// The paths of an import that reach every step of it, clicked in Chromium against the real server (all of them are walked
// by the server's own test). A call goes out when the path says how it ends:
// its answer comes, or is lost.

const SCREENS: Record<string, string> = {
  idle: 'Drop an export file here',
  reading: 'Reading rows',
  zone: 'Which time zone does this file use?',
  mapping: 'What do the columns contain?',
  operations: 'What are these rows?',
  preview: 'Import 2 rows',
  committing: 'Storing',
  notCommitted: 'No answer from the server',
  failed: 'The file was not read',
  done: 'rows imported',
  undoing: 'Taking back',
};

/** What a column holds, as the form names it. */
const LABELS: Record<string, string> = {
  time: 'Time *',
  pair: 'Pair *',
  side: 'Side *',
  price: 'Price *',
  quantity: 'Quantity *',
  total: 'Total *',
  fee: 'Fee',
};

describe.runIf(CHROMIUM)('the paths of an import in the browser', () => {
  const BINANCE = '/bff/v2/import-trades/Binance';
  let stage: Stage;
  let user: SignedInUser;
  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
  });
  afterAll(() => stage?.close());

  test.each(firstOf(2, pathsOfEachImportStep).map((path): [string, MachinePath] => [title(path), path]))('%s', async (_, path) => {
    const context: BrowserContext = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    const page: Page = await context.newPage();
    const main = page.getByRole('main');
    let call: Promise<Route>;
    let arrive: (route: Route) => void;
    const expectCall = () => {
      call = new Promise((arrived) => {
        arrive = arrived;
      });
    };
    expectCall();
    await page.route(/\/bff\/v2\/import-trades\/Binance[/?]/, (route) => arrive(route));
    const answered = async () => {
      const route = await call;
      expectCall();
      await route.continue();
    };
    const lost = async () => {
      const route = await call;
      expectCall();
      await route.abort();
    };
    const press = (name: string) => main.getByRole('button', { name, exact: true }).first().click();
    const events: Record<string, (step: { event: object }) => Promise<void>> = {
      'file.chosen': async ({ event }) => {
        const { name } = (event as { file: { name: string } }).file;
        // After another file it is the first step of leaving that one.
        if (await main.getByRole('button', { name: 'Another file', exact: true }).isVisible()) await press('Another file');
        await main.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(importFileText(name)) });
      },
      'zone.given': async () => {
        await main.getByRole('combobox', { name: 'Time zone' }).selectOption('UTC+3');
        await press('Continue');
      },
      'mapping.given': async () => {
        for (const [column, field] of Object.entries(IMPORT_MAPPING))
          await main.getByRole('combobox', { name: LABELS[field] ?? field, exact: true }).selectOption(column);
        await press('Continue');
      },
      'operations.given': async () => {
        await main.getByRole('combobox', { name: 'Night Market Gift' }).selectOption('reward');
        await press('Continue');
      },
      'commit.asked': async ({ event }) => {
        if ((event as { acceptPartial: boolean }).acceptPartial) await main.getByRole('switch').check();
        await press('Import 2 rows');
      },
      'retry.asked': () => press('Try again'),
      'undo.asked': () => press('Take back'),
      'import.left': async () => {
        const cancel = main.getByRole('button', { name: 'Cancel', exact: true });
        await ((await cancel.isVisible()) ? cancel.click() : press('Another file'));
      },
      'xstate.done.actor.read': answered,
      'xstate.error.actor.read': lost,
      'xstate.done.actor.commit': answered,
      // The rows are stored; only the answer is lost.
      'xstate.error.actor.commit': async () => {
        const route = await call;
        expectCall();
        await route.fetch();
        await route.abort();
      },
      'xstate.done.actor.undo': answered,
      'xstate.error.actor.undo': lost,
    };
    try {
      await page.goto('/positions/import');
      await settled(page);
      await path.test({
        events,
        states: {
          '*': ({ value }) =>
            main
              .getByText(SCREENS[value as string] ?? '')
              .first()
              .waitFor(),
        },
      });
    } finally {
      await context.close();
      for (const { id } of (await user.call<{ id: string }[]>(BINANCE)).body) await user.call(`${BINANCE}/${id}`, { method: 'DELETE' });
    }
  });
});
