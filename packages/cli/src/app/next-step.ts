import { getAccount } from '@pilotfish/core/account/account-contract';
import { listAutoTrades } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { getNotificationSettings } from '@pilotfish/core/notifications/notifications-contract';
import {
  FACTS_OF,
  type FinishedStep,
  type FirstDayFacts,
  type Offer,
  type OfferFocus,
  type OfferId,
  offerAfter,
} from '@pilotfish/core/overview/first-days';
import { getSyncStatus } from '@pilotfish/core/positions/positions-contract';
import { listPriceAlerts } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { listWallets } from '@pilotfish/core/wallets/wallets-contract';
import { formatOf } from '../ui/output.ts';
import type { Context } from './context.ts';

/** As it is typed here; push notifications are of browsers. */
const COMMANDS: Readonly<Record<Exclude<OfferId, 'push'>, string>> = {
  connect: 'pilotfish exchange connect',
  reading: 'pilotfish positions sync --wait',
  holdings: 'pilotfish positions open',
  paperOnly: 'pilotfish bots create',
  liveWallet: 'pilotfish wallets add Live --mode live --balance <amount>',
  bot: 'pilotfish bots create',
  start: 'pilotfish bots enable',
  telegram: 'pilotfish telegram connect',
  email: 'pilotfish account email',
  test: 'pilotfish notifications test telegram',
  alert: 'pilotfish alerts add',
  differences: 'pilotfish migrate ls',
  positions: 'pilotfish positions open',
};

const ENDPOINTS = { getAccount, getSyncStatus, listWallets, listAutoTrades, listPriceAlerts, getNotificationSettings };

/** Only what the step depends on and is not known yet. */
async function factsOf(context: Context, step: FinishedStep, known: FirstDayFacts): Promise<FirstDayFacts> {
  const client = await context.client(ENDPOINTS);
  const calls: { readonly [Fact in keyof FirstDayFacts]?: () => Promise<FirstDayFacts[Fact]> } = {
    account: () => client.getAccount(),
    history: () => client.getSyncStatus(),
    wallets: () => client.listWallets(),
    bots: () => client.listAutoTrades(),
    alerts: async () => (await client.listPriceAlerts()).length,
    channels: async () =>
      (await client.getNotificationSettings()).channels.filter(({ channel, available }) => available || channel !== 'push'),
  };
  const asked = FACTS_OF[step].filter((fact) => known[fact] === undefined);
  const answers = await Promise.all(asked.map(async (fact) => [fact, await calls[fact]?.()] as const));
  return { ...Object.fromEntries(answers), ...known };
}

/** A name is one word to the shell, and nothing in it is obeyed: the line is there to be pasted. */
const word = (name: string): string => (/^\w[\w.-]*$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);

function commandOf({ id, values }: Offer): string | undefined {
  if (id === 'push') return undefined;
  return values?.bot === undefined ? COMMANDS[id] : `${COMMANDS[id]} ${word(values.bot)}`;
}

/**
 * One line below what a command printed: the command that comes next, as long as that is not done. For people alone: nothing
 * where a program reads the output, and nothing where it is not known.
 * @param known what the command knows already
 */
export async function sayNext(
  context: Context,
  step: FinishedStep,
  { known = {}, ...focus }: OfferFocus & { known?: FirstDayFacts } = {},
): Promise<void> {
  if (formatOf(context) !== 'table' || context.stderr.isTTY !== true) return;
  // The command has done its work: that nothing can be said of the next one is no failure of it.
  const facts = await factsOf(context, step, known).catch(() => undefined);
  const offer = facts && offerAfter(step, facts, focus);
  const command = offer && commandOf(offer);
  if (command !== undefined) await context.say('cli.next', { command });
}
