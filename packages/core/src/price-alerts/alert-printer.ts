import { digits, type Figure, isLess, type Percent } from '../money/figure.ts';
import { defaultRepeat } from './alert-grammar.ts';
import type { AlertCondition } from './alert-kinds.ts';
import { type AlertLanguage, writeNumber } from './alert-numbers.ts';
import type { PriceAlertBody } from './price-alerts-contract.ts';

const WORDS = {
  en: {
    cross: 'crosses',
    up: 'above',
    down: 'below',
    rises: 'rises',
    falls: 'falls',
    moves: 'moves',
    enter: 'enters',
    exit: 'exits',
    every: 'every',
    from: 'from',
    volume: 'volume',
    upper: 'upper',
    middle: 'middle',
    lower: 'lower',
    listing: 'new listing',
    status: 'status',
    pnl: 'pnl',
    target: 'target',
    once: 'once',
    forever: 'forever',
    mid: 'mid',
    hysteresis: 'hysteresis',
    now: 'now',
    via: 'via',
    acknowledged: 'until acknowledged',
    until: (at: string) => `until ${at}`,
  },
  tr: {
    cross: 'keserse',
    up: 'yukarı',
    down: 'aşağı',
    rises: 'yükselirse',
    falls: 'düşerse',
    moves: 'oynarsa',
    enter: 'girerse',
    exit: 'çıkarsa',
    every: 'her',
    from: 'başlayarak',
    volume: 'hacim',
    upper: 'upper',
    middle: 'middle',
    lower: 'lower',
    listing: 'yeni listeleme',
    status: 'durum',
    pnl: 'getiri',
    target: 'hedef',
    once: 'once',
    forever: 'süresiz',
    mid: 'ortafiyat',
    hysteresis: 'histerezis',
    now: 'hemen',
    via: 'kanal',
    acknowledged: 'onaylanana kadar',
    until: (at: string) => `${at} kadar`,
  },
} as const;

/** The condition as the grammar reads it; undefined for what one line cannot say. */
function printCondition(condition: AlertCondition, language: AlertLanguage): string | undefined {
  const words = WORDS[language];
  const number = (figure: Figure) => writeNumber(digits(figure), language);
  const percent = (figure: Percent) => (language === 'tr' ? `%${number(figure)}` : `${number(figure)}%`);
  const sign = (relation: 'above' | 'below') => (relation === 'above' ? '>' : '<');
  switch (condition.kind) {
    case 'crosses': {
      const direction = { up: ` ${words.up}`, down: ` ${words.down}`, either: '' }[condition.direction];
      return `${words.cross}${direction} ${number(condition.level)}`;
    }
    case 'above':
    case 'below':
      return `${sign(condition.kind)} ${number(condition.level)}`;
    case 'channel':
      return `${number(condition.lower)}-${number(condition.upper)} ${words[condition.event]}`;
    case 'change': {
      const verb = { up: words.rises, down: words.falls, either: words.moves }[condition.direction];
      return `${verb} ${percent(condition.pct)} ${condition.window}`;
    }
    case 'step':
      return `${words.every} ${percent(condition.pct)}${condition.anchor === undefined ? '' : ` ${words.from} ${number(condition.anchor)}`}`;
    case 'volume':
      return `${words.volume} > ${number(condition.amount)}`;
    case 'volumeSpike':
      return `${words.volume} x${number(condition.times)} ${condition.interval} ${condition.candles}`;
    case 'rsi':
      return `rsi ${condition.period} ${condition.interval} ${sign(condition.relation)} ${number(condition.value)}`;
    case 'ema':
    case 'sma':
      return condition.slowPeriod === undefined
        ? `${sign(condition.relation)} ${condition.kind} ${condition.period} ${condition.interval}`
        : `${condition.kind} ${condition.period} ${sign(condition.relation)} ${condition.slowPeriod} ${condition.interval}`;
    case 'macd':
      return `macd ${condition.fast} ${condition.slow} ${condition.signal} ${condition.interval} ${sign(condition.relation)} signal`;
    case 'bollinger':
      return `${sign(condition.relation)} bollinger ${words[condition.band]} ${condition.period} ${number(condition.deviations)} ${condition.interval}`;
    case 'newListing':
      return `${words.listing}${condition.quoteAsset === undefined ? '' : ` ${condition.quoteAsset}`}`;
    case 'statusChange':
      return `${words.status}${condition.status === undefined ? '' : ` ${condition.status}`}`;
    case 'positionPnl': {
      const minus = isLess(condition.pct);
      return `${words.pnl} ${sign(condition.relation)} ${minus ? '-' : ''}${percent(digits(condition.pct).replace('-', ''))}`;
    }
    case 'positionTarget':
      return `${words.target} ${percent(condition.pct)}`;
    default:
      return undefined;
  }
}

type Printed = Pick<
  PriceAlertBody,
  'symbol' | 'condition' | 'repeat' | 'cooldownMin' | 'note' | 'priceSource' | 'hysteresisPct' | 'channels' | 'fireIfTrue'
> & { readonly expiresAt?: string | null | undefined };

/**
 * An alert as one line that `parseAlert` reads back to the same; undefined when one line cannot say it. Quiet hours,
 * a snooze and whether it is enabled are not part of the line.
 */
export function printAlert(alert: Printed, language: AlertLanguage): string | undefined {
  const { symbol, condition, repeat, cooldownMin, note, priceSource, hysteresisPct, channels, fireIfTrue, expiresAt } = alert;
  const words = WORDS[language];
  const said = printCondition(condition, language);
  if (said === undefined) return undefined;
  const usual = defaultRepeat(condition.kind);
  const parts = [symbol, said];
  if (repeat === 'once' && usual.repeat !== 'once') parts.push(words.once);
  if (repeat === 'untilAcknowledged') parts.push(words.acknowledged);
  if (repeat !== 'once' && (repeat !== usual.repeat || cooldownMin !== usual.cooldownMin)) parts.push(`${words.every} ${cooldownMin}m`);
  if (priceSource === 'mark-mid') parts.push(words.mid);
  if (hysteresisPct !== '0.2') parts.push(`${words.hysteresis} ${writeNumber(digits(hysteresisPct), language)}%`);
  if (fireIfTrue) parts.push(words.now);
  if (channels.length !== 1 || channels[0] !== 'app') parts.push(`${words.via} ${channels.join(',')}`);
  if (expiresAt === null) parts.push(words.forever);
  else if (expiresAt !== undefined) parts.push(words.until(expiresAt));
  if (note !== '') parts.push(`# ${note}`);
  return parts.filter(Boolean).join(' ');
}
