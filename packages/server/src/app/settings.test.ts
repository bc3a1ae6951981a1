import { expect, test } from 'vitest';
import { describeSettings, readSettings, SettingsError } from './settings.ts';

test('an empty environment gives the documented defaults', () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    port: 4600,
    exchange: 'simulated',
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
  ['PILOTFISH_EXCHANGE', 'kraken', 'one of simulated, binance, binance-testnet'],
  ['PILOTFISH_MARKET_SPEED', '0', 'a number above 0'],
  ['PILOTFISH_NEWS_FEEDS', 'https://a.example/rss,ftp://b', 'http or https URLs'],
  ['PILOTFISH_CORS_ORIGINS', 'https://a.example/path', 'origins like'],
  ['DATABASE_URL', 'mysql://x', 'postgres://'],
])('%s=%s stops the start with a sentence that says what is accepted', (name, value, accepted) => {
  const read = () => readSettings({ [name]: value });
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(name);
  expect(read).toThrow(accepted);
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
