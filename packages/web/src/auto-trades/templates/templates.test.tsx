// @vitest-environment happy-dom
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { BotTemplate } from '@pilotfish/core/auto-trades/bot-templates-contract';
import { botSettingsOf } from '@pilotfish/core/auto-trades/config/bot-settings';
import { AppError } from '@pilotfish/core/http/problem';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show, signedIn, testApp } from '../../platform/testing/shown-app.tsx';
import AutoTradeCreatePage from '../form/auto-trade-create-page.tsx';
import { BotMenu } from '../list/bot-menu.tsx';
import { StartFrom } from '../list/start-from.tsx';

beforeEach(() =>
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => undefined, removeEventListener: () => undefined })),
);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const settings = botSettingsOf(botConfig({ maxOpenPositions: 7 }));
const basedOn = '1969-12-01T10:00:00.000Z';
const template = (id: string, more: Partial<BotTemplate> = {}): BotTemplate => ({
  id,
  name: `Template ${id}`,
  settings,
  currency: 'USDT',
  createdAt: '1969-12-01T10:00:00.000Z',
  updatedAt: basedOn,
  ...more,
});
const account = { username: 'ada', claims: [], exchanges: [] };
const wallet = { id: '01890000-0000-7000-8000-000000000001', name: 'Main', mode: 'paper', currency: 'USDT', free: '900' };
const app = (calls: object) => signedIn(testApp({ calls: { getAccount: async () => account, ...calls } }));
const dialog = () => within(screen.getByRole('dialog'));

