import { Flex, Grid, Text } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Segments, SwitchField } from '../ui/controls.tsx';
import { DecimalField, WholeField } from '../ui/decimal-field.tsx';
import type { StepProps } from './bot-form.tsx';
import { OrderFields } from './order-fields.tsx';

export function EntryStep({ draft, set, errorOf }: StepProps) {
  const { t } = useTranslation();
  const { entry } = draft;
  const columns = { base: '1fr', sm: '1fr 1fr' };
  return (
    <Flex direction="column" gap="6">
      <Flex direction="column" gap="3">
        <Text textStyle="label">{t('autoTrades.form.size')}</Text>
        <Segments
          label={t('autoTrades.form.size')}
          size="sm"
          value={entry.size.mode}
          options={(['fixed', 'percentOfWallet'] as const).map((value) => ({ value, label: t(`autoTrades.form.sizeMode.${value}`) }))}
          onChange={(mode) => set('entry.size', { mode, value: mode === 'fixed' ? '15' : '5' })}
        />
        <Grid templateColumns={columns} gap="4">
          <DecimalField
            label={t('autoTrades.form.perEntry')}
            unit={entry.size.mode === 'fixed' ? 'USDT' : '%'}
            value={entry.size.value}
            onChange={(value) => set('entry.size.value', value)}
            error={errorOf('entry.size.value')}
          />
          <WholeField
            label={t('autoTrades.form.maxOpen')}
            value={draft.maxOpenPositions}
            onChange={(value) => set('maxOpenPositions', value)}
            error={errorOf('maxOpenPositions')}
          />
        </Grid>
      </Flex>
      <Flex direction="column" gap="3">
        <Text textStyle="label">{t('autoTrades.form.trigger')}</Text>
        <Segments
          label={t('autoTrades.form.trigger')}
          size="sm"
          value={entry.trigger.kind}
          options={(['drop', 'immediate'] as const).map((value) => ({ value, label: t(`autoTrades.form.triggerKind.${value}`) }))}
          onChange={(kind) => set('entry.trigger', kind === 'drop' ? { kind, dropPct: '3', lookbackMin: 240 } : { kind })}
        />
        {entry.trigger.kind === 'drop' && (
          <Grid templateColumns={columns} gap="4">
            <DecimalField
              label={t('autoTrades.form.drop')}
              unit="%"
              value={entry.trigger.dropPct}
              onChange={(value) => set('entry.trigger.dropPct', value)}
              error={errorOf('entry.trigger.dropPct')}
              hint={t('autoTrades.form.dropHint')}
            />
            <WholeField
              label={t('autoTrades.form.lookback')}
              unit={t('autoTrades.form.minutes')}
              value={entry.trigger.lookbackMin}
              onChange={(value) => set('entry.trigger.lookbackMin', value)}
              error={errorOf('entry.trigger.lookbackMin')}
            />
          </Grid>
        )}
      </Flex>
      <Flex direction="column" gap="3">
        <SwitchField
          label={t('autoTrades.form.trailing')}
          hint={t('autoTrades.form.trailingHint')}
          checked={entry.trailing.enabled}
          onChange={(value) => set('entry.trailing.enabled', value)}
        />
        {entry.trailing.enabled && (
          <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr 1fr' }} gap="4">
            <DecimalField
              label={t('autoTrades.form.rebound')}
              unit="%"
              value={entry.trailing.reboundPct}
              onChange={(value) => set('entry.trailing.reboundPct', value)}
              error={errorOf('entry.trailing.reboundPct')}
            />
            <DecimalField
              label={t('autoTrades.form.chase')}
              unit="%"
              value={entry.trailing.maxChasePct}
              onChange={(value) => set('entry.trailing.maxChasePct', value)}
              error={errorOf('entry.trailing.maxChasePct')}
            />
            <WholeField
              label={t('autoTrades.form.expiry')}
              unit={t('autoTrades.form.minutes')}
              value={entry.trailing.expiryMin}
              onChange={(value) => set('entry.trailing.expiryMin', value)}
              error={errorOf('entry.trailing.expiryMin')}
            />
          </Grid>
        )}
      </Flex>
      <OrderFields path="entry.order" order={entry.order} set={set} errorOf={errorOf} title={t('autoTrades.form.entryOrder')} />
      <DecimalField
        label={t('autoTrades.form.maxSpread')}
        unit="%"
        value={entry.maxSpreadPct}
        onChange={(value) => set('entry.maxSpreadPct', value)}
        error={errorOf('entry.maxSpreadPct')}
        hint={t('autoTrades.form.maxSpreadHint')}
      />
    </Flex>
  );
}
