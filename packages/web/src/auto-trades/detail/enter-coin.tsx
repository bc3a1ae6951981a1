import { Text } from '@chakra-ui/react';
import type { AutoTradeDetail, Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { entryWords } from '@pilotfish/core/auto-trades/entry-outlook';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnce } from '../../platform/use-once.ts';
import { useRefusal, useTradingDenied, WhyDisabled } from '../../platform/use-trading.tsx';
import { usePairs, useTicker } from '../../prices/use-prices.ts';
import { Notice } from '../../ui/controls.tsx';
import { ConfirmAction } from '../../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { showToast } from '../../ui/toasts.ts';
import { useMoney } from '../../wallets/use-money.ts';
import { useBotChange } from '../use-auto-trades.ts';
import { RuleList } from './rule-list.tsx';

/** Enters a coin by hand. Every rule but the trigger still holds; when one refuses, the checklist says which. */
export function EnterCoin({ bot, symbol }: { bot: AutoTradeDetail; symbol: string }) {
  const { t } = useTranslation();
  const money = useMoney();
  const pair = usePairs()?.get(symbol);
  const ticker = useTicker(symbol);
  const { change, running } = useBotChange();
  const once = useOnce();
  const whyId = useId();
  const refusal = useRefusal('bots');
  const denied = useTradingDenied() && bot.mode === 'live';
  const [refused, setRefused] = useState<Evaluation>();
  const enter = async () => {
    const answer = await change(
      (client) => {
        const call = { params: { id: bot.id }, body: { symbol } };
        return once(call, (idempotencyKey) => client.enterAutoTrade(call, { idempotencyKey }));
      },
      undefined,
      bot.id,
    );
    if (answer.entered) void showToast('success', t('autoTrades.enter.done', { symbol }));
    else setRefused(answer.evaluation);
  };
  const rule = refused?.stoppedBy ?? '';
  // What the market asks for now, as last heard: the order itself is planned at the ask of its moment.
  const seen = ticker?.price ?? bot.evaluations.find((each) => each.symbol === symbol)?.price;
  return (
    <>
      <ConfirmAction
        size="xs"
        disabled={running || denied}
        aria-describedby={denied ? whyId : undefined}
        {...refusal}
        aria-label={t('autoTrades.enter.of', { symbol })}
        title={t('autoTrades.enter.title', { symbol })}
        label={t('autoTrades.enter.now')}
        onConfirm={enter}
      >
        <Text>{t(`autoTrades.enter.${money(bot.mode)}`, { name: bot.name })}</Text>
        <Text>{entryWords(t, bot, symbol, seen, pair)}</Text>
      </ConfirmAction>
      {denied && <WhyDisabled id={whyId} />}
      <Dialog open={refused !== undefined} title={t('autoTrades.enter.refused', { symbol })} onClose={() => setRefused(undefined)}>
        <Notice tone="warning">{t('autoTrades.enter.because', { rule: t(`why.${rule}`, { defaultValue: rule }) })}</Notice>
        {refused && <RuleList evaluation={refused} currency={bot.currency} />}
      </Dialog>
    </>
  );
}
