// `npm run structure`: what may import what, and how long a file may be. The rules are those of ARCHITECTURE.md.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asvsProblems } from './asvs.mjs';
import { featureProblems } from './features.mjs';
import { quarantineProblems } from './quarantine.mjs';
import { wallClockProblems } from './wall-clock.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAX_LINES = 450;

/** Packages each package may import, and where in it, when only there. */
const PACKAGES = {
  core: {},
  // What a file of candles may hold is one rule for backtests and the simulator.
  simulator: { core: { of: /^((money|time)\/|prices\/candle-room$)/ } },
  server: { core: {}, simulator: { from: /^(app\/|.*\.test\.ts$)/ } },
  web: { core: {} },
  cli: { core: {}, server: { from: /^(serve|admin|config|simulator|app)\// }, simulator: { from: /^(serve|simulator|backtest)\// } },
};

/** Folders that every feature of the package may use. */
const SHARED = {
  core: ['http', 'money', 'time', 'lists', 'locales', 'indicators', 'notifications', 'fields', 'statechart'],
  simulator: null,
  server: ['app', 'database', 'http', 'secrets', 'audit', 'exchange', 'market', 'stream', 'metrics', 'mail', 'notifications'],
  web: ['platform', 'ui'],
  cli: ['app', 'ui'],
};

/** Features that build on another one's inside, not only on its contract. Everything else goes through contracts or app/. */
const BUILDS_ON = {
  core: {
    'auto-trades': ['wallets', 'prices', 'positions'],
    wallets: ['auto-trades'],
    // The trades of a run are counted by the figures of Performance.
    backtest: ['auto-trades', 'wallets', 'prices', 'performance'],
    candles: ['prices'],
    comparison: ['auto-trades', 'backtest'],
    overview: ['account', 'auto-trades'],
    performance: ['auto-trades', 'overview'],
    'trade-import': ['positions'],
    startup: ['session'],
    auth: ['session'],
  },
  server: {
    'auto-trades': ['exchange-connection', 'wallets', 'auth', 'prices'],
    wallets: ['exchange-connection', 'auth'],
    positions: ['exchange-connection', 'prices'],
    'trade-import': ['positions'],
    candles: ['prices'],
    'price-alerts': ['positions'],
    orders: ['exchange-connection'],
    account: ['auth'],
    admin: ['auth', 'account'],
  },
  web: {
    'auto-trades': ['prices', 'wallets', 'coin-filters', 'positions', 'comparison'],
    comparison: ['prices'],
    markets: ['prices', 'positions', 'auto-trades', 'price-alerts', 'overview'],
    kit: ['markets'],
    overview: ['auto-trades', 'positions', 'prices'],
    wallets: ['prices'],
    'coin-filters': ['prices'],
    // The report is made of the panels of Performance.
    backtest: ['auto-trades', 'performance', 'prices'],
    positions: ['prices'],
    'positions-workspace': ['positions', 'auto-trades', 'overview', 'performance', 'prices', 'wallets'],
    orders: ['prices', 'positions'],
    'trade-import': ['positions'],
    migration: ['positions', 'prices'],
    account: ['auth'],
    'price-alerts': ['prices', 'coin-filters', 'auto-trades', 'notifications'],
  },
  cli: {
    'auto-trades': ['prices', 'screen', 'filters', 'wallets'],
    backtest: ['auto-trades', 'wallets', 'prices'],
    filters: ['screen'],
    dashboard: ['auto-trades', 'positions', 'prices', 'price-alerts'],
  },
};

/**
 * What lies below all features may use nothing above it. What comes next after a step is offered inside of features and is
 * made of several: the one thing of app/ that they may use.
 */
const BELOW = { web: { platform: ['ui'], ui: ['platform'] } };
const OF_APP = { web: /^app\/next-step\// };

/** xstate stays where machines are written, given their calls, composed, tested or drawn. */
const XSTATE =
  /((-machine|-api)\.ts$|^startup\/|^(?:app|platform)\/|\.test\.tsx?$|^testing\/|\/use-[\w-]+\.tsx?$|\.e2e\.ts$|^statechart\/)/;

/** Commands have no screen around them: they drive the machines of sign-in, connections, orders and new bots themselves. */
const DRIVEN = { cli: /^(auth|auto-trades\/create|exchange-connection|orders|telegram-connection)\// };

const problems = [];
const imports = /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

for (const name of Object.keys(PACKAGES)) {
  const source = join(root, 'packages', name, 'src');
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((each) => /\.tsx?$/.test(each))
    .sort((a, b) => a.localeCompare(b))) {
    const path = `packages/${name}/src/${file}`;
    const text = readFileSync(join(source, file), 'utf8');
    const isTest = /\.test\.tsx?$/.test(file) || file.includes('testing/');
    const lines = text.split('\n').length;
    if (lines > MAX_LINES && !isTest) problems.push(`${path}: ${lines} lines, more than ${MAX_LINES}`);
    const feature = file.split('/')[0];
    for (const [, from, dynamic] of text.matchAll(imports)) {
      const target = from ?? dynamic;
      if (name === 'core' && !isTest && target.startsWith('node:')) problems.push(`${path}: core runs in browsers too, so no ${target}`);
      if (/^xstate(\/|$)/.test(target) && !XSTATE.test(file) && !DRIVEN[name]?.test(file))
        problems.push(`${path}: xstate only in machines, app/, hooks and tests`);
      const other = /^@pilotfish\/(\w+)\/(.+)$/.exec(target);
      if (other) {
        const rule = PACKAGES[name][other[1]];
        if (other[1] === name) problems.push(`${path}: import ${target} relatively`);
        else if (!rule) problems.push(`${path}: ${name} may not import ${other[1]}`);
        else if (rule.of && !rule.of.test(other[2]) && !(isTest && other[2].startsWith('testing/')))
          problems.push(`${path}: ${name} may import only ${rule.of} of ${other[1]}`);
        else if (rule.from && !rule.from.test(file) && !isTest)
          problems.push(`${path}: ${other[1]} may be imported only from ${rule.from}`);
        continue;
      }
      if (!target.startsWith('.') || SHARED[name] === null || isTest || feature === 'app') continue;
      const resolved = relative(source, normalize(join(source, dirname(file), target)));
      const toFeature = resolved.split('/')[0];
      if (toFeature === feature || toFeature === '..' || OF_APP[name]?.test(resolved)) continue;
      const below = BELOW[name]?.[feature];
      if (below === undefined ? SHARED[name].includes(toFeature) || SHARED[name].includes(feature) : below.includes(toFeature)) continue;
      if (/-(contract|tables)\.ts$/.test(resolved) || BUILDS_ON[name][feature]?.includes(toFeature)) continue;
      problems.push(`${path}: ${feature} reaches into ${toFeature} (${resolved}); go through its contract or app/`);
    }
  }
}

// Documents that say where a thing is built and what proves it must say so of files that exist.
for (const document of ['requirements.md', 'security.md', 'asvs.md']) {
  const path = join(root, 'docs', document);
  if (!existsSync(path)) continue;
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    const place = `docs/${document}:${index + 1}`;
    const cells = line.startsWith('|') ? line.split('|').slice(1, -1) : [];
    if (cells.some((cell) => cell.trim() === '')) problems.push(`${place}: an empty cell`);
    for (const [, file] of line.matchAll(/`((?:core|server|web|cli|simulator)\/[\w./-]+\.\w+)`/g))
      if (!existsSync(join(root, 'packages', file))) problems.push(`${place}: packages/${file} does not exist`);
  }
}

const quarantine = quarantineProblems(root);
problems.push(...asvsProblems(root), ...wallClockProblems(root), ...featureProblems(root), ...quarantine.problems);
for (const warning of quarantine.warnings) console.error(warning);

if (problems.length > 0) {
  console.error(problems.join('\n'));
  console.error(`${problems.length} problems of structure`);
  process.exitCode = 1;
}
