/** Something the palette can go to or do. */
export type PaletteItem = {
  /** Stable over reloads: recent ones are remembered by it. */
  readonly id: string;
  readonly group: 'screens' | 'pairs' | 'bots' | 'actions';
  readonly label: string;
  /** Further words it is found by. */
  readonly words?: string;
};

export const MOST_ITEMS = 12;
export const MOST_RECENT = 6;

/** One spelling for search in both languages: İ, I, ı and i are the same letter, so are ş and s. */
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');

/**
 * How well a text answers what was typed: 0 not at all. Beginnings beat words, words beat places inside, those beat
 * letters that only come in this order.
 */
export function score(typed: string, text: string): number {
  const wanted = fold(typed).trim();
  const found = fold(text);
  if (wanted === '') return 1;
  if (found === wanted) return 1000;
  if (found.startsWith(wanted)) return 800 - Math.min(200, found.length);
  const at = found.indexOf(wanted);
  if (at > 0) return (/[\s/·:-]/.test(found[at - 1]!) ? 500 : 300) - Math.min(100, at);
  let place = -1;
  let gaps = 0;
  for (const letter of wanted.replaceAll(' ', '')) {
    const next = found.indexOf(letter, place + 1);
    if (next < 0) return 0;
    if (place >= 0) gaps += next - place - 1;
    place = next;
  }
  // Letters strewn over a long text are no answer.
  return gaps > 12 ? 0 : 100 - gaps * 5;
}

/** The best answers, at most a screenful; with nothing typed, what was used last and then screens and actions. */
export function findItems(typed: string, items: readonly PaletteItem[], recent: readonly string[]): PaletteItem[] {
  if (typed.trim() === '') {
    const last = recent.flatMap((id) => items.find((item) => item.id === id) ?? []);
    const rest = items.filter(({ group, id }) => (group === 'screens' || group === 'actions') && !recent.includes(id));
    return [...last, ...rest].slice(0, MOST_ITEMS);
  }
  return items
    .map((item, place) => ({
      item,
      place,
      score:
        Math.max(score(typed, item.label), item.words === undefined ? 0 : score(typed, item.words) - 20) +
        (recent.includes(item.id) ? 30 : 0),
    }))
    .filter((each) => each.score > (recent.includes(each.item.id) ? 30 : 0))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, MOST_ITEMS)
    .map(({ item }) => item);
}

/** Whether a text could be an alert in one line: a coin, and a sign, a figure or a percentage after it. */
export const looksLikeAlert = (typed: string): boolean => /^\s*[\p{L}\d]{2,}[\s/]*(?:[<>]|.*\s.*[\d%])/u.test(typed) && /\d/.test(typed);
