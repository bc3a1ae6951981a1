// Which end-to-end tests a change of a feature asks for. `npm test` runs those tagged `smoke`, one path of each feature in
// each app; the gate runs more of what a change touches, as far as its time goes; `npm run test:deep` runs them all.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * For each feature its folders in any package's `src`, and the end-to-end files of each package (`*` for any letters),
 * those that tell most about it first.
 */
const FEATURES = {
  bots: {
    folders: ['auto-trades', 'exchange', 'statechart'],
    server: [
      'bot*',
      'trading-permission',
      'stray-fills',
      'refused-entries',
      'exchange-limits',
      'self-trade',
      'faults',
      'downtime',
      'tape-restart',
      'pair-fees',
      'pair-names',
      'halted-pair',
      'forbidden-pairs',
      'price-jump',
      'balance-jump',
      'delisted-pair',
      'unread-pair',
      'races',
    ],
    web: ['bot*', 'cockpit*', 'story', 'trading-permission'],
    cli: ['bot*', 'trading-permission'],
  },
  backtest: { folders: ['backtest', 'candles', 'comparison'], server: ['candles'], web: ['backtest'], cli: ['backtest', 'candles'] },
  wallets: {
    folders: ['wallets', 'currencies', 'mirror'],
    server: ['paper-market', 'markets-apart', 'currencies', 'bot-rules'],
    web: ['paper-proof', 'wallets'],
    cli: ['process-paper', 'everyday'],
  },
  positions: {
    folders: ['positions', 'positions-workspace', 'migration'],
    server: ['positions', 'reconnect'],
    web: ['positions-workspace', 'positions'],
    cli: ['positions'],
  },
  orders: { folders: ['orders'], server: ['orders'], web: ['positions'], cli: ['positions'] },
  prices: {
    folders: ['prices', 'markets', 'coin-filters', 'filters', 'screen', 'indicators', 'market'],
    server: ['sparklines', 'pair-names', 'halted-pair', 'forbidden-pairs', 'price-jump', 'balance-jump', 'delisted-pair', 'unread-pair'],
    web: ['markets', 'prices', 'charts', 'palette'],
    cli: ['prices'],
  },
  'price alerts': { folders: ['price-alerts'], server: ['price-alerts*'], web: ['price-alerts'], cli: ['alerts'] },
  notifications: {
    folders: ['notifications', 'mail', 'telegram', 'telegram-connection', 'stream'],
    server: ['notifications', 'telegram'],
    web: ['notifications'],
    cli: ['alerts', 'telegram-wizard'],
  },
  'trade import': {
    folders: ['trade-import'],
    server: ['import', 'import-walk', 'overviews-anew'],
    web: ['trade-import', 'import-walk'],
    cli: ['import-wizard'],
  },
  account: {
    folders: ['account', 'auth', 'session', 'exchange-connection', 'secrets'],
    server: ['second-factor', 'security', 'exchange-account-once', 'without-wallet', 'set-back', 'rekey'],
    web: ['login', 'account', 'second-factor', 'short-session'],
    cli: ['login', 'account', 'first-account', 'connect-wizard', 'second-factor'],
  },
  admin: {
    folders: ['admin', 'audit', 'metrics'],
    server: ['currencies', 'market-choice'],
    web: ['admin', 'market-choice'],
    cli: ['admin', 'backup', 'market-choice'],
  },
  // Below a path of another site: everything that names an address of its own.
  address: { folders: [], web: ['under-path'], cli: ['under-path'] },
  overview: { folders: ['overview'], server: ['overview'], web: ['first-day'], cli: ['everyday'] },
  performance: { folders: ['performance'], server: ['performance'], web: ['performance'], cli: ['everyday'] },
  'first page': { folders: ['landing', 'startup'], web: ['landing', 'first-page', 'startup'] },
  // The page of the components, for development.
  kit: { folders: ['kit'], web: ['kit'] },
  dashboard: { folders: ['dashboard'], cli: ['dashboard'] },
  terminal: {
    folders: ['completion', 'config', 'serve', 'simulator'],
    cli: ['process-start', 'process-shell', 'prompts', 'in-process', 'process-serve', 'process-session', 'process-terminal'],
  },
  simulator: {
    folders: ['accounts', 'faults', 'matching', 'rest', 'websocket'],
    simulator: ['*'],
    server: ['bot', 'orders', 'stray-fills', 'faults'],
  },
};

/** Every feature stands on these, so no part of the tests belongs to them: the tests tagged `smoke` answer for them. */
const OF_ALL = ['app', 'database', 'fields', 'http', 'lists', 'locales', 'money', 'platform', 'time', 'ui'];