test('own templates stand before the presets; one that cannot be read fills in nothing, and can be deleted', async () => {
  let stored = [template('a'), template('b', { name: 'Torn', settings: null })];
  const deleteBotTemplate = vi.fn(async ({ params }: { params: { id: string } }) => {
    stored = stored.filter(({ id }) => id !== params.id);
  });
  await show(app({ listBotTemplates: async () => stored, deleteBotTemplate }), <StartFrom />);
  await screen.findByText('Template a');
  const entries = within(screen.getByRole('list')).getAllByRole('listitem');
  expect(entries.map((each) => each.querySelector('a')?.getAttribute('href'))).toEqual([
    '/auto-trade/create?template=a',
    undefined,
    '/auto-trade/create?preset=cautious',
    '/auto-trade/create?preset=trend',
    '/auto-trade/create?preset=dipBuyer',
  ]);
  expect(entries[1]?.textContent).toContain('cannot read its settings');
  fireEvent.click(screen.getByRole('button', { name: 'More actions for Torn' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  expect(deleteBotTemplate).not.toHaveBeenCalled();
  fireEvent.click(dialog().getByRole('button', { name: 'Delete' }));
  await vi.waitFor(() => expect(screen.queryByText('Torn')).toBeNull());
  expect(deleteBotTemplate.mock.calls[0]?.[0]).toEqual({ params: { id: 'b' } });
  expect(document.activeElement).toBe(screen.getByRole('list'));
});

test('many are shown after the first few once all are asked for; presets are there also when templates cannot be loaded', async () => {
  const many = Array.from({ length: 9 }, (_, number) => template(String(number)));
  const { unmount } = await show(app({ listBotTemplates: async () => many }), <StartFrom />);
  fireEvent.click(await screen.findByRole('button', { name: 'Show all 9 templates' }));
  expect(screen.getAllByText('Template')).toHaveLength(9);
  unmount();
  await show(
    app({
      listBotTemplates: async () => {
        throw new AppError('internal');
      },
    }),
    <StartFrom />,
  );
  expect(await screen.findByText('Your templates could not be loaded.')).toBeTruthy();
  expect(screen.getByText('Cautious')).toBeTruthy();
});

test('a template is renamed; a name that is taken is said at the field, and the dialog stays', async () => {
  const updateBotTemplate = vi
    .fn()
    .mockRejectedValueOnce(new AppError('name-taken', { detail: 'You already have a template named B.' }))
    .mockResolvedValueOnce(template('a', { name: 'C' }));
  await show(app({ listBotTemplates: async () => [template('a')], updateBotTemplate }), <StartFrom />);
  fireEvent.click(await screen.findByRole('button', { name: 'More actions for Template a' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const field = () => dialog().getByRole('textbox', { name: 'Template name' }) as HTMLInputElement;
  expect(field().value).toBe('Template a');
  fireEvent.change(field(), { target: { value: ' B ' } });
  fireEvent.click(dialog().getByRole('button', { name: 'Rename' }));
  expect(await screen.findByText('You already have a template named B.')).toBeTruthy();
  expect(field().getAttribute('aria-invalid')).toBe('true');
  fireEvent.change(field(), { target: { value: 'C' } });
  fireEvent.click(dialog().getByRole('button', { name: 'Rename' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(updateBotTemplate.mock.calls.map(([input]) => input)).toEqual([
    { params: { id: 'a' }, body: { name: 'B', basedOn } },
    { params: { id: 'a' }, body: { name: 'C', basedOn } },
  ]);
});

test('a bot is saved as a template from its menu; a name that a template has replaces its settings, which is said before', async () => {
  const createBotTemplate = vi.fn(async () => template('n'));
  const updateBotTemplate = vi.fn(async () => template('a'));
  const bot = {
    id: 'dip',
    name: 'Dip',
    mode: 'paper',
    allowed: [],
    withheld: [],
    currency: 'TRY',
    config: botConfig({ maxOpenPositions: 7 }),
  };
  await show(
    app({ listBotTemplates: async () => [template('a')], createBotTemplate, updateBotTemplate }),
    <BotMenu bot={bot as unknown as AutoTrade} />,
  );
  const save = async (name: string, button: string) => {
    fireEvent.click(screen.getByRole('button', { name: 'More actions for Dip' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Save as template: Dip' }));
    const field = dialog().getByRole('textbox', { name: 'Template name' }) as HTMLInputElement;
    expect(field.value).toBe('Dip');
    fireEvent.change(field, { target: { value: name } });
    return dialog().findByRole('button', { name: button });
  };
  fireEvent.click(await save('Mine', 'Save'));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(createBotTemplate.mock.calls.flat()[0]).toEqual({ body: { name: 'Mine', settings, currency: 'TRY' } });
  const replace = await save('TEMPLATE A', 'Replace');
  expect(screen.getByText(/Replacing it changes its settings/)).toBeTruthy();
  fireEvent.click(replace);
  await vi.waitFor(() => expect(updateBotTemplate).toHaveBeenCalledOnce());
  expect(updateBotTemplate.mock.calls.flat()[0]).toEqual({ params: { id: 'a' }, body: { settings, currency: 'TRY', basedOn } });
});

const create = async (at: string, templates: BotTemplate[]) => {
  await show(
    app({
      listWallets: async () => [wallet],
      listAutoTrades: async () => [],
      listCoinFilters: async () => [],
      listBotTemplates: async () => templates,
    }),
    <AutoTradeCreatePage />,
    at,
  );
  return (await screen.findByRole('textbox', { name: 'Max open positions' })) as HTMLInputElement;
};

test('a template of the address fills the form in and leaves name, wallet and coins to the person', async () => {
  const field = await create('/auto-trade/create?template=a&symbol=ETHUSDT', [template('a')]);
  expect(field.value).toBe('7');
  expect((screen.getByRole('textbox', { name: 'Name' }) as HTMLInputElement).value).toBe('');
  expect(screen.getByText('From template Template a')).toBeTruthy();
  expect(screen.getAllByText(/ETHUSDT/).length).toBeGreaterThan(0);
});

test('sums of a template in another currency than that of the wallet are warned of', async () => {
  const fixed = botSettingsOf(botConfig({ entry: { ...botConfig().entry, size: { mode: 'fixed', value: '5000' } } }));
  await create('/auto-trade/create?template=a', [template('a', { settings: fixed, currency: 'TRY' })]);
  expect(screen.getByText(/^Template Template a has amounts in TRY, but the wallet is in USDT\./)).toBeTruthy();
  cleanup();
  await create('/auto-trade/create?template=a', [template('a', { settings: fixed })]);
  expect(screen.queryByText(/^Template .* has amounts in/)).toBeNull();
});

test.each([
  ['that is gone', [template('other')], 'The template no longer exists. The form starts with the default settings.'],
  ['that cannot be read', [template('a', { name: 'Torn', settings: null })], /cannot read the settings of template Torn/],
])('a template %s says so, and the form starts from the defaults', async (_, templates, said) => {
  const field = await create('/auto-trade/create?template=a', templates);
  expect(field.value).toBe('3');
  expect(screen.getByText(said)).toBeTruthy();
});
