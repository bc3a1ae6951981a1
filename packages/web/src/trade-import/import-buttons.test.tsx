// @vitest-environment happy-dom
import { IMPORT_MAPPING, pathsOfAnImport } from '@pilotfish/core/testing/trade-import-paths';
import { walkedSnapshots } from '@pilotfish/core/testing/walked-states';
import type { ImportAnswer } from '@pilotfish/core/trade-import/trade-import-contract';
import { type TradeImportContext, tradeImportMachine } from '@pilotfish/core/trade-import/trade-import-machine';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createActor } from 'xstate';
import { show, testApp } from '../platform/testing/shown-app.tsx';
import { CurrentImport } from './import-page.tsx';

// In every state that an import comes to, the buttons are those that its machine takes.

/** What the screens read beside that which the machine looks at. */
const SHOWN = {
  format: 'trade-history',
  columns: Object.keys(IMPORT_MAPPING),
  zone: null,
  period: null,
  warnings: [],
  rows: [],
  preview: [],
  leftOut: [],
  operations: [],
  batchId: null,
} as unknown as ImportAnswer;
const ASKED = [{ name: 'Night Market Gift', rows: 2, assets: ['USDT', 'BTC'], meaning: null }];
const identity = ({ file, answer, problem }: TradeImportContext) => [file?.name, answer?.needs, problem?.code];
const BUTTONS = {
  'import.left': { name: /^(Another file|Cancel)$/, payloads: [{}] },
  'retry.asked': { name: 'Try again', payloads: [{}] },
  'undo.asked': { name: 'Take back', payloads: [{}] },
  'operations.passed': { name: 'Skip this time', payloads: [{}] },
  // Rows that cannot be read are left out only when that was said: the switch stands at no.
  'commit.asked': { name: /^Import \d+ rows?$/, payloads: [{ acceptPartial: false }] },
} as const;
type Payload = Record<string, unknown>;

test.each(walkedSnapshots(tradeImportMachine, pathsOfAnImport, identity))('an import in %s', async (_, { value, context }) => {
  const answer = context.answer && { ...SHOWN, ...(value === 'operations' && { operations: ASKED }), ...context.answer };
  const snapshot = tradeImportMachine.resolveState({ value, context: { ...context, answer } });
  const actor = createActor(tradeImportMachine, { input: { newId: () => 'upload' }, snapshot });
  await show(testApp(), <CurrentImport actor={actor as never} />);
  for (const [type, { name, payloads }] of Object.entries(BUTTONS)) {
    const pressable = screen.queryAllByRole('button', { name }).filter((button) => !(button as HTMLButtonElement).disabled);
    const isTaken = payloads.some((payload: Payload) => snapshot.can({ type, ...payload } as never));
    expect([type, pressable.length]).toEqual([type, isTaken ? 1 : 0]);
  }
  // The question stands where its answer is waited for.
  expect(screen.queryAllByText('Which time zone does this file use?').length).toBe(value === 'zone' ? 1 : 0);
  expect(screen.queryAllByRole('combobox', { name: 'Night Market Gift' }).length).toBe(value === 'operations' ? 1 : 0);
});