/** They go through the whole product, or take minutes: only `npm run test:deep` runs them, and a change of theirs. */
const DEEP_ONLY = {
  // biome-ignore format: one line for each kind
  server: [
    'authorisation', 'bad-input', 'canary', 'fuzz', 'listed-calls', 'quotas', 'rebinding',
    'candles-kill', 'crash-points', 'frozen-order', 'kill-bot', 'one-server', 'one-server-trading', 'parity', 'process', 'soak', 'storage-full', 'storage-full-disk',
  ],
  web: ['constants', 'failed-calls', 'keyboard*', 'page-quality', 'routes', 'screens', 'small-print'],
  cli: ['process-drills', 'process-redraw', 'process-sweep'],
};

const PACKAGES = ['core', 'simulator', 'server', 'web', 'cli'];
const ENDING = '.e2e.ts';
/** In the text of an end-to-end file: `npm test` runs all of it. */
export const SMOKE_WHOLE = /@module-tag smoke/;
const SMOKE = /@module-tag smoke|tags: \['smoke'\]/;

const endToEndNames = (root, name) =>
  existsSync(join(root, 'packages', name, 'e2e'))
    ? readdirSync(join(root, 'packages', name, 'e2e'))
        .filter((file) => file.endsWith(ENDING))
        .map((file) => file.slice(0, -ENDING.length))
    : [];
const pathOf = (name, file) => `packages/${name}/e2e/${file}${ENDING}`;
const textOf = (root, path) => readFileSync(join(root, path), 'utf8');
const matching = (names, pattern) => {
  const wanted = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
  return names.filter((each) => wanted.test(each));
};

const allEndToEnd = (root) => PACKAGES.flatMap((name) => endToEndNames(root, name).map((file) => pathOf(name, file)));

/** The end-to-end files with tests of `npm test`. */
export const smokeFiles = (root) => allEndToEnd(root).filter((path) => SMOKE.test(textOf(root, path)));

/**
 * The end-to-end files that a change asks for beyond `npm test`, the most telling first. A change of one app asks for the
 * tests of that app; one of core, server or simulator for those of all.
 * @param {string[]} changed paths from the root
 * @returns {{ features: string[], files: string[] }}
 */
export function touchedBy(root, changed) {
  const features = new Set();
  const found = new Set(changed.filter((path) => path.endsWith(ENDING) && existsSync(join(root, path))));
  const places = changed.map((path) => /^packages\/(\w+)\/src\/([\w-]+)\//.exec(path)).filter(Boolean);
  for (const [feature, { folders, ...files }] of Object.entries(FEATURES)) {
    const packages = new Set(places.filter(([, , folder]) => folders.includes(folder)).map(([, name]) => name));
    if (packages.size === 0) continue;
    features.add(feature);
    const isOfAll = ['core', 'server', 'simulator'].some((name) => packages.has(name));
    for (const [name, patterns] of Object.entries(files)) {
      if (!isOfAll && !packages.has(name)) continue;
      for (const pattern of patterns) for (const file of matching(endToEndNames(root, name), pattern)) found.add(pathOf(name, file));
    }
  }
  return { features: [...features], files: [...found].filter((path) => !SMOKE_WHOLE.test(textOf(root, path))) };
}

/** What the table above does not name, and what it names that is not there. Part of `npm run structure`. */
export function featureProblems(root) {
  const place = 'scripts/features.mjs';
  const problems = [];
  const folders = new Set([...Object.values(FEATURES).flatMap((feature) => feature.folders), ...OF_ALL]);
  const named = new Set();
  for (const name of PACKAGES) {
    const source = join(root, 'packages', name, 'src');
    for (const { name: folder } of readdirSync(source, { withFileTypes: true }).filter((each) => each.isDirectory())) {
      named.add(folder);
      if (!folders.has(folder)) problems.push(`packages/${name}/src/${folder}: no feature of ${place} has this folder`);
    }
    const files = endToEndNames(root, name);
    const known = new Set();
    for (const pattern of [...Object.values(FEATURES), DEEP_ONLY].flatMap((each) => each[name] ?? [])) {
      const found = matching(files, pattern);
      if (found.length === 0) problems.push(`${place}: ${pathOf(name, pattern)} does not exist`);
      for (const file of found) known.add(file);
    }
    for (const file of files.filter((each) => !known.has(each)))
      problems.push(`${pathOf(name, file)}: no feature of ${place} has this file, nor is it deep only`);
  }
  for (const folder of [...folders].filter((each) => !named.has(each))) problems.push(`${place}: no package has a folder ${folder}`);
  return problems;
}
