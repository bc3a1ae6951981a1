import { Flex, Text } from '@chakra-ui/react';
import type { AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { digits, type Price } from '@pilotfish/core/money/figure';
import { formatPrice } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../platform/app-context.tsx';
import { useAction, useDeed } from '../../platform/use-action.ts';
import { checkTarget } from '../../positions/open/target-price.ts';
import { IconButton } from '../../ui/controls.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { DecimalField } from '../../ui/fields/decimal-field.tsx';
import { Button } from '../../ui/primitives.tsx';
import { problemText } from '../../ui/toasts.ts';

/** The owner's own target price, edited in its place: at it everything is sold, whatever the settings say. Empty: none. */
export function PositionTarget({
  botId,
  position,
  pair,
  isBare = false,
}: {
  botId: string;
  position: AutoTradePosition;
  pair: Pair | undefined;
  /** Its button has to say all. */
  isBare?: boolean;
}) {
  const { t } = useTranslation();
  const { client } = useApp();
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const { busy, run } = useAction();
  const deed = useDeed();
  const [sale, setSale] = useState<{ targetPrice: string; what: string }>();
  const form = useRef<HTMLFormElement>(null);
  const isEditing = typed !== undefined;
  useEffect(() => {
    if (isEditing) form.current?.querySelector('input')?.focus();
  }, [isEditing]);
  const { target } = position.lines;
  const shown = (price: Price) => formatPrice(price, pair?.pricePrecision);
  const set = async (targetPrice: string | null, sellNow: boolean) => {
    await deed(
      client.setAutoTradePositionTarget(
        { params: { id: botId, positionId: position.id }, body: { targetPrice, sellNow } },
        { quiet: true },
      ),
      [`auto-trade:${botId}`],
      t(targetPrice === null ? 'autoTrades.target.cleared' : 'autoTrades.target.saved', { symbol: position.symbol }),
    );
    setTyped(undefined);
  };
  const save = (targetPrice: string | null) =>
    void run(() => set(targetPrice, false), {
      onFailed: (found) => {
        // A price that is reached already is a sale: it is made only when it was asked for as one.
        if (targetPrice !== null && found.code === 'would-sell-now') setSale({ targetPrice, what: problemText(found, t) });
        else setProblem(found.fields?.[0]?.message ?? problemText(found, t));
      },
    });
  if (!isEditing)
    return (
      <Flex align="center" gap="2" wrap="wrap">
        {!isBare && (
          <Text fontSize="13px" color="fg.muted">
            {t('autoTrades.line.target')}
          </Text>
        )}
        <Button size="sm" variant="outline" color="fg" onClick={() => setTyped(digits(target ?? ''))}>
          {target === null ? t('autoTrades.target.set') : t('autoTrades.target.edit', { price: shown(target) })}
        </Button>
        {target !== null && <IconButton icon="close" label={t('autoTrades.target.clear')} disabled={busy} onClick={() => save(null)} />}
      </Flex>
    );
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const check = checkTarget(typed, pair?.filters.tickSize ?? '0');
        if (check.kind === 'clear') return save(null);
        if (check.kind === 'not-positive') return setProblem(t('positions.target.positive'));
        if (check.kind === 'off-tick')
          return setProblem(t('positions.target.offTick', { tick: pair ? formatPrice(pair.filters.tickSize, pair.pricePrecision) : '' }));
        return save(check.target);
      }}
      onKeyDown={(event) => event.key === 'Escape' && setTyped(undefined)}
    >
      <Flex align="flex-end" gap="2">
        <DecimalField
          label={t('autoTrades.target.label')}
          unit={pair?.quoteAsset ?? ''}
          value={typed}
          error={problem}
          disabled={busy}
          onChange={(value) => {
            setTyped(value);
            setProblem(undefined);
          }}
        />
        <Button type="submit" colorPalette="brand" disabled={busy}>
          {t('autoTrades.target.save')}
        </Button>
        <Button type="button" variant="ghost" color="fg" onClick={() => setTyped(undefined)}>
          {t('ui.cancel')}
        </Button>
      </Flex>
      <ConfirmDialog
        open={sale !== undefined}
        title={t('autoTrades.byHand.ask.sell.title', { symbol: position.symbol })}
        confirm={t('autoTrades.byHand.action.sell')}
        danger
        onConfirm={async () => sale && set(sale.targetPrice, true)}
        onClose={() => setSale(undefined)}
      >
        <Text>{sale?.what}</Text>
      </ConfirmDialog>
    </form>
  );
}
