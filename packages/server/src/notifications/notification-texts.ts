import { type Facts, shownFacts } from '@pilotfish/core/notifications/notification-facts';
import type { Language, Texts } from '../http/texts.ts';

/** What a notification's texts are made of, as stored. */
export type Told = { readonly code: string; readonly facts: string };

export type Wording = { readonly title: string; readonly text: string };

/** Longest text of a message; a chat or a push message takes no more. */
const MAX_TEXT = 1500;

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Of a row that cannot be read nothing but its code is told: it must not keep the others from being listed. */
export function factsOf(row: Told): Facts {
  try {
    return JSON.parse(row.facts) as Facts;
  } catch {
    return {};
  }
}

/**
 * Title and text in a language.
 * @param timeZone for times among the facts
 */
export function wordingOf(row: Told, language: Language, timeZone: string, texts: Texts): Wording {
  const facts = shownFacts(factsOf(row), { language, timeZone, text: (key) => texts.find(language, key) });
  const text = (part: 'title' | 'text') => texts.find(language, `notifications.${row.code}.${part}`, facts);
  // Whoever is told afterwards must not take an old price for that of now.
  const late = facts.lateAt === undefined ? undefined : texts.find(language, 'alerts.foundLate', facts);
  const said = [text('text')?.trim(), late].filter(Boolean).join(' ');
  return { title: cut(text('title') ?? row.code, 200), text: cut(said, MAX_TEXT) };
}
