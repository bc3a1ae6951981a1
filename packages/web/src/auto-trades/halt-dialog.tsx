import { Flex, Text } from '@chakra-ui/react';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { saleWords } from '@pilotfish/core/auto-trades/sale-outlook';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTradingDenied } from '../platform/use-trading.tsx';
import { usePairs } from '../prices/use-prices.ts';
import { Notice, TextField } from '../ui/controls.tsx';
import { Decision, Dialog } from '../ui/dialogs/dialog.tsx';
import { NotDone } from '../ui/dialogs/not-done.tsx';
import { useConfirming } from '../ui/dialogs/use-confirming.ts';
import { SwitchField } from '../ui/fields/switch-field.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { type ActionChoice, useHeldPositions } from './use-auto-trades.ts';

const MAX_REASON = 200;

/** What selling off would sell: how much, at what price and with what result, position by position. */
function Sales({ bot }: { bot: { readonly id: string } | undefined }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const { data, hasFailed, problem, retry } = useHeldPositions(bot?.id);
  if (hasFailed) return <ErrorPanel problem={problem} onRetry={retry} />;
  if (!data) return <Skeleton rows={2} height={18} />;
  return (
    <Flex as="ul" direction="column" gap="1" mb="3" maxH="200px" overflowY="auto" listStyleType="none" fontSize="13px">
      {data.map(({ bot: owner, position, price, isTraded }) => (
        <li key={position.id}>
          <b lang="en" translate="no">
            {position.symbol}
          </b>{' '}
          {saleWords(t, position, price, {
            currency: owner.currency,
            pricePrecision: pairs?.get(position.symbol)?.pricePrecision,
            isTraded,
          })}
        </li>
      ))}
    </Flex>
  );
}

/**
 * The kill switch of one bot or of all: from the click on nothing is signed. Selling off is a choice of its own, and
 * is confirmed once more.
 */
export function HaltDialog({
  open,
  bot,
  holding,
  onHalt,
  onClose,
}: {
  open: boolean;
  /** Undefined: every bot. */
  bot: (Pick<AutoTrade, 'id' | 'name'> & Partial<Pick<AutoTrade, 'mode'>>) | undefined;
  /** Open positions of what is halted; undefined where that is not known. */
  holding: number | undefined;
  /** Rejects when it was not done. */
  onHalt: (choice: Required<Pick<ActionChoice, 'reason' | 'liquidate'>>) => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [choice, setChoice] = useState({ reason: '', liquidate: false, sure: false });
  const denied = useTradingDenied() && bot?.mode !== 'paper';
  const { busy, problem, close, confirm } = useConfirming(() => {
    setChoice({ reason: '', liquidate: false, sure: false });
    onClose();
  });
  return (
    <Dialog
      open={open}
      title={bot ? t('autoTrades.ask.halt.title', { name: bot.name }) : t('autoTrades.haltAll.title')}
      onClose={close}
      actions={
        <Decision
          confirm={t(
            problem
              ? 'ui.retry'
              : choice.liquidate
                ? 'autoTrades.haltAll.withSale'
                : bot
                  ? 'autoTrades.action.halt'
                  : 'autoTrades.haltAll.confirm',
          )}
          danger
          disabled={busy || (choice.liquidate && !choice.sure)}
          onConfirm={() => confirm(() => onHalt({ reason: choice.reason.trim(), liquidate: choice.liquidate }))}
          onCancel={close}
        />
      }
    >
      <Flex direction="column" gap="4">
        <Text color="fg.muted">
          {holding === undefined
            ? t(bot ? 'unreadable.halt' : 'autoTrades.haltAll.whatUnknown')
            : t(`autoTrades.${bot ? 'ask.halt' : 'haltAll'}.what`, { count: holding })}
        </Text>
        <TextField
          label={t('autoTrades.haltAll.reason')}
          value={choice.reason}
          maxLength={MAX_REASON}
          onChange={(event) => setChoice({ ...choice, reason: event.currentTarget.value })}
        />
        {holding !== undefined && holding > 0 && (
          <SwitchField
            label={t('autoTrades.haltAll.liquidate', { count: holding })}
            hint={t('autoTrades.haltAll.liquidateHint')}
            checked={choice.liquidate}
            onChange={(liquidate) => setChoice({ ...choice, liquidate, sure: false })}
          />
        )}
        {choice.liquidate && (
          <Notice tone="error" title={t('autoTrades.haltAll.sureTitle')}>
            <Sales bot={bot} />
            {denied && <Text mb="3">{t('autoTrades.haltAll.liquidateDenied')}</Text>}
            <SwitchField
              label={t('autoTrades.haltAll.sure', { count: holding })}
              checked={choice.sure}
              onChange={(sure) => setChoice({ ...choice, sure })}
            />
          </Notice>
        )}
        <NotDone problem={problem} />
      </Flex>
    </Dialog>
  );
}
