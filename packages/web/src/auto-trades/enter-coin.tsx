import { Text } from '@chakra-ui/react';
import type { AutoTradeDetail, Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Notice } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Button } from '../ui/primitives.tsx';
import { showToast } from '../ui/toasts.ts';
import { useMoney } from '../wallets/use-money.ts';
import { RuleList } from './rule-list.tsx';
import { useBotChange } from './use-auto-trades.ts';

/** Enters a coin by hand. Every rule but the trigger still holds; when one refuses, the checklist says which. */
export function EnterCoin({ bot, symbol }: { bot: AutoTradeDetail; symbol: string }) {
  const { t } = useTranslation();
  const money = useMoney();
  const { change, running } = useBotChange();
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState<Evaluation>();
  const enter = async () => {
    const answer = await change(
      (client) => client.enterAutoTrade({ params: { id: bot.id }, body: { symbol } }, { idempotencyKey: crypto.randomUUID() }),
      undefined,
      bot.id,
    );
    if (answer?.entered) void showToast('success', t('autoTrades.enter.done', { symbol }));
    else if (answer) setRefused(answer.evaluation);
  };
  const rule = refused?.stoppedBy ?? '';
  return (
    <>
      <Button
        size="xs"
        colorPalette="brand"
        disabled={running}
        aria-label={t('autoTrades.enter.of', { symbol })}
        onClick={() => setAsking(true)}
      >
        {t('autoTrades.enter.now')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('autoTrades.enter.title', { symbol })}
        confirm={t('autoTrades.enter.now')}
        onConfirm={() => void enter()}
        onClose={() => setAsking(false)}
      >
        <Text>{t(`autoTrades.enter.${money(bot.mode)}`, { name: bot.name })}</Text>
      </ConfirmDialog>
      <Dialog open={refused !== undefined} title={t('autoTrades.enter.refused', { symbol })} onClose={() => setRefused(undefined)}>
        <Notice tone="warning">{t('autoTrades.enter.because', { rule: t(`why.${rule}`, { defaultValue: rule }) })}</Notice>
        {refused && <RuleList evaluation={refused} currency={bot.currency} />}
      </Dialog>
    </>
  );
}
