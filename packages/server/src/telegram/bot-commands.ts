import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { exposureOf } from '@pilotfish/core/auto-trades/exposure';
import { moneyOf } from '@pilotfish/core/auto-trades/real-money';
import { saleWords } from '@pilotfish/core/auto-trades/sale-outlook';
import { spendWords } from '@pilotfish/core/auto-trades/spend-outlook';
import { AppError, codeOf, shownProblem } from '@pilotfish/core/http/problem';
import { isName } from '@pilotfish/core/money/asset-name';
import { add, type Decimal, decimal, ZERO } from '@pilotfish/core/money/decimal';
import { formatPercent, formatPrice, formatQuantity, formatResult, formatSigned } from '@pilotfish/core/money/format';
import { localTime } from '@pilotfish/core/notifications/notification-facts';
import { allHeldPositions, findBot, pick } from './bot-lookup.ts';
import { type Command, type CommandContext, CommandRefusal, type Deed, type Reply } from './telegram-command.ts';
import { bold, lines, type Markup, markup } from './telegram-markup.ts';

const MAX_PAUSE_MINUTES = 7 * 24 * 60;

/** A frozen bot sends no exit, not even a stop: whoever reads its state has to know. */
const stateOf = ({ text }: CommandContext, { state, exits }: Pick<AutoTrade, 'state' | 'exits'>): string =>
  exits === 'freeze' ? `${text(`botStates.${state}`)} (${text('autoTrades.frozen.badge')})` : text(`botStates.${state}`);

const botLine = (context: CommandContext, bot: AutoTrade, number: number): Markup =>
  markup`${number}. ${bold(bot.name)} · ${stateOf(context, bot)} · ${context.say('open', { count: bot.openPositions })} · ${formatResult(bot.realised, bot.currency)}`;

const status: Command = {
  name: 'status',
  run: async (context) => {
    const { call, say, text } = context;
    const bots = await call('listAutoTrades', {});
    const counts = new Map<string, number>();
    for (const bot of bots) counts.set(stateOf(context, bot), (counts.get(stateOf(context, bot)) ?? 0) + 1);
    const today = new Map<string, Decimal>();
    for (const { currency, realisedToday } of bots) today.set(currency, add(today.get(currency) ?? ZERO, decimal(realisedToday)));
    const trouble = bots.filter(({ state }) => state === 'Blocked' || state === 'Halted' || state === 'Paused');
    return {
      text: lines(
        bold(say('status')),
        bots[0] === undefined ? say('noBots') : text(`exchange.${bots[0].exchange}.name`),
        ...[...counts].map(([state, count]) => `${state}: ${count}`),
        say('openPositions', { count: bots.reduce((sum, { openPositions }) => sum + openPositions, 0) }),
        ...[...today].map(([currency, realised]) => say('realisedToday', { realised: formatSigned(realised, currency), currency })),
        ...trouble.map((bot) => `${bot.name}: ${bot.stateReason === null ? stateOf(context, bot) : text(`botReasons.${bot.stateReason}`)}`),
        context.mutedUntil !== null && context.mutedUntil > context.now
          ? say('mutedUntil', { until: localTime(context.mutedUntil, context) })
          : undefined,
      ),
    };
  },
};

const bots: Command = {
  name: 'bots',
  run: async (context) => {
    const all = await context.call('listAutoTrades', {});
    if (all.length === 0) return { text: lines(context.say('noBots')) };
    return { text: lines(bold(context.say('bots')), ...all.map((bot, index) => botLine(context, bot, index + 1))) };
  },
};

const bot: Command = {
  name: 'bot',
  takes: '<n>',
  run: async (context, args) => {
    const found = await findBot(context, args.join(' '));
    const { say, text } = context;
    const detail = await context.call('getAutoTradeDetail', { params: { id: found.id } });
    const positions = (await allHeldPositions(context)).filter((each) => each.bot.id === found.id);
    const precisions = await precisionsOf(context);
    const waits = detail.evaluations.filter(({ stoppedBy }) => stoppedBy !== null).slice(0, 5);
    return {
      text: lines(
        bold(detail.name),
        `${stateOf(context, detail)}${detail.stateReason === null ? '' : ` (${text(`botReasons.${detail.stateReason}`)})`} · ${text(`exchange.${detail.exchange}.name`)} · ${detail.walletName}`,
        say('realised', {
          realised: formatSigned(detail.realised, detail.currency),
          today: formatSigned(detail.realisedToday, detail.currency),
          currency: detail.currency,
        }),
        ...positions.map(({ position }) => positionLine(context, position, precisions.get(position.symbol))),
        ...waits.map(({ symbol, stoppedBy }) => `${symbol}: ${text(`why.${stoppedBy ?? ''}`)}`),
      ),
    };
  },
};

