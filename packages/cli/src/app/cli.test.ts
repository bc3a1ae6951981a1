import { describe, expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { WALLET } from '../../testing/wallet-sample.ts';
import { execute } from './cli.ts';
import { argumentKey, type CommandSpec, optionKey } from './command.ts';
import { GLOBAL_OPTIONS, ROOT } from './commands.ts';
import { helpPage } from './help.ts';
import { loadTexts } from './texts.ts';

// The command line itself: what is understood, what is refused and with which code. Servers are a fake fetch.

const walk = (spec: CommandSpec, path: string[] = []): [string[], CommandSpec][] => [
  [path, spec],
  ...(spec.commands ?? []).flatMap((each) => walk(each, [...path, each.name])),
];
const all = walk(ROOT);
const leaves = all.filter(([, { load }]) => load);

describe('the table of commands', () => {
  test('everything that runs can be loaded, has examples, and its examples begin with it', async () => {
    for (const [path, spec] of leaves) {
      expect(await spec.load?.(), path.join(' ')).toBeTypeOf('function');
      expect(spec.examples?.length ?? 0, path.join(' ')).toBeGreaterThan(0);
      for (const example of spec.examples ?? []) expect(example).toContain(`pilotfish ${path.join(' ')}`);
    }
  });
  test.each(['en', 'tr'] as const)('every command, argument and option is explained in %s', async (language) => {
    const t = await loadTexts(language);
    for (const [path, spec] of all) {
      const page = helpPage(t, spec, path, { bold: (text) => text });
      // A missing text shows as its key.
      expect(page, path.join(' ')).not.toMatch(/cli\.(help|options|arguments|words|steps)\./);
      for (const { flags } of [...(spec.options ?? []), ...(spec.commands ? GLOBAL_OPTIONS : [])]) expect(page).toContain(flags);
    }
  });
  test('no option of a command hides a global one', () => {
    const globals = GLOBAL_OPTIONS.map(({ flags }) => optionKey(flags));
    for (const [path, { options = [] }] of all)
      for (const { flags } of options) expect(globals, path.join(' ')).not.toContain(optionKey(flags));
  });
});

test('names of options and arguments as the code reads them', () => {
  expect(['-f, --file <path>', '--secret-stdin', '--max-positions <count>'].map(optionKey)).toEqual([
    'file',
    'secretStdin',
    'maxPositions',
  ]);
  expect(['<bot>', '[symbols...]', '<order-id>'].map(argumentKey)).toEqual(['bot', 'symbols', 'orderId']);
});

test.each([
  [['bots', 'lst'], 2, 'Error: There is no command lst. (unknownCommand)\nDid you mean ls?\n'],
  [['bots', 'ls', '--jsno'], 2, 'Error: --jsno is not an option here. (unknownOption)\nDid you mean --json?\n'],
  [['bots', 'show'], 2, 'Error: bot is missing. (missingArgument)\nSee --help.\n'],
  [['wallets', 'add', 'x', '--mode', 'real'], 2, 'Error: --mode <mode> accepts: paper, live. (invalidValue)\nSee --help.\n'],
  [['bots', 'create'], 2, 'Error: Give --file: it is missing, and there is no terminal to ask for it. (needsFlag)\nSee --help.\n'],
  [
    ['wallets', 'add', 'x', '--balance', '1,5'],
    2,
    'Error: --balance must be a decimal number with a point, not 1,5. (amount)\nSee --help.\n',
  ],
  [['prices', 'ls', '--url', 'ftp://x'], 2, 'Error: ftp://x is not an http or https URL. (url)\nSee --help.\n'],
  [['auth', 'login'], 2, 'Error: Give --username: it is missing, and there is no terminal to ask for it. (needsFlag)\nSee --help.\n'],
  [['completion', 'tcsh'], 2, 'Error: <shell> accepts: bash, zsh, fish. (invalidValue)\nSee --help.\n'],
  [['replay', '/nonexistent/tape'], 2, 'Error: /nonexistent/tape cannot be read (ENOENT). (cannotRead)\n'],
  [['--lang', 'tr', 'bots', 'lst'], 2, 'Hata: lst diye bir komut yok. (unknownCommand)\nls mi demek istediniz?\n'],
] as const)('%j is refused with %i', async (words, exit, said) => {
  const host = fakeHost();
  expect(await execute(words, host)).toBe(exit);
  expect(host.err()).toBe(said);
  expect(host.out()).toBe('');
});

test.each([
  [['bots', 'lst', '--color', 'never'], false],
  [['bots', 'lst', '--color=always'], true],
  [['bots', 'lst'], true],
])('%j on a terminal is refused with colours: %s', async (words, coloured) => {
  const host = fakeHost({ terminal: true });
  expect(await execute(words, host)).toBe(2);
  expect(host.err().includes('\u001b[31m')).toBe(coloured);
});

test('a code that begins with a dash is no option', async () => {
  const seen: string[] = [];
  const fetch = (async (input: string, init: RequestInit) => {
    seen.push(`${new URL(input).pathname} ${JSON.stringify(init.body)}`);
    return new Response('{}', { status: 200 });
  }) as typeof globalThis.fetch;
  for (const code of ['-c5wAunLS3l3dV_ZKOlku9wVnK249hcDKA-f3vVVy24', '--Z8unLS3l3dV_ZKOlku9wVnK249hcDKA-f3vVVy24']) {
    const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' } });
    await execute(['account', 'email', code, '--lang', 'tr'], host);
    expect(host.err()).not.toContain('unknownOption');
    expect(seen.at(-1)).toContain(code);
  }
  const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' } });
  expect(await execute(['account', 'email', '--no-such-option-of-any-length'], host)).toBe(2);
});

test('help is asked for in every way and goes to stdout', async () => {
  for (const words of [['--help'], ['help'], [], ['bots', '--help'], ['bots', 'create', '-h'], ['bots']]) {
    const host = fakeHost();
    expect(await execute(words, host), words.join(' ')).toBe(0);
    expect(host.out()).toContain('Exit codes: 0 done');
    expect(host.err()).toBe('');
  }
});

const answering = (status: number, body: unknown, seen: Request[] = []) =>
  (async (input: string, init: RequestInit) => {
    seen.push(new Request(input, init));
    return new Response(JSON.stringify(body), { status });
  }) as typeof globalThis.fetch;

describe('a command that ends promises nothing about itself', () => {
  const refused = (code: string, status: number) =>
    answering(status, { type: 'about:blank', title: code, status, code, detail: 'We try again shortly.' });
  const away = (async () => {
    throw new TypeError('fetch failed');
  }) as typeof globalThis.fetch;
  test.each([
    ['en', away, 'Error: The server cannot be reached. (offline)\nStart a server: pilotfish serve. Or name another one: --url\n'],
    ['tr', away, 'Hata: Sunucuya ulaşılamıyor. (offline)\nSunucu başlatın: pilotfish serve. Ya da başka bir sunucu verin: --url\n'],
    [
      'en',
      refused('exchange-rate-limited', 503),
      'Error: The exchange allows no more requests right now. Wait a moment, then try again. (exchange-rate-limited)\n',
    ],
  ])('in %s', async (language, fetch, said) => {
    const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' } });
    expect(await execute(['--lang', language, 'wallets', 'ls'], host)).not.toBe(0);
    expect(host.err()).toBe(said);
  });
});

describe('what a list looks like', () => {
  const run = async (words: readonly string[], more: Parameters<typeof fakeHost>[0] = {}) => {
    const list = answering(200, [WALLET]);
    const fetch = ((url: string, init: RequestInit) =>
      url.includes('/unreadable') ? answering(200, { items: [] })(url, init) : list(url, init)) as typeof globalThis.fetch;
    const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' }, ...more });
    expect(await execute(['wallets', 'ls', ...words], host)).toBe(0);
    return host.out();
  };
  test('in a pipe: exact values, tabs, no heading, no colour', async () => {
    expect(await run([])).toBe('Main\tpaper\tUSDT\t4999.5\t0\t0\t-0.5\tReady\t01a1fc3a-46e6-72f7-a393-a88a45a667dc\t0.075\t0.1\t150\n');
  });
  test('on a terminal: a heading and rounded figures', async () => {
    const text = await run(['--fields', 'name,free,realised', '--color', 'never'], { terminal: true });
    expect(text).toBe('Name      Free  Realised\nMain  4,999.50     −0.50\n');
  });
  test('as one document, as lines, as CSV', async () => {
    expect(JSON.parse(await run(['--json']))).toEqual([WALLET]);
    expect(await run(['--jsonl', '--fields', 'name'])).toBe('{"name":"Main"}\n');
    expect(await run(['--csv', '--fields', 'free,reservePct'])).toBe('free,reservePct\r\n4999.5,1\r\n');
  });
  test('an unknown field names the known ones', async () => {
    const host = fakeHost({ fetch: answering(200, [WALLET]), env: { PILOTFISH_TOKEN: 't' } });
    expect(await execute(['wallets', 'ls', '--fields', 'nmae'], host)).toBe(2);
    expect(host.err()).toContain('There is no field nmae. Fields: name, mode,');
  });
  test('the token of the environment is the bearer', async () => {
    const seen: Request[] = [];
    await run([], { fetch: answering(200, [WALLET], seen), env: { PILOTFISH_TOKEN: 'from-env' } });
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer from-env');
  });
});

describe('what a refusal becomes', () => {
  test.each([
    ['forbidden', 403, 5],
    ['not-connected', 409, 6],
    ['not-found', 404, 7],
    ['name-taken', 409, 8],
    ['rate-limited', 429, 1],
  ])('%s ends with %i → exit %i', async (code, status, exit) => {
    const problem = { title: 'T', status, code, detail: `about ${code}` };
    const host = fakeHost({ fetch: answering(status, problem), env: { PILOTFISH_TOKEN: 't' } });
    expect(await execute(['wallets', 'ls', '--json'], host)).toBe(exit);
    expect(JSON.parse(host.err())).toMatchObject({ type: 'about:blank', status, code, detail: `about ${code}` });
    expect(host.out()).toBe('');
  });
  test('broken fields are listed one by one', async () => {
    const problem = {
      title: 'T',
      status: 422,
      code: 'rules-violated',
      detail: 'Correct them.',
      errors: [{ path: 'entry.size', code: 'TOO_LOW', message: 'too low' }],
    };
    const host = fakeHost({ fetch: answering(422, problem), env: { PILOTFISH_TOKEN: 't' } });
    expect(await execute(['wallets', 'ls'], host)).toBe(2);
    expect(host.err()).toBe('Error: Correct them. (rules-violated)\n  entry.size: too low\n');
  });
});
