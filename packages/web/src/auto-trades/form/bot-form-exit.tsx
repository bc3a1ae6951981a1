import { Flex } from '@chakra-ui/react';
import { lineText, orderText, settingText } from '@pilotfish/core/auto-trades/config/setting-words';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import type { FormPart } from './bot-form.tsx';
import { ConditionsField } from './conditions-field.tsx';
import { ChoiceAt, Columns, DecimalAt, Folded, Section, SwitchAt, WholeAt } from './form-fields.tsx';
import { LevelRows } from './level-rows.tsx';
import { OrderFields } from './order-fields.tsx';

const MAX_LEVELS = 10;

export function ExitStep(part: FormPart) {
  const { t } = useTranslation();
  const { form } = part;
  const { stopLoss } = form.draft;
  return (
    <Flex direction="column" gap="6">
      <Section title={t('autoTrades.form.takeProfit')} lead={t('autoTrades.form.takeProfitLead')}>
        <LevelRows
          form={form}
          path="takeProfit.levels"
          most={MAX_LEVELS}
          fields={[
            { name: 'gainPct', unit: '%' },
            { name: 'sellPct', unit: '%' },
          ]}
          fresh={() => ({ gainPct: '', sellPct: '' })}
        />
      </Section>
      <Section title={t('autoTrades.form.stopLoss')} lead={t('autoTrades.form.stopLossHint')}>
        <Columns three>
          <SelectField
            label={t('autoTrades.form.stopLoss')}
            value={stopLoss.mode}
            error={form.errorOf('stopLoss') ?? form.errorOf('stopLoss.mode')}
            onChange={(mode) => form.set('stopLoss', mode === 'percent' ? { mode, pct: '5', basis: 'avgCost', confirmSec: 0 } : { mode })}
            options={[
              ...(stopLoss.mode === '' ? [{ value: '', label: t('autoTrades.form.stopMode.choose') }] : []),
              { value: 'percent', label: t('autoTrades.form.stopMode.percent') },
              { value: 'none', label: t('autoTrades.form.stopMode.none') },
            ]}
          />
          {stopLoss.mode === 'percent' && (
            <>
              <DecimalAt form={form} path="stopLoss.pct" unit="%" />
              <ChoiceAt
                form={form}
                path="stopLoss.basis"
                options={(['avgCost', 'firstBuy'] as const).map((value) => ({ value, label: t(`autoTrades.form.basis.${value}`) }))}
              />
              <WholeAt form={form} path="stopLoss.confirmSec" unit={t('autoTrades.form.seconds')} />
            </>
          )}
        </Columns>
      </Section>
      <MoreExits {...part} />
    </Flex>
  );
}

/** Ways out that not everybody needs. */
function MoreExits({ form, words, errors }: FormPart) {
  const { t } = useTranslation();
  const { trailingCost, protectiveStop, timeStop, exit } = form.draft;
  const say = (path: string, value: unknown) => settingText(path, value, words);
  return (
    <Flex direction="column" gap="3">
      <Folded title={t('autoTrades.form.trailingCost')} summary={lineText(trailingCost, words)} wrong={form.isWrong('trailingCost')}>
        <SwitchAt form={form} path="trailingCost.enabled" hint={t('autoTrades.form.trailingCostHint')} />
        {trailingCost.enabled && (
          <Columns>
            <DecimalAt form={form} path="trailingCost.armGainPct" unit="%" />
            <DecimalAt form={form} path="trailingCost.distancePct" unit="%" />
            <DecimalAt form={form} path="trailingCost.stepPct" unit="%" />
            <WholeAt form={form} path="trailingCost.expiryMin" unit={t('autoTrades.form.minutes')} hint={t('autoTrades.form.zeroNever')} />
            <ChoiceAt
              form={form}
              path="trailingCost.onExpiry"
              options={(['rearm', 'disarm', 'sellIfProfit'] as const).map((value) => ({
                value,
                label: t(`autoTrades.form.expiryAction.${value}`),
              }))}
            />
            <ChoiceAt
              form={form}
              path="trailingCost.floor"
              options={(['breakEven', 'none'] as const).map((value) => ({ value, label: t(`autoTrades.form.floorKind.${value}`) }))}
            />
          </Columns>
        )}
      </Folded>
      <Folded
        title={t('autoTrades.form.protectiveStop')}
        summary={t(protectiveStop.enabled ? 'autoTrades.words.on' : 'autoTrades.words.off')}
        wrong={form.isWrong('protectiveStop')}
      >
        <SwitchAt form={form} path="protectiveStop.enabled" hint={t('autoTrades.form.protectiveStopHint')} />
        {protectiveStop.enabled && (
          <Columns>
            <DecimalAt form={form} path="protectiveStop.limitOffsetPct" unit="%" hint={t('autoTrades.form.stopOffsetHint')} />
          </Columns>
        )}
      </Folded>
      <Folded title={t('autoTrades.form.timeStop')} summary={say('timeStop', timeStop)} wrong={form.isWrong('timeStop')}>
        <SwitchField
          label={t('autoTrades.form.timeStop')}
          hint={t('autoTrades.form.timeStopHint')}
          checked={timeStop !== null}
          onChange={(on) => form.set('timeStop', on ? { hours: 72, onlyIfGainPctAbove: null } : null)}
        />
        {timeStop && (
          <Columns>
            <WholeAt form={form} path="timeStop.hours" unit={t('autoTrades.form.hours')} />
            <DecimalAt form={form} path="timeStop.onlyIfGainPctAbove" unit="%" optional hint={t('autoTrades.form.emptyAlways')} />
          </Columns>
        )}
      </Folded>
      <Folded
        title={t('autoTrades.form.exitConditions')}
        summary={say('exit.conditions', exit.conditions)}
        wrong={form.isWrong('exit.conditions') || form.isWrong('exit.minGainPct')}
      >
        <ConditionsField form={form} path="exit.conditions" errors={errors} empty="null" />
        <Columns>
          <DecimalAt form={form} path="exit.minGainPct" unit="%" optional hint={t('autoTrades.form.exitGainHint')} />
        </Columns>
      </Folded>
      <Folded title={t('autoTrades.form.exitOrder')} summary={orderText(exit.order, words)} wrong={form.isWrong('exit.order')}>
        <OrderFields form={form} path="exit.order" title={t('autoTrades.form.exitOrder')} />
      </Folded>
    </Flex>
  );
}
