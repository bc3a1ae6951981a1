import { newPriceAlertContext, type PriceAlertContext } from '../src/price-alerts/price-alert-machine.ts';

/** What can happen to an alert, with the payloads that make a difference. */
export const alertEvents = {
  'alert.triggered': [{ at: 1000, now: 1000 }],
  'history.known': [{}],
  'history.lost': [{ reason: 'history' }],
  'price.left': [{}],
  'cooldown.ended': [{}],
  'alert.acknowledged': [{ now: 2000 }],
  'alert.snoozed': [{ until: 5000 }, { until: null }],
  'alert.expired': [{}],
  'alert.failed': [{ reason: 'delisted' }],
  'alert.disabled': [{ reason: null }],
  'alert.enabled': [{}],
};

/** The part of its memory that makes two states differ. */
export const alertIdentity = ({
  repeat,
  needsHistory,
  snoozedUntil,
  hasLeft,
  hasCooled,
  acknowledgedAt,
  firedCount,
}: PriceAlertContext): string =>
  [
    repeat,
    needsHistory ? 'needs history' : '',
    snoozedUntil === null ? '' : 'snoozed',
    hasLeft ? 'left' : '',
    hasCooled ? 'cooled' : '',
    acknowledgedAt === null ? '' : 'acknowledged',
    firedCount > 0 ? 'has fired' : '',
  ]
    .filter(Boolean)
    .join(', ');

export const alertInputs = (['once', 'every', 'untilAcknowledged'] as const).map((repeat) =>
  newPriceAlertContext({ repeat, needsHistory: repeat === 'every', snoozedUntil: null }),
);

/** A cooldown is of `every` alone, and so it is never acknowledged. */
export const alertCases = (input: PriceAlertContext) =>
  Object.fromEntries(
    Object.entries(alertEvents).filter(([type]) =>
      input.repeat === 'every' ? type !== 'alert.acknowledged' : type !== 'price.left' && type !== 'cooldown.ended',
    ),
  );
