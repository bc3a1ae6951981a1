import type { AnyEventObject, SnapshotFrom } from 'xstate';
import type { ImportAnswer } from '../src/trade-import/trade-import-contract.ts';
import { type ImportMapping, type TradeImportContext, tradeImportMachine } from '../src/trade-import/trade-import-machine.ts';
import { type MachinePath, transitionPaths } from './machine-paths.ts';

const TRADES = [
  '2025-01-01 10:00:00,BTCUSDT,BUY,90000,0.5BTC,45000USDT,45USDT',
  '2025-01-02 10:00:00,BTCUSDT,SELL,95000,0.5BTC,47500USDT,47USDT',
];
const KNOWN_HEADER = 'Date(UTC),Pair,Side,Price,Executed,Amount,Fee';
/** Each is one position that was sold. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'plain.csv': [KNOWN_HEADER, ...TRADES],
  'zone.csv': [KNOWN_HEADER.replace('Date(UTC)', 'Time'), ...TRADES],
  'mapping.csv': [
    'When (UTC),Market name,Way,Each,How many,Sum,Cost',
    '2025-01-01 10:00:00,BTCUSDT,BUY,90000,0.5,45000,45',
    '2025-01-02 10:00:00,BTCUSDT,SELL,95000,0.5,47500,47',
  ],
  'odd.csv': [
    'User_ID,UTC_Time,Account,Operation,Coin,Change,Remark',
    '1,2025-01-01 10:00:00,Spot,Night Market Gift,USDT,5,',
    '1,2025-01-02 10:00:00,Spot,Night Market Gift,BTC,0.001,',
  ],
  'partly.csv': [KNOWN_HEADER, ...TRADES, 'yesterday,BTCUSDT,BUY,1,1BTC,1USDT,0USDT'],
};
export const importFileText = (name: string): string => `${FILES[name]?.join('\n')}\n`;

export const IMPORT_MAPPING: ImportMapping = {
  'When (UTC)': 'time',
  'Market name': 'pair',
  Way: 'side',
  Each: 'price',
  'How many': 'quantity',
  Sum: 'total',
  Cost: 'fee',
};

/** What the server answers to a file, as far as the machine looks at it. */
function answerTo({ file, zone, mapping, operations }: TradeImportContext): Partial<ImportAnswer> {
  const needs = {
    'plain.csv': null,
    'zone.csv': zone === undefined ? ('zone' as const) : null,
    'mapping.csv': mapping === undefined ? ('mapping' as const) : null,
    'odd.csv': operations === undefined ? ('operations' as const) : null,
    'partly.csv': 'acceptPartial' as const,
  }[file?.name ?? ''];
  const imported = needs === 'zone' || needs === 'mapping' || needs === 'operations' ? 0 : 2;
  return {
    needs: needs ?? null,
    counts: { rows: 2, imported, duplicate: 0, crossDuplicate: 0, skipped: 0, question: needs === 'operations' ? 2 : 0, error: 0 },
    committed: false,
  };
}
const afterCommit = ({ answer }: TradeImportContext): Partial<ImportAnswer> => ({
  ...answer,
  needs: null,
  committed: true,
  batchId: 'batch',
});

type ImportSnapshot = SnapshotFrom<typeof tradeImportMachine>;

/**
 * The paths of an import, with the files and answers of a real server: walked by the server's, the browser's and the
 * terminal's end-to-end tests alike. An error of `commit` is an answer that was lost: the rows are stored.
 */
export const pathsOfAnImport: readonly MachinePath[] = transitionPaths(tradeImportMachine, {
  input: { newId: () => 'upload' },
  identity: ({ file, zone, mapping, operations, problem }: TradeImportContext) => [
    file?.name,
    zone,
    mapping && 'mapped',
    operations && 'said',
    problem && 'refused',
  ],
  cases: {
    'file.chosen': ({ value }: ImportSnapshot) =>
      (value === 'idle' ? Object.keys(FILES) : ['plain.csv']).map((name) => ({ file: { name, size: 200 } })),
    'zone.given': ({ value }: ImportSnapshot) => (value === 'zone' ? [{ zone: 'UTC+3' }] : []),
    'mapping.given': [{ mapping: IMPORT_MAPPING }],
    'operations.given': ({ value }: ImportSnapshot) => (value === 'operations' ? [{ operations: { 'Night Market Gift': 'reward' } }] : []),
    'operations.passed': () => [],
    // What was said of operations is kept once a file is stored, and the next path would not be asked.
    'commit.asked': ({ context }: ImportSnapshot) =>
      context.operations === undefined ? [{ acceptPartial: context.file?.name === 'partly.csv' }] : [],
    'progress.told': () => [],
    'xstate.done.actor.read': ({ context }: ImportSnapshot) => [{ output: answerTo(context) }],
    'xstate.error.actor.read': [{ error: { code: 'offline' } }],
    'xstate.done.actor.commit': ({ context }: ImportSnapshot) => [{ output: afterCommit(context) }],
    'xstate.error.actor.commit': [{ error: { code: 'offline' } }],
    'xstate.done.actor.undo': [{ output: undefined }],
    'xstate.error.actor.undo': [{ error: { code: 'offline' } }],
  },
});

/** The fewest of them in which every event happens in every state that takes it, whatever the file. */
export const pathsOfEachImportStep: readonly MachinePath[] = [...pathsOfAnImport]
  .sort((a, b) => b.steps.length - a.steps.length)
  .reduce<{ seen: Set<string>; paths: MachinePath[] }>(
    ({ seen, paths }, path) => {
      const steps = path.steps.map(({ event, state }) => `${(event as AnyEventObject).type} ${JSON.stringify(state.value)}`);
      return steps.every((step) => seen.has(step)) ? { seen, paths } : { seen: new Set([...seen, ...steps]), paths: [...paths, path] };
    },
    { seen: new Set(), paths: [] },
  ).paths;