/** The decimals of each pair's prices. */
const precisionsOf = async ({ call }: CommandContext): Promise<ReadonlyMap<string, number>> =>
  new Map((await call('listPairs', {})).map(({ symbol, pricePrecision }) => [symbol, pricePrecision]));

const positionLine = (
  { text, say }: CommandContext,
  position: Awaited<ReturnType<typeof allHeldPositions>>[number]['position'],
  pricePrecision: number | undefined,
): Markup => {
  const { symbol, state, quantity, averageCost, lines: drawn } = position;
  const floor = drawn.protectedCost ?? drawn.stopLoss;
  const parts = [
    text(`positionStates.${state}`),
    averageCost === null
      ? undefined
      : say('heldAt', { quantity: formatQuantity(quantity), cost: formatPrice(averageCost, pricePrecision) }),
    floor === null ? undefined : say('sellsBelow', { price: formatPrice(floor, pricePrecision) }),
  ];
  return markup`${bold(symbol)} ${parts.filter((part) => part !== undefined).join(' · ')}`;
};

const positions: Command = {
  name: 'positions',
  run: async (context) => {
    const { call, say } = context;
    const held = await allHeldPositions(context);
    const { items } = await call('listOpenPositions', {});
    const precisions = await precisionsOf(context);
    if (held.length === 0 && items.length === 0) return { text: lines(say('noPositions')) };
    return {
      text: lines(
        bold(say('positions')),
        ...held.map(
          ({ bot: owner, position }, index) =>
            markup`${index + 1}. ${positionLine(context, position, precisions.get(position.symbol))} · ${owner.name}`,
        ),
        ...items.slice(0, 30).map(({ symbol, quantity, unrealised, quoteAsset, returnPct }) => {
          const result = unrealised === null ? '' : ` · ${formatResult(unrealised, quoteAsset)}`;
          return markup`${bold(symbol)} ${formatQuantity(quantity)}${result}${returnPct === null ? '' : ` (${formatPercent(returnPct)})`}`;
        }),
      ),
    };
  },
};

/** What its machine does not take is not asked about. */
const notNow = (context: CommandContext, found: AutoTrade): CommandRefusal =>
  new CommandRefusal('notNow', { bot: found.name, state: stateOf(context, found) });

type Switch = Extract<Deed, { readonly do: 'enable' | 'disable' }>;

const enable: Command = {
  name: 'enable',
  takes: '<n>',
  run: async (context, args) => {
    const found = await findBot(context, args.join(' '));
    // A halted bot is acknowledged where its owner can see what happened.
    if (found.mustAcknowledge) throw new CommandRefusal('acknowledgeInApp', { bot: found.name });
    if (found.withheld.length > 0) throw new AppError('trading-disabled');
    if (!found.allowed.includes('enable') && !found.allowed.includes('resume')) throw notNow(context, found);
    // From then on it buys with what its owner has at the exchange: asked for once more, as in the browser and the terminal.
    const money = moneyOf(found);
    if (money !== 'paper') {
      const exposure = exposureOf(found.config);
      return {
        text: lines(
          context.say(money === 'test' ? 'askEnableTest' : 'askEnable', { bot: found.name, wallet: found.walletName }),
          spendWords((key, values) => context.text(key, values), found),
          exposure && context.text(`autoTrades.exposed.${exposure}`),
        ),
        confirm: { do: 'enable', autoTradeId: found.id, bot: found.name, version: found.configVersion },
      };
    }
    return switched(context, { do: 'enable', autoTradeId: found.id, bot: found.name, version: found.configVersion });
  },
};

/** Lets a bot go, or stops its entries. Where exits that were held back would sell at once, that is asked for first. */
async function switched(context: CommandContext, deed: Switch): Promise<Reply> {
  const { autoTradeId: id, sellNow = false } = deed;
  const params = { id };
  try {
    const bot =
      deed.do === 'enable'
        ? await context.call('enableAutoTrade', { params, body: { acknowledge: false, sellNow, version: deed.version } })
        : await context.call('disableAutoTrade', { params, body: { exits: 'continue', sellNow } });
    return { text: lines(context.say('nowIs', { bot: bot.name, state: stateOf(context, bot) })) };
  } catch (error) {
    if (codeOf(error) !== 'would-sell-now') throw error;
    return { text: lines(bold(deed.bot), shownProblem(error).detail), confirm: { ...deed, sellNow: true } };
  }
}

