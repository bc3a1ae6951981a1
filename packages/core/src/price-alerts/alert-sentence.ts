import type { Facts } from '../notifications/notification-facts.ts';
import type { AlertCondition } from './alert-kinds.ts';

/** A text and what fills it. */
export type AlertSentence = { readonly key: string; readonly parameters: Facts };

/** Which of the sentences of its kind says a condition. */
function variantOf(condition: AlertCondition): string {
  switch (condition.kind) {
    case 'crosses':
    case 'change':
      return `${condition.kind}-${condition.direction}`;
    case 'channel':
    case 'screener':
      return `${condition.kind}-${condition.event}`;
    case 'rsi':
    case 'macd':
    case 'positionPnl':
      return `${condition.kind}-${condition.relation}`;
    case 'ema':
    case 'sma':
      return `average-${condition.slowPeriod === undefined ? 'price' : 'slow'}-${condition.relation}`;
    case 'bollinger':
      return `bollinger-${condition.band}-${condition.relation}`;
    case 'newListing':
      return condition.quoteAsset === undefined ? 'newListing' : 'newListing-quote';
    case 'statusChange':
      return condition.status === undefined ? 'statusChange' : 'statusChange-to';
    case 'botEvent':
      return condition.event === 'any' ? 'botEvent-any' : 'botEvent';
    default:
      return condition.kind;
  }
}

/** An alert's condition in plain words, e.g. “BTCUSDT falls by 5 % within 1h”. */
export function alertSentence({ symbol, condition }: { symbol?: string | undefined; condition: AlertCondition }): AlertSentence {
  const { kind, ...given } = condition;
  return {
    key: `alerts.say.${variantOf(condition)}`,
    parameters: {
      ...given,
      ...(kind === 'ema' || kind === 'sma' ? { average: kind.toUpperCase() } : {}),
      ...(symbol === undefined ? {} : { symbol }),
    },
  };
}
