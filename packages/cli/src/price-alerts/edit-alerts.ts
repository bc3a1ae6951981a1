import { listAutoTrades } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { AppError } from '@pilotfish/core/http/problem';
import { formatPrice } from '@pilotfish/core/money/format';
import { ALERT_KINDS, type AlertParameter } from '@pilotfish/core/price-alerts/alert-kinds';
import { startOfTrue } from '@pilotfish/core/price-alerts/already-true';
import type { AlertAction, PriceAlert, PriceAlertInput } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { isOffered } from '@pilotfish/core/prices/currency';
import { listPairs } from '@pilotfish/core/prices/prices-contract';
import { listCoinFilters } from '@pilotfish/core/prices/screener-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure, UsageError } from '../app/failure.ts';
import { findByName } from '../app/find.ts';
import { sayNext } from '../app/next-step.ts';
import { printOne } from '../ui/output.ts';
import { ask, canAsk, confirm } from '../ui/prompt.ts';
import { unchecked } from '../ui/unchecked.ts';
import { alerts, stateReason } from './alert-columns.ts';
import { refusalOf } from './alert-refusal.ts';
import { type AlertsClient, alertsClient, findAlert } from './find-alert.ts';
import { alertPrinter, readAlert } from './read-alert.ts';

type About = { words: string[]; filter?: string; bot?: string; event?: string; file?: string };

const SNOOZE_MINUTES = 60;
const UNITS: Readonly<Record<string, number>> = { m: 1, h: 60, s: 60, d: 1440, g: 1440, w: 10_080 };

const print = async (context: Context, row: PriceAlert): Promise<void> => printOne(context, alerts(await context.texts()), row);

/** Prints a saved alert; where its condition is already true, also that it waits for the next time. */
async function printSaved(context: Context, row: PriceAlert): Promise<void> {
  await print(context, row);
  const price = row.lastPrice ?? undefined;
  if (price !== undefined && startOfTrue(row, price) === 'waits')
    await context.say('alerts.page.alreadyTrue.waits', { price: formatPrice(price, undefined) });
}

/** Settings of an alert from one line, from a filter or bot and an event, or from a YAML or JSON file. */
async function bodyOf(context: Context, { words, filter, bot, event, file }: About): Promise<PriceAlertInput> {
  const ways = [words.length > 0, filter !== undefined, bot !== undefined, file !== undefined].filter(Boolean).length;
  if (ways !== 1) throw new UsageError('alertWays');
  if (file !== undefined) return readFileAs(file);
  if (filter !== undefined) {
    if (event !== 'enter' && event !== 'exit') throw new UsageError('invalidValue', { word: '--event', allowed: 'enter, exit' });
    const client = await context.client({ listCoinFilters });
    const { id } = findByName('filter', await client.listCoinFilters(), filter);
    return { coinFilterId: id, condition: { kind: 'screener', event }, repeat: 'every', cooldownMin: 60 };
  }
  if (bot !== undefined) {
    const client = await context.client({ listAutoTrades });
    const { id } = findByName('bot', await client.listAutoTrades(), bot);
    return { autoTradeId: id, condition: { kind: 'botEvent', event: (event ?? 'any') as 'any' }, repeat: 'every', cooldownMin: 1 };
  }
  const client = await context.client({ listPairs: unchecked(listPairs) });
  const { body, said } = await readAlert(context, words.join(' '), (await client.listPairs()).filter(isOffered));
  await context.say('cli.alerts.understood', { alert: said });
  return body;
}

/** @throws LocalFailure `cannotRead` or `badAlertFile` */
async function readFileAs(path: string): Promise<PriceAlertInput> {
  const [{ readFile }, { parse }] = await Promise.all([import('node:fs/promises'), import('yaml')]);
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new LocalFailure('cannotRead', { path, reason: cause.code ?? '' }, { exit: EXIT.usage, cause });
  });
  try {
    // Levels stay text: 0.10 must not become 0.1 on the way.
    const parsed: unknown = parse(text, { schema: 'failsafe' });
    if (typeof parsed === 'object' && parsed !== null) return typed(parsed) as PriceAlertInput;
  } catch (cause) {
    throw new LocalFailure('badAlertFile', { path }, { exit: EXIT.usage, cause });
  }
  throw new LocalFailure('badAlertFile', { path }, { exit: EXIT.usage });
}