const disable: Command = {
  name: 'disable',
  takes: '<n>',
  run: async (context, args) => {
    const found = await findBot(context, args.join(' '));
    if (!found.allowed.includes('disable') && !found.allowed.includes('unfreeze')) throw notNow(context, found);
    const deed = { do: 'disable', autoTradeId: found.id, bot: found.name } as const;
    if (found.openPositions === 0) return switched(context, deed);
    // A halt stays in force: to promise the exits of a disabled bot would be wrong.
    const { say, text } = context;
    const asked = found.mustAcknowledge
      ? lines(text('autoTrades.ask.disable.title', { name: found.name }), text('autoTrades.stillHalted'))
      : lines(say('askDisable', { bot: found.name, count: found.openPositions }));
    return { text: asked, confirm: deed };
  },
};

/** The pair a coin is meant in: typed as a pair, or traded against a currency of the bots. */
async function pairOf({ call }: CommandContext, typed: string): Promise<string> {
  const wanted = typed.toLocaleUpperCase('en').replace(/[/_-]/g, '');
  if (!isName(wanted)) throw new CommandRefusal('unknownCoin', { wanted: typed.slice(0, 30) });
  const pairs = new Set((await call('listPairs', {})).map(({ symbol }) => symbol));
  if (pairs.has(wanted)) return wanted;
  const currencies = new Set((await call('listAutoTrades', {})).map(({ currency }) => currency));
  const symbol = [...currencies, 'USDT'].map((currency) => `${wanted}${currency}`).find((each) => pairs.has(each));
  if (symbol === undefined) throw new CommandRefusal('unknownCoin', { wanted });
  return symbol;
}

const pause: Command = {
  name: 'pause',
  takes: '<coin> <min>',
  run: async (context, [coin = '', minutes = '']) => {
    const wanted = Number(minutes);
    if (coin === '' || !/^\d{1,5}$/.test(minutes) || wanted < 1 || wanted > MAX_PAUSE_MINUTES)
      throw new CommandRefusal('usagePause', { most: MAX_PAUSE_MINUTES });
    const symbol = await pairOf(context, coin);
    await context.call('haltAutoTrades', { body: { scope: 'coin', symbol, hours: wanted / 60, reason: 'Telegram' } });
    return { text: lines(context.say('paused', { symbol, until: localTime(context.now + wanted * 60_000, context) })) };
  },
};

const sell: Command = {
  name: 'sell',
  takes: '<position>',
  run: async (context, args) => {
    const held = await allHeldPositions(context);
    if (held.length === 0) return { text: lines(context.say('noBotPositions')) };
    if (args.length === 0) throw new CommandRefusal('whichPosition', { names: held.map(({ position }) => position.symbol).join(', ') });
    const { bot: owner, position, price, isTraded } = pick(held, args[0] ?? '', (each) => each.position.symbol, 'unknownPosition');
    const { symbol, id: positionId, allowed, withheld } = position;
    // What would be refused is not asked for first.
    if (withheld.some(({ action }) => action === 'sell')) throw new AppError('trading-disabled');
    if (!allowed.includes('sell')) throw new CommandRefusal('noSale', { symbol, bot: owner.name, state: stateOf(context, owner) });
    return {
      text: lines(
        context.say('askSell', { symbol, bot: owner.name }),
        saleWords((key, values) => context.text(key, values), position, price, {
          currency: owner.currency,
          pricePrecision: (await precisionsOf(context)).get(symbol),
          isTraded,
        }),
      ),
      confirm: { do: 'sell', autoTradeId: owner.id, positionId, symbol, bot: owner.name },
    };
  },
};

const stopall: Command = {
  name: 'stopall',
  run: async (context) => ({ text: lines(bold(context.say('askStopall')), context.say('stopallExplained')), confirm: { do: 'stopall' } }),
};

/** What follows the second tap. */
export async function perform(context: CommandContext, deed: Deed): Promise<Reply> {
  switch (deed.do) {
    case 'sell': {
      const params = { id: deed.autoTradeId, positionId: deed.positionId };
      const sold = await context.call('sellAutoTradePosition', { params });
      return {
        text: lines(context.say('selling', { symbol: deed.symbol, bot: deed.bot, state: context.text(`positionStates.${sold.state}`) })),
      };
    }
    case 'stopall': {
      const { halted } = await context.call('haltAutoTrades', { body: { scope: 'all', reason: 'Telegram' } });
      return { text: lines(context.say('stopped', { count: halted })) };
    }
    case 'enable':
    case 'disable':
      return switched(context, deed);
  }
}

export const botCommands: readonly Command[] = [status, positions, bots, bot, enable, disable, pause, sell, stopall];
