import { formatPrice, formatSigned } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import type { BotCoin } from './chosen-coin.ts';
import { levelRows } from './chosen-levels.ts';
import { levelSentence, levelWords } from './level-words.ts';
import type { Cockpit } from './use-cockpit.ts';
import type { LevelsDraft } from './use-levels-draft.ts';

/** A level with what it does there: of one that is being moved where it would go, with the worst case once the server has said it. */
export type DraftWords = { readonly name: string; readonly note: string; readonly value: string };

/** The words of a level by its id. */
export function useDraftWords({ bot }: Cockpit, coin: BotCoin, { open, pair }: LevelsDraft): (id: string) => DraftWords | undefined {
  const { t } = useTranslation();
  const rows = levelRows(coin);
  return (id) => {
    const row = rows.find((each) => each.id === id);
    if (!row) return undefined;
    const words = levelWords(t, row, { rows, position: coin.position, currency: bot.currency });
    const draft = open?.id === id && open.price !== null && open.phase !== 'lost' ? open : undefined;
    const price = formatPrice(draft?.price ?? row.price, pair?.pricePrecision);
    if (!draft || (draft.asked !== null && !draft.changes))
      return { name: words.name, note: '', value: levelSentence(t, words, price, bot.currency) };
    const { outcome: _, ...rest } = words;
    const worst = draft.isVerdictOld ? undefined : draft.verdict?.after.worst;
    const shown = worst == null ? undefined : formatSigned(worst, bot.currency);
    return {
      name: words.name,
      note: [words.note, shown].filter((text) => text !== undefined).join(' · '),
      value: [levelSentence(t, rest, price, bot.currency), shown && t('autoTrades.draft.worst', { result: shown, currency: bot.currency })]
        .filter(Boolean)
        .join(', '),
    };
  };
}
