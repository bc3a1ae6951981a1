import type { Activity, Need, NextEvent } from './overview-contract.ts';

/** Keys of the two texts of what needs a person; filled with `shownFacts` of its facts. */
export const needTexts = ({ kind }: Pick<Need, 'kind'>) => ({
  title: `overview.needs.${kind}.title`,
  text: `overview.needs.${kind}.text`,
});
/** Key of the button's text. */
export const needActionText = ({ action }: Pick<Need, 'action'>): string => `overview.actions.${action}`;

/** Key of what a bot or an alert does next. */
export const nextText = ({ code }: Pick<NextEvent, 'code'>): string => `overview.next.${code}`;

/** Kinds whose text is that of the notification by which they were first said. */
const NOTIFIED: ReadonlySet<Activity['kind']> = new Set(['pause', 'block', 'halt', 'attention', 'alert']);
/** Key of what happened; filled with `shownFacts` of its facts, in which `reason` is the reason of a sale. */
export const activityText = ({ kind, code }: Pick<Activity, 'kind' | 'code'>): string =>
  NOTIFIED.has(kind) ? `notifications.${code}.title` : `overview.activity.${kind === 'buy' ? code : kind}`;
