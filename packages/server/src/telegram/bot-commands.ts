import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { add, type Decimal, decimal, ZERO } from '@pilotfish/core/money/decimal';
import { formatPercent, formatQuantity, formatSigned } from '@pilotfish/core/money/format';
import { localTime } from '@pilotfish/core/notifications/notification-facts';
import { findBot, heldPositions, pick } from './bot-lookup.ts';
import { type Command, type CommandContext, CommandRefusal, type Deed, type Reply } from './telegram-command.ts';
import { bold, lines, type Markup, markup } from './telegram-markup.ts';

const MAX_PAUSE_MINUTES = 7 * 24 * 60;

const stateOf = ({ text }: CommandContext, bot: AutoTrade): string => text(`botStates.${bot.state}`);

const botLine = (context: CommandContext, bot: AutoTrade, number: number): Markup =>
  markup`${number}. ${bold(bot.name)} · ${stateOf(context, bot)} · ${context.say('open', { count: bot.openPositions })} · ${formatSigned(bot.realised)} ${bot.currency}`;

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
        ...[...today].map(([currency, realised]) => say('realisedToday', { realised: formatSigned(realised), currency })),
        ...trouble.map((bot) => `${bot.name}: ${bot.stateReason === null ? stateOf(context, bot) : text(`botReasons.${bot.stateReason}`)}`),
        context.mutedUntil !== null && context.mutedUntil > context.now
          ? say('mutedUntil', { until: localTime(context.mutedUntil, context.timeZone) })
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
    const positions = (await heldPositions(context)).filter((each) => each.bot.id === found.id);
    const waits = detail.evaluations.filter(({ stoppedBy }) => stoppedBy !== null).slice(0, 5);
    return {
      text: lines(
        bold(detail.name),
        `${stateOf(context, detail)}${detail.stateReason === null ? '' : ` (${text(`botReasons.${detail.stateReason}`)})`} · ${text(`exchange.${detail.exchange}.name`)} · ${detail.walletName}`,
        say('realised', { realised: formatSigned(detail.realised), today: formatSigned(detail.realisedToday), currency: detail.currency }),
        ...positions.map(({ position }) => positionLine(context, position)),
        ...waits.map(({ symbol, stoppedBy }) => `${symbol}: ${text(`why.${stoppedBy ?? ''}`)}`),
      ),
    };
  },
};

const positionLine = ({ text, say }: CommandContext, position: Awaited<ReturnType<typeof heldPositions>>[number]['position']): Markup => {
  const { symbol, state, quantity, averageCost, lines: drawn } = position;
  const floor = drawn.protectedCost ?? drawn.stopLoss;
  const parts = [
    text(`positionStates.${state}`),
    averageCost === null ? undefined : say('heldAt', { quantity: formatQuantity(quantity), cost: formatQuantity(averageCost) }),
    floor === null ? undefined : say('sellsBelow', { price: formatQuantity(floor) }),
  ];
  return markup`${bold(symbol)} ${parts.filter((part) => part !== undefined).join(' · ')}`;
};

const positions: Command = {
  name: 'positions',
  run: async (context) => {
    const { call, say } = context;
    const held = await heldPositions(context);
    const { items } = await call('listOpenPositions', {});
    if (held.length === 0 && items.length === 0) return { text: lines(say('noPositions')) };
    return {
      text: lines(
        bold(say('positions')),
        ...held.map(({ bot: owner, position }, index) => markup`${index + 1}. ${positionLine(context, position)} · ${owner.name}`),
        ...items.slice(0, 30).map(({ symbol, quantity, unrealised, quoteAsset, returnPct }) => {
          const result = unrealised === null ? '' : ` · ${formatSigned(unrealised)} ${quoteAsset}`;
          return markup`${bold(symbol)} ${formatQuantity(quantity)}${result}${returnPct === null ? '' : ` (${formatPercent(returnPct)})`}`;
        }),
      ),
    };
  },
};

const enable: Command = {
  name: 'enable',
  takes: '<n>',
  run: async (context, args) => {
    const found = await findBot(context, args.join(' '));
    // A halted bot is acknowledged where its owner can see what happened.
    if (found.mustAcknowledge) throw new CommandRefusal('acknowledgeInApp', { bot: found.name });
    const enabled = await context.call('enableAutoTrade', { params: { id: found.id }, body: { acknowledge: false } });
    return { text: lines(context.say('nowIs', { bot: enabled.name, state: stateOf(context, enabled) })) };
  },
};

const disabled = async (context: CommandContext, id: string): Promise<Reply> => {
  const answer = await context.call('disableAutoTrade', { params: { id }, body: { exits: 'continue' } });
  return { text: lines(context.say('nowIs', { bot: answer.name, state: stateOf(context, answer) })) };
};

const disable: Command = {
  name: 'disable',
  takes: '<n>',
  run: async (context, args) => {
    const found = await findBot(context, args.join(' '));
    if (found.openPositions === 0) return disabled(context, found.id);
    return {
      text: lines(context.say('askDisable', { bot: found.name, count: found.openPositions })),
      confirm: { do: 'disable', autoTradeId: found.id, bot: found.name },
    };
  },
};

/** The pair a coin is meant in: typed as a pair, or traded against a currency of the bots. */
async function pairOf({ call }: CommandContext, typed: string): Promise<string> {
  const wanted = typed.toLocaleUpperCase('en').replace(/[/_-]/g, '');
  if (!/^[A-Z0-9]{1,30}$/.test(wanted)) throw new CommandRefusal('unknownCoin', { wanted: typed.slice(0, 30) });
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
    return { text: lines(context.say('paused', { symbol, until: localTime(context.now + wanted * 60_000, context.timeZone) })) };
  },
};

const sell: Command = {
  name: 'sell',
  takes: '<position>',
  run: async (context, args) => {
    const held = await heldPositions(context);
    if (held.length === 0) return { text: lines(context.say('noBotPositions')) };
    if (args.length === 0) throw new CommandRefusal('whichPosition', { names: held.map(({ position }) => position.symbol).join(', ') });
    const { bot: owner, position } = pick(held, args[0] ?? '', (each) => each.position.symbol, 'unknownPosition');
    const { symbol, quantity, id: positionId } = position;
    return {
      text: lines(context.say('askSell', { symbol, quantity: formatQuantity(quantity), bot: owner.name })),
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
    case 'disable':
      return disabled(context, deed.autoTradeId);
  }
}

export const botCommands: readonly Command[] = [status, positions, bots, bot, enable, disable, pause, sell, stopall];
