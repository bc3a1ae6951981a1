import { chakra, Text } from '@chakra-ui/react';
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { BotDraft } from '@pilotfish/core/auto-trades/config/bot-draft';
import { planText, settingText, type Words } from '@pilotfish/core/auto-trades/config/setting-words';
import { spendWords } from '@pilotfish/core/auto-trades/spend-outlook';
import { decimal, negate } from '@pilotfish/core/money/decimal';
import { formatCurrency, formatPrice, formatResult } from '@pilotfish/core/money/format';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../../prices/use-prices.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { useMoney } from '../../wallets/use-money.ts';
import { ExposureNotice } from '../exposure-notice.tsx';
import { useWallets } from '../use-auto-trades.ts';

type Ladder = AutoTradeDetail['ladder'];

/** Coins of a plan that are named one by one. */
const NAMED = 5;

/** Whose money moves, how much of it, what the first orders are and what can be lost: said before a bot is saved and started. */
export function StartDialog({
  open,
  draft,
  words,
  ladder,
  onConfirm,
  onClose,
}: {
  open: boolean;
  draft: BotDraft;
  words: Words;
  ladder: Ladder | null;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      open={open}
      title={t('autoTrades.start.title', { name: draft.name })}
      confirm={t('autoTrades.form.saveStart')}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {open && <Stated draft={draft} words={words} ladder={ladder} />}
    </ConfirmDialog>
  );
}

function Stated({ draft, words, ladder }: { draft: BotDraft; words: Words; ladder: Ladder | null }) {
  const { t } = useTranslation();
  const moneyOf = useMoney();
  const wallet = useWallets().data?.find(({ id }) => id === draft.walletId);
  const money = moneyOf(wallet?.mode ?? 'live');
  const currency = wallet?.currency ?? 'USDT';
  const { kind } = draft.entry.trigger;
  return (
    <>
      <Text color="fg" fontWeight="550">
        {t(`autoTrades.ask.money.${money}`, { wallet: wallet?.name ?? '' })}{' '}
        {/* It is asked only of settings that the server has accepted: their numbers are there. */}
        {spendWords((key, values) => t(key, values), { config: draft as Parameters<typeof spendWords>[1]['config'], currency })}
      </Text>
      <Text>{kind === 'immediate' || kind === 'manual' ? t(`autoTrades.start.when.${kind}`) : t('autoTrades.ask.enable.what')}</Text>
      <chakra.dl
        display="grid"
        // On a phone a long label breaks, not the figures.
        gridTemplateColumns={{ base: 'minmax(0, 2fr) minmax(0, 3fr)', sm: 'auto minmax(0, 1fr)' }}
        columnGap="4"
        rowGap="1.5"
        fontSize="14px"
      >
        <Fact label={t('autoTrades.form.coins')}>{settingText('coins', draft.coins, words)}</Fact>
        <Fact label={t('autoTrades.form.step.entry')}>{planText(draft, words).entry}</Fact>
        <Fact label={t('autoTrades.start.first', { count: entriesOf(ladder).length })}>
          {ladder && <FirstBuys ladder={ladder} most={Number(draft.maxOpenPositions)} />}
        </Fact>
        <Fact label={t('autoTrades.ladder.worst')}>{ladder && formatCurrency(ladder.worstCaseTotal, ladder.currency)}</Fact>
        <Fact label={t('autoTrades.ladder.worstLoss')}>
          {ladder &&
            (ladder.worstLoss === null ? (
              t('autoTrades.ladder.noStop')
            ) : (
              <span className="loss">{formatResult(negate(decimal(ladder.worstLoss)), ladder.currency)}</span>
            ))}
        </Fact>
      </chakra.dl>
      <ExposureNotice mode={wallet?.mode} config={draft} />
    </>
  );
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <chakra.dt color="fg.muted">{label}</chakra.dt>
    <chakra.dd color="fg" fontWeight="550" overflowWrap="anywhere" css={{ fontVariantNumeric: 'tabular-nums' }}>
      {children || '–'}
    </chakra.dd>
  </>
);

const entriesOf = (ladder: Ladder | null) => ladder?.rungs.filter(({ level }) => level === 0) ?? [];

/** The entry of each coin as it is planned now; only so many of them as there are slots are bought. */
function FirstBuys({ ladder, most }: { ladder: Ladder; most: number }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const entries = entriesOf(ladder);
  return (
    <>
      {entries.slice(0, NAMED).map(({ symbol, quote, price }) => (
        <chakra.span key={symbol} display="block">
          {t('autoTrades.start.buy', {
            symbol,
            amount: formatCurrency(quote, ladder.currency),
            price: formatPrice(price, pairs?.get(symbol)?.pricePrecision),
          })}
        </chakra.span>
      ))}
      {entries.length > NAMED && <chakra.span display="block">{t('autoTrades.start.more', { count: entries.length - NAMED })}</chakra.span>}
      {entries.length > most && (
        <chakra.span display="block" color="fg.muted" fontWeight="400">
          {t('autoTrades.start.slots', { count: most })}
        </chakra.span>
      )}
    </>
  );
}
