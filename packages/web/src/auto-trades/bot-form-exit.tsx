import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { IconButton, SelectField, SwitchField } from '../ui/controls.tsx';
import { DecimalField, WholeField } from '../ui/decimal-field.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/primitives.tsx';
import type { StepProps } from './bot-form.tsx';
import { OrderFields } from './order-fields.tsx';

const MAX_LEVELS = 10;

export function ExitStep({ draft, set, errorOf }: StepProps) {
  const { t } = useTranslation();
  const { takeProfit, trailingCost, stopLoss } = draft;
  const levels = takeProfit.levels;
  const columns = { base: '1fr', sm: '1fr 1fr' };
  return (
    <Flex direction="column" gap="6">
      <Flex direction="column" gap="3">
        <Text textStyle="label">{t('autoTrades.form.takeProfit')}</Text>
        {levels.map((level, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: levels are known by their position
          <Grid key={index} templateColumns="1fr 1fr auto" gap="3" alignItems="start">
            <DecimalField
              label={t('autoTrades.form.gain')}
              unit="%"
              value={level.gainPct}
              onChange={(value) => set(`takeProfit.levels.${index}.gainPct`, value)}
              error={errorOf(`takeProfit.levels.${index}.gainPct`)}
            />
            <DecimalField
              label={t('autoTrades.form.share')}
              unit="%"
              value={level.sellPct}
              onChange={(value) => set(`takeProfit.levels.${index}.sellPct`, value)}
              error={errorOf(`takeProfit.levels.${index}.sellPct`)}
            />
            <Box pt="24px">
              <IconButton
                icon="close"
                label={t('autoTrades.form.removeLevel', { level: index + 1 })}
                type="button"
                onClick={() =>
                  set(
                    'takeProfit.levels',
                    levels.filter((_, other) => other !== index),
                  )
                }
              />
            </Box>
          </Grid>
        ))}
        {errorOf('takeProfit.levels') && (
          <Text role="alert" color="danger.fg" fontSize="13px">
            {errorOf('takeProfit.levels')}
          </Text>
        )}
        {levels.length < MAX_LEVELS && (
          <Button
            type="button"
            size="xs"
            variant="outline"
            color="fg"
            alignSelf="flex-start"
            onClick={() => set('takeProfit.levels', [...levels, { gainPct: '', sellPct: '' }])}
          >
            <Icon name="plus" size={14} />
            {t('autoTrades.form.addLevel')}
          </Button>
        )}
      </Flex>
      <Flex direction="column" gap="3">
        <SwitchField
          label={t('autoTrades.form.trailingCost')}
          hint={t('autoTrades.form.trailingCostHint')}
          checked={trailingCost.enabled}
          onChange={(value) => set('trailingCost.enabled', value)}
        />
        {trailingCost.enabled && (
          <Grid templateColumns={columns} gap="4">
            <DecimalField
              label={t('autoTrades.form.arm')}
              unit="%"
              value={trailingCost.armGainPct}
              onChange={(value) => set('trailingCost.armGainPct', value)}
              error={errorOf('trailingCost.armGainPct')}
            />
            <DecimalField
              label={t('autoTrades.form.distance')}
              unit="%"
              value={trailingCost.distancePct}
              onChange={(value) => set('trailingCost.distancePct', value)}
              error={errorOf('trailingCost.distancePct')}
            />
            <DecimalField
              label={t('autoTrades.form.stepPct')}
              unit="%"
              value={trailingCost.stepPct}
              onChange={(value) => set('trailingCost.stepPct', value)}
              error={errorOf('trailingCost.stepPct')}
            />
            <WholeField
              label={t('autoTrades.form.lineExpiry')}
              unit={t('autoTrades.form.minutes')}
              value={trailingCost.expiryMin}
              onChange={(value) => set('trailingCost.expiryMin', value)}
              error={errorOf('trailingCost.expiryMin')}
              hint={t('autoTrades.form.zeroNever')}
            />
            <SelectField
              label={t('autoTrades.form.onExpiry')}
              value={trailingCost.onExpiry}
              onChange={(value) => set('trailingCost.onExpiry', value)}
              options={(['rearm', 'disarm', 'sellIfProfit'] as const).map((value) => ({
                value,
                label: t(`autoTrades.form.expiryAction.${value}`),
              }))}
            />
            <SelectField
              label={t('autoTrades.form.floor')}
              value={trailingCost.floor}
              onChange={(value) => set('trailingCost.floor', value)}
              options={(['breakEven', 'none'] as const).map((value) => ({ value, label: t(`autoTrades.form.floorKind.${value}`) }))}
            />
          </Grid>
        )}
      </Flex>
      <Flex direction="column" gap="3">
        <SelectField
          label={t('autoTrades.form.stopLoss')}
          hint={t('autoTrades.form.stopLossHint')}
          value={stopLoss.mode}
          error={errorOf('stopLoss') ?? errorOf('stopLoss.mode')}
          onChange={(mode) => set('stopLoss', mode === 'percent' ? { mode, pct: '5', basis: 'avgCost', confirmSec: 0 } : { mode })}
          options={[
            ...(stopLoss.mode === '' ? [{ value: '', label: t('autoTrades.form.stopMode.choose') }] : []),
            { value: 'percent', label: t('autoTrades.form.stopMode.percent') },
            { value: 'none', label: t('autoTrades.form.stopMode.none') },
          ]}
        />
        {stopLoss.mode === 'percent' && (
          <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr 1fr' }} gap="4">
            <DecimalField
              label={t('autoTrades.form.stopPct')}
              unit="%"
              value={stopLoss.pct}
              onChange={(value) => set('stopLoss.pct', value)}
              error={errorOf('stopLoss.pct')}
            />
            <SelectField
              label={t('autoTrades.form.stopBasis')}
              value={stopLoss.basis}
              onChange={(value) => set('stopLoss.basis', value)}
              options={(['avgCost', 'firstBuy'] as const).map((value) => ({ value, label: t(`autoTrades.form.basis.${value}`) }))}
            />
            <WholeField
              label={t('autoTrades.form.confirm')}
              unit={t('autoTrades.form.seconds')}
              value={stopLoss.confirmSec}
              onChange={(value) => set('stopLoss.confirmSec', value)}
              error={errorOf('stopLoss.confirmSec')}
            />
          </Grid>
        )}
      </Flex>
      <OrderFields path="exit.order" order={draft.exit.order} set={set} errorOf={errorOf} title={t('autoTrades.form.exitOrder')} />
    </Flex>
  );
}
