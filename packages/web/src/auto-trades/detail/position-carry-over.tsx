import { Text } from '@chakra-ui/react';
import type { AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { AppError, shownProblem } from '@pilotfish/core/http/problem';
import { decimal, divide, isDecimalText, isPositive, multiply } from '@pilotfish/core/money/decimal';
import { digits } from '@pilotfish/core/money/figure';
import { formatAverage, formatPrice, formatQuantity } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { DecimalField } from '../../ui/fields/decimal-field.tsx';
import { Button } from '../../ui/primitives.tsx';
import { problemText } from '../../ui/toasts.ts';
import { useBotChange } from '../use-auto-trades.ts';

/** Quantity and average cost after the change: a wrong ratio is seen beside the price. */
function afterwards({ quantity, averageCost }: AutoTradePosition, factor: string | undefined) {
  if (factor === undefined || averageCost === null || !isDecimalText(factor) || !isPositive(decimal(factor))) return undefined;
  const by = decimal(factor);
  return {
    quantity: formatQuantity(multiply(decimal(quantity), by)),
    average: formatAverage(divide(decimal(averageCost), by)),
  };
}

/** Says that the unit of a coin changed while it was halted, and by how much: proposed from the prices on both sides. */
export function PositionCarryOver({ bot, position, pair }: { bot: AutoTradeDetail; position: AutoTradePosition; pair: Pair | undefined }) {
  const { t } = useTranslation();
  const { change, running } = useBotChange();
  const [factor, setFactor] = useState<string>();
  const [error, setError] = useState<string>();
  const [due, setDue] = useState<{ factor: string; what: string }>();
  const { jump, symbol } = position;
  if (!jump) return null;
  const params = { id: bot.id, positionId: position.id };
  const carryOver = (by: string, sellNow: boolean) =>
    change(
      (client) => client.carryOverAutoTradePosition({ params, body: { factor: by, sellNow } }, { quiet: true }),
      t('autoTrades.byHand.done.carryOver', { symbol }),
      bot.id,
    );
  const shown = (price: typeof jump.price) => formatPrice(price, pair?.pricePrecision);
  const values = { symbol, name: bot.name, before: shown(jump.before), price: shown(jump.price) };
  const after = afterwards(position, factor);
  const confirm = async () => {
    const by = factor ?? '';
    if (!/[1-9]/.test(by)) {
      setError(t('autoTrades.byHand.ask.carryOver.positive'));
      throw new AppError('invalid');
    }
    // A rule that is met in the new unit sells at once: asked for as the sale it is.
    await carryOver(by, false).catch((thrown: unknown) => {
      const problem = shownProblem(thrown);
      if (problem.code !== 'would-sell-now') throw thrown;
      setDue({ factor: by, what: problemText(problem, t) });
    });
  };
  return (
    <>
      <Button size="sm" colorPalette="brand" disabled={running} onClick={() => setFactor(digits(jump.factor))}>
        {t('autoTrades.byHand.action.carryOver')}
      </Button>
      <ConfirmDialog
        open={factor !== undefined}
        title={t('autoTrades.byHand.ask.carryOver.title', values)}
        confirm={t('autoTrades.byHand.action.carryOver')}
        onConfirm={confirm}
        onClose={() => setFactor(undefined)}
      >
        <Text>{t('autoTrades.byHand.ask.carryOver.what', values)}</Text>
        <DecimalField
          label={t('autoTrades.byHand.ask.carryOver.factor')}
          value={factor ?? ''}
          error={error}
          onChange={(value) => {
            setFactor(value);
            setError(undefined);
          }}
        />
        {after && (
          <Text fontSize="13px" color="fg.muted">
            {t('autoTrades.byHand.ask.carryOver.after', { ...after, price: values.price })}
          </Text>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        open={due !== undefined}
        title={t('autoTrades.byHand.ask.sell.title', values)}
        confirm={t('autoTrades.byHand.action.sell')}
        danger
        follows
        onConfirm={async () => due && carryOver(due.factor, true)}
        onClose={() => setDue(undefined)}
      >
        <Text>{due?.what}</Text>
      </ConfirmDialog>
    </>
  );
}
