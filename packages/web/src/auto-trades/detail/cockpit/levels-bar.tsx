import { Box, Text } from '@chakra-ui/react';
import { isReached } from '@pilotfish/core/auto-trades/levels-draft';
import type { ShownProblem } from '@pilotfish/core/http/problem';
import { digits, type Money, type Price } from '@pilotfish/core/money/figure';
import { formatPrice, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { ChangeBar } from '../../../ui/kit/change-bar.tsx';
import { Result } from '../../../ui/kit/result.tsx';
import { Button } from '../../../ui/primitives.tsx';
import { problemText } from '../../../ui/toasts.ts';
import type { BotCoin } from './chosen-coin.ts';
import { type Cockpit, usePresentPrice } from './use-cockpit.ts';
import { type LevelsDraft, nameOf, type OpenDraft } from './use-levels-draft.ts';

/** Whether a draft is drawn: it is somewhere else than the level, and still of one. */
export const isPreviewed = (open: OpenDraft | undefined): open is OpenDraft =>
  open !== undefined && open.price !== null && open.phase !== 'lost' && digits(open.price) !== open.level.price;

type Translate = (key: string, values?: Record<string, string>) => string;

/** What to know of a draft before it is confirmed; undefined where there is nothing. */
function noteOf(t: Translate, open: OpenDraft, isStale: boolean): string | undefined {
  const { phase, lost, notice, verdict, problem, isVerdictOld, changes } = open;
  if (lost) return t(`autoTrades.draft.lost.${lost}`);
  const said = [
    isStale && t('autoTrades.draft.stale'),
    notice && t(`autoTrades.draft.notice.${notice}`),
    problem && !(problem.fields?.length ?? 0) && whyNot(t, problem),
    !isVerdictOld && verdict?.sellsNow && phase !== 'settling' && t('autoTrades.draft.sellsNow'),
    phase === 'checked' && !changes && t('autoTrades.draft.unchanged'),
  ].filter(Boolean);
  return said.length > 0 ? said.join(' ') : undefined;
}
const whyNot = (t: Translate, problem: ShownProblem): string =>
  problem.code === 'offline' ? t('ui.serverOffline') : problemText(problem, t);

/** What a refused level is refused for, by the name of its field. */
const refusalOf = ({ problem }: OpenDraft, name: string): string | undefined => {
  const said = problem?.fields?.map(({ message }) => message).join(' ');
  return said ? `${name}: ${said}` : undefined;
};

/** The one bar of the level that is being moved: where it is and would be, the worst case, and what confirms it. */
export function LevelsBar({ cockpit, coin, draft }: { cockpit: Cockpit; coin: BotCoin; draft: LevelsDraft }) {
  const { open } = draft;
  return open ? <Bar key={open.level.field} cockpit={cockpit} coin={coin} draft={draft} open={open} /> : null;
}

function Bar({ cockpit, coin, draft, open }: { cockpit: Cockpit; coin: BotCoin; draft: LevelsDraft; open: OpenDraft }) {
  const { t } = useTranslation();
  const { bot } = cockpit;
  const { pair, isStale } = draft;
  const { phase, level, verdict } = open;
  const form = useRef<HTMLFormElement>(null);
  const isHeld = phase === 'moving' && open.typings === 0;
  useEffect(() => {
    // Not under a hand that moves: what it points at would go elsewhere.
    if (!isHeld) form.current?.scrollIntoView({ block: 'nearest' });
  }, [isHeld]);
  useEffect(() => {
    const field = open.typings > 0 ? form.current?.querySelector('input') : undefined;
    field?.focus();
    field?.select();
  }, [open.typings]);
  useStanding(draft, open, usePresentPrice(bot, coin));
  const name = nameOf(t, level.field);
  const [kind, number] = level.field.split('.');
  const title = t(`autoTrades.draft.move.${kind}`, { level: number ?? '' });
  const price = (value: Parameters<typeof formatPrice>[0] | null) => (value === null ? UNKNOWN : formatPrice(value, pair?.pricePrecision));
  const worst = (value: Money | null | undefined, unit = false) => (
    <Result value={value ?? null} currency={bot.currency} reason={t('autoTrades.draft.noWorst')} unit={unit} />
  );
  const isEditable = phase !== 'lost' && phase !== 'confirming' && phase !== 'selling' && phase !== 'settling';
  const typed = open.asked ?? (open.price === null ? '' : digits(open.price));
  const isByHand = (coin.position?.lines.moved ?? []).includes(level.field);
  const note = noteOf(t, open, isStale);
  const refusal = refusalOf(open, name);
  const isReady = phase === 'checked' && open.changes && !isStale;
  const confirm = {
    moving: { label: t('autoTrades.draft.preview'), isOff: !open.changes },
    asking: { label: title, isOff: true },
    checked: { label: title, isOff: !isReady },
    noticed: { label: t('autoTrades.draft.seen'), isOff: false },
    // Another price is asked for, or the same one again.
    refused: { label: refusal === undefined ? t('ui.retry') : title, isOff: isStale || refusal !== undefined },
    confirming: { label: title, isOff: true },
    selling: { label: title, isOff: true },
    settling: { label: title, isOff: true },
    lost: undefined,
  }[phase];
  const rounded = !open.isVerdictOld && open.asked !== null && open.price !== null && price(open.price) !== price(open.asked);
  return (
    <Box px={{ base: '2', md: '3' }} pb="3" css={{ scrollMarginBottom: '140px' }}>
      <ChangeBar
        ref={form}
        title={title}
        before={price(level.price)}
        after={{
          label: t('autoTrades.draft.field', { name }),
          value: isEditable ? typed : price(open.price),
          ...(isEditable && { onTyped: draft.type }),
          error: refusal,
        }}
        {...(verdict && {
          effect: {
            label: t('autoTrades.levels.worst'),
            before: worst(verdict.before.worst),
            after: worst(verdict.after.worst, true),
            isOld: open.isVerdictOld,
          },
        })}
        scope={rounded ? t('autoTrades.draft.onTick', { price: price(open.price) }) : t('autoTrades.draft.scope')}
        note={note}
        spoken={spokenOf(t, { open, name, note: note ?? refusal, currency: bot.currency, price })}
        confirm={confirm}
        onConfirm={draft.confirm}
        onDiscard={draft.discard}
      >
        {isByHand && isEditable && open.asked !== null && (
          <Button size="sm" variant="outline" color="fg" h={{ base: '11', md: '9' }} onClick={draft.putBack}>
            {t('autoTrades.draft.putBack')}
          </Button>
        )}
      </ChangeBar>
      <ConfirmDialog
        open={phase === 'selling' || (phase === 'confirming' && open.sale !== undefined)}
        title={t('autoTrades.byHand.ask.sell.title', { symbol: coin.symbol })}
        confirm={t('autoTrades.byHand.action.sell')}
        danger
        follows
        onConfirm={draft.sell}
        onClose={draft.decline}
      >
        <Text>{open.sale}</Text>
      </ConfirmDialog>
    </Box>
  );
}

/** Tells the draft when the market has come to the level, where it is or where it would be. */
function useStanding({ stand }: LevelsDraft, { level, price, phase }: OpenDraft, present: Price | null): void {
  const reached =
    present !== null && (isReached(level.field, level.price, present) || (price !== null && isReached(level.field, price, present)));
  // Of each phase again: what one takes no notice of may matter in the next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => stand(reached), [stand, reached, phase]);
}

/** What is said of a draft that has come to rest; nothing while it moves. */
function spokenOf(
  t: Translate,
  {
    open: { phase, level, price: to, verdict },
    name,
    note,
    currency,
    price,
  }: {
    open: OpenDraft;
    name: string;
    note: string | undefined;
    currency: string;
    price: (value: NonNullable<OpenDraft['price']>) => string;
  },
): string {
  if (phase !== 'checked' && phase !== 'noticed' && phase !== 'refused' && phase !== 'lost') return '';
  const worst = (value: Money | null | undefined) => (value == null ? UNKNOWN : formatSigned(value, currency));
  const says =
    verdict && to !== null && phase !== 'lost'
      ? t('autoTrades.draft.spoken', {
          name,
          price: price(to),
          before: price(level.price),
          worst: worst(verdict.after.worst),
          was: worst(verdict.before.worst),
          currency,
        })
      : '';
  return [says, note].filter(Boolean).join(' ');
}
