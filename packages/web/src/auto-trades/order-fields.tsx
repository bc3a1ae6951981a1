import { Flex, Grid, Text } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Segments, SelectField } from '../ui/controls.tsx';
import { DecimalField, WholeField } from '../ui/decimal-field.tsx';
import type { BotDraft } from './bot-draft.ts';
import type { StepProps } from './bot-form.tsx';

type Props = Omit<StepProps, 'draft'> & { path: 'entry.order' | 'exit.order'; order: BotDraft['entry']['order']; title: string };

/** How an order is placed: its type, how long it waits, and what happens then. */
export function OrderFields({ path, order, set, errorOf, title }: Props) {
  const { t } = useTranslation();
  const field = (name: keyof Props['order']) => `${path}.${name}`;
  return (
    <Flex direction="column" gap="3">
      <Text textStyle="label">{title}</Text>
      <Segments
        label={title}
        size="sm"
        value={order.type}
        options={(['Limit', 'Market'] as const).map((value) => ({ value, label: t(`autoTrades.form.orderType.${value}`) }))}
        onChange={(value) => set(field('type'), value)}
      />
      {order.type === 'Market' ? (
        <DecimalField
          label={t('autoTrades.form.slippage')}
          unit="%"
          value={order.maxSlippagePct}
          onChange={(value) => set(field('maxSlippagePct'), value)}
          error={errorOf(field('maxSlippagePct'))}
          hint={t('autoTrades.form.slippageHint')}
        />
      ) : (
        <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4">
          <DecimalField
            label={t('autoTrades.form.offset')}
            unit="%"
            value={order.offsetPct}
            onChange={(value) => set(field('offsetPct'), value)}
            error={errorOf(field('offsetPct'))}
            hint={t('autoTrades.form.offsetHint')}
          />
          <WholeField
            label={t('autoTrades.form.timeout')}
            unit={t('autoTrades.form.seconds')}
            value={order.timeoutSec}
            onChange={(value) => set(field('timeoutSec'), value)}
            error={errorOf(field('timeoutSec'))}
          />
          <SelectField
            label={t('autoTrades.form.onTimeout')}
            value={order.onTimeout}
            onChange={(value) => set(field('onTimeout'), value)}
            error={errorOf(field('onTimeout'))}
            options={(['cancel', 'reprice', 'market'] as const).map((value) => ({
              value,
              label: t(`autoTrades.form.timeoutAction.${value}`),
            }))}
          />
          {order.onTimeout === 'reprice' && (
            <WholeField
              label={t('autoTrades.form.reprices')}
              value={order.maxReprices}
              onChange={(value) => set(field('maxReprices'), value)}
              error={errorOf(field('maxReprices'))}
            />
          )}
        </Grid>
      )}
    </Flex>
  );
}