/** Fields that are no text; everything else is taken as it stands in the file. */
const NUMBERS = new Set([
  'cooldownMin',
  'days',
  ...Object.values(ALERT_KINDS).flatMap(({ parameters }) =>
    Object.entries(parameters as Record<string, AlertParameter>).flatMap(([name, { type }]) => (type === 'integer' ? [name] : [])),
  ),
]);
function typed(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => typed(each, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, typed(each, name)]));
  if (value === 'true' || value === 'false') return value === 'true';
  if (value === 'null' || value === '~') return null;
  return NUMBERS.has(key) && /^\d+$/.test(String(value)) ? Number(value) : value;
}

/** The alert as a person at the terminal says it. */
async function askedBody(context: Context): Promise<PriceAlertInput> {
  const client = await context.client({ listPairs: unchecked(listPairs) });
  const [listed, { addAlertWizard }] = await Promise.all([client.listPairs(), import('./add-alert-wizard.tsx')]);
  const pairs = listed.filter(isOffered);
  const read = (line: string) => readAlert(context, line, pairs);
  return ask(context, addAlertWizard({ read, isSure: context.globals.yes }));
}

/** With nothing said, a person at a terminal is asked for the line. */
export async function add(context: Context, about: About): Promise<void> {
  const { words, filter, bot, event, file } = about;
  const isBare = words.length === 0 && [filter, bot, event, file].every((each) => each === undefined);
  const body = isBare && canAsk(context) ? await askedBody(context) : await bodyOf(context, about);
  const client = await alertsClient(context);
  await printSaved(context, await client.createPriceAlert({ body }));
  await sayNext(context, 'alert');
}

/** Replaces an alert; it is armed as if it were new. */
export async function edit(context: Context, { alert, ...about }: About & { alert: string }): Promise<void> {
  const client = await alertsClient(context);
  const { id } = await findAlert(context, client, alert);
  await printSaved(context, await client.updatePriceAlert({ params: { id }, body: await bodyOf(context, about) }));
}

export async function remove(context: Context, { alert }: { alert: string }): Promise<void> {
  const client = await alertsClient(context);
  const found = await findAlert(context, client, alert);
  const name = alertPrinter(await context.texts())(found);
  if (!(await confirm(context, 'cli.alerts.remove', { name }))) throw new Ended(EXIT.failed);
  await client.deletePriceAlert({ params: { id: found.id } });
  await context.say('cli.alerts.removed', { name });
}

/**
 * The alert that is meant, where its machine takes what is asked of it.
 * @throws AppError `not-possible-now` naming it, its state and why; nothing is sent then
 */
async function findFor(context: Context, client: AlertsClient, wanted: string, action: AlertAction): Promise<PriceAlert> {
  const alert = await findAlert(context, client, wanted);
  const refusal = refusalOf(alert, action);
  if (refusal === undefined) return alert;
  const t = await context.texts();
  const state = t(`alerts.state.${alert.state}`) + stateReason(t, alert);
  throw new AppError('not-possible-now', { detail: t(refusal, { alert: alertPrinter(t)(alert), state }) });
}

/** `30m`, `8h`, `2d`; `off` wakes it. */
export async function snooze(context: Context, { alert, time }: { alert: string; time?: string }): Promise<void> {
  const [, count, unit] = /^(\d{1,6})([mhsdgw])$/.exec(time ?? `${SNOOZE_MINUTES}m`) ?? [];
  if (time !== 'off' && count === undefined) throw new UsageError('invalidValue', { word: 'time', allowed: '30m, 8h, 2d, off' });
  const client = await alertsClient(context);
  const { id } = await findFor(context, client, alert, time === 'off' ? 'wake' : 'snooze');
  const body = time === 'off' ? { until: null } : { minutes: Number(count) * (UNITS[unit ?? 'm'] ?? 1) };
  await print(context, await client.snoozePriceAlert({ params: { id }, body }));
}

const changing =
  (action: 'acknowledge' | 'enable' | 'disable') =>
  async (context: Context, { alert }: { alert: string }): Promise<void> => {
    const client = await alertsClient(context);
    const { id } = await findFor(context, client, alert, action);
    await print(context, await client[`${action}PriceAlert`]({ params: { id } }));
  };
export const acknowledge = changing('acknowledge');
export const enable = changing('enable');
export const disable = changing('disable');
