import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APP_SETTINGS, SETTING_KEYS } from '@pilotfish/core/admin/app-settings';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { describeSettings, readSettings, SettingsError } from './settings.ts';

test('an empty environment gives the documented defaults', () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    port: 4600,
    exchange: undefined,
    role: 'all',
    marketSpeed: 1,
    newsFeeds: [],
    trustProxy: 0,
  });
  expect(settings.dataDir).toMatch(/\/data$/);
  expect(settings.databaseUrl).toBeUndefined();
});

test('an empty variable counts as absent', () => {
  expect(readSettings({ PILOTFISH_PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 4600, databaseUrl: undefined });
});

test.each([
  ['PILOTFISH_PORT', '70000', 'a port number from 0 to 65535'],
  ['PILOTFISH_PORT', '-1', 'a port number'],
  ['PILOTFISH_PORT', '80a', 'a port number'],
  [
    'PILOTFISH_EXCHANGE',
    'kraken',
    'one of simulated, binance, binance-demo, binance-testnet; where absent, an Admin chooses while it runs',
  ],
  ['PILOTFISH_EXCHANGE_WS_API_URL', 'https://a.example', 'a ws or wss URL'],
  ['PILOTFISH_EXCHANGE_STREAM_URL', 'stream.example', 'a ws or wss URL'],
  ['PILOTFISH_MARKET_SPEED', '0', 'a number above 0'],
  ['PILOTFISH_NEWS_FEEDS', 'https://a.example/rss,ftp://b', 'http or https URLs'],
  ['PILOTFISH_CORS_ORIGINS', 'https://a.example/path', 'origins like'],
  ['PILOTFISH_CORS_ORIGINS', 'app.example', 'origins like'],
  ['PILOTFISH_CORS_ORIGINS', 'https://a.example,https://x:99999', 'origins like'],
  ['DATABASE_URL', 'mysql://x', 'postgres://'],
  ['PILOTFISH_ROLE', 'api', 'one server does everything'],
  ['PILOTFISH_ROLE', 'worker', 'until several servers can share the work'],
])('%s=%s stops the start with a sentence that says what is accepted', (name, value, accepted) => {
  const read = () => readSettings({ [name]: value });
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(name);
  expect(read).toThrow(accepted);
});

test.each([
  ['https://pilotfish.example', 'https://pilotfish.example'],
  ['https://pilotfish.example/', 'https://pilotfish.example'],
  ['https://home.example/pilotfish', 'https://home.example/pilotfish'],
  ['https://home.example:8443/apps/my.pilot-fish_1~/', 'https://home.example:8443/apps/my.pilot-fish_1~'],
  ['HTTPS://Home.example/Pilotfish', 'https://home.example/Pilotfish'],
])('the public URL %s is %s', (given, publicUrl) => {
  expect(readSettings({ PILOTFISH_PUBLIC_URL: given }).publicUrl).toBe(publicUrl);
});

test.each([
  'https://home.example/pilotfish?a=1',
  'https://home.example/pilotfish?',
  'https://home.example/pilotfish#prices',
  'https://user:canary@home.example/pilotfish',
  'https://home.example//',
  'https://home.example/a//b',
  'https://home.example/a/../b',
  'https://home.example/./a',
  'https://home.example/a%2fb',
  'https://home.example/pilot fish',
  'https://home.example/"><script>',
  'https://home.example\\pilotfish',
  'https://home.example/bff',
  'https://home.example/assets/pilotfish',
  'ftp://home.example/pilotfish',
  'pilotfish.example',
  'https://x:99999',
  'https://',
])('the public URL %s stops the start', (given) => {
  const read = () => readSettings({ PILOTFISH_PUBLIC_URL: given });
  expect(read).toThrow('nothing after its path');
  expect(read).not.toThrow('canary');
});

test.each([
  ['2', 2],
  ['127.0.0.1', ['127.0.0.1']],
  ['10.0.0.0/8, fd00::/64,::1', ['10.0.0.0/8', 'fd00::/64', '::1']],
  ['128.0.0.0/1,8000::/1,fe80::1%eth0', ['128.0.0.0/1', '8000::/1', 'fe80::1%eth0']],
])('proxies %s are trusted as %j', (given, trustProxy) => {
  const settings = readSettings({ PILOTFISH_TRUST_PROXY: given });
  expect(settings.trustProxy).toEqual(trustProxy);
  expect(describeSettings(settings).find(({ name }) => name === 'PILOTFISH_TRUST_PROXY')?.value).toBe(given.replaceAll(' ', ''));
});

test.each([
  '11',
  '-1',
  'true',
  'proxy.example',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0/8',
  '::1/129',
  '0.0.0.0/0',
  '::/0',
  '127.0.0.1,10.0.0.0/00',
  'fe80::1%br-lan',
  '127.0.0.1,all',
  ',',
])('proxies %s stop the start', (given) => {
  expect(() => readSettings({ PILOTFISH_TRUST_PROXY: given })).toThrow('how many reverse proxies');
});

test('every bad variable is named at once', () => {
  expect(() => readSettings({ PILOTFISH_PORT: 'x', PILOTFISH_ROLE: 'y' })).toThrow(/PILOTFISH_PORT[\s\S]*PILOTFISH_ROLE/);
});

test('a bad secret is described by its shape, never shown', () => {
  const read = () => readSettings({ SMTP_URL: 'ftp://user:canary@host' });
  expect(read).toThrow('SMTP_URL is a ftp URL of 22 characters');
  expect(read).not.toThrow('canary');
});

test('the description masks secrets and passwords inside URLs', () => {
  const described = describeSettings(
    readSettings({
      DATABASE_URL: 'postgres://u:canary@db/x',
      TELEGRAM_BOT_TOKEN: '123456:canary-canary',
      PILOTFISH_NEWS_FEEDS: 'https://u:canary@feeds.example/rss',
      PILOTFISH_PORT: '5000',
    }),
  );
  expect(JSON.stringify(described)).not.toContain('canary');
  expect(described.find((line) => line.name === 'PILOTFISH_PORT')?.value).toBe('5000');
  expect(described.find((line) => line.name === 'DATABASE_URL')?.value).toBe('********');
});

describe('the operator guide', () => {
  const guide = readFileSync(fileURLToPath(new URL('../../../../docs/operator-guide.md', import.meta.url)), 'utf8');
  /** First and second cell of the table rows of one section, for names in backticks. */
  const rowsOf = (section: string) =>
    [...(guide.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)` +\| (.*?) +\|/gm)].map(
      ([, name = '', cell = '']) => [name, cell.replaceAll('`', '')] as const,
    );

  test('lists every environment variable, with the default that counts', () => {
    const settings = describeSettings(readSettings({}));
    const rows = rowsOf('Settings');
    expect(rows.map(([name]) => name).toSorted()).toEqual(settings.map(({ name }) => name).toSorted());
    const told = new Map(rows);
    for (const { name, value } of settings.filter(({ value }) => value !== ''))
      expect({ name, value: name === 'PILOTFISH_DATA_DIR' ? resolve(told.get(name)!) : told.get(name) }).toEqual({ name, value });
  });

  test('lists every app setting, with its default', () => {
    const rows = [...rowsOf('App settings'), ...rowsOf('Limits per account')];
    expect(rows.map(([name]) => name).toSorted()).toEqual([...SETTING_KEYS].toSorted());
    const written: Readonly<Record<string, string>> = { true: 'on', false: 'off' };
    const told = new Map(rows);
    for (const key of SETTING_KEYS) {
      const value = String(APP_SETTINGS[key].default);
      expect({ key, value: told.get(key) }).toEqual({ key, value: written[value] ?? value });
    }
  });
});

test.each([
  ['en', en],
  ['tr', tr],
])('texts name only variables that exist (%s)', (_, texts) => {
  const ofTheTerminal = /^PILOTFISH_(?:URL|TOKEN|ALERT_\w*)$/;
  const known = new Set(describeSettings(readSettings({})).map(({ name }) => name));
  const named = JSON.stringify(texts).match(/\b[A-Z]+_[A-Z_]*(?:URL|TOKEN|DIR|CODE|HOST|HOSTS|TAPE|HOURS)\b|\bPILOTFISH_[A-Z_]+/g) ?? [];
  expect(named).not.toEqual([]);
  expect(named.filter((name) => !known.has(name) && !ofTheTerminal.test(name))).toEqual([]);
});
