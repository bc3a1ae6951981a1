import { Flex } from '@chakra-ui/react';
import { orderText, shown, trailingText } from '@pilotfish/core/auto-trades/config/setting-words';
import { useTranslation } from 'react-i18next';
import { Segments } from '../../ui/controls.tsx';
import type { FormPart } from './bot-form.tsx';
import { ConditionsField } from './conditions-field.tsx';
import { Columns, DecimalAt, Folded, Section, SwitchAt, WholeAt } from './form-fields.tsx';
import { OrderFields } from './order-fields.tsx';

const TRIGGERS = {
  drop: { kind: 'drop', dropPct: '3', lookbackMin: 240 },
  immediate: { kind: 'immediate' },
  conditions: { kind: 'conditions', rules: { match: 'all', rules: [] } },
  manual: { kind: 'manual' },
} as const;

export function EntryStep({ form, words, errors, currency }: FormPart) {
  const { t } = useTranslation();
  const { entry } = form.draft;
  return (
    <Flex direction="column" gap="6">
      <Section title={t('autoTrades.form.size')}>
        <Flex gap="4" wrap="wrap" align="flex-start" direction="column">
          <Segments
            label={t('autoTrades.form.size')}
            size="sm"
            value={entry.size.mode}
            options={(['fixed', 'percentOfWallet'] as const).map((value) => ({ value, label: t(`autoTrades.form.sizeMode.${value}`) }))}
            onChange={(mode) => form.set('entry.size', { mode, value: mode === 'fixed' ? '15' : '5' })}
          />
          <Columns>
            <DecimalAt form={form} path="entry.size.value" unit={entry.size.mode === 'fixed' ? currency : '%'} />
          </Columns>
        </Flex>
      </Section>
      <Section title={t('autoTrades.form.trigger')} lead={t(`autoTrades.form.triggerLead.${entry.trigger.kind}`)}>
        <Segments
          label={t('autoTrades.form.trigger')}
          size="sm"
          value={entry.trigger.kind}
          options={(['drop', 'conditions', 'immediate', 'manual'] as const).map((value) => ({
            value,
            label: t(`autoTrades.form.triggerKind.${value}`),
          }))}
          onChange={(kind) => form.set('entry.trigger', TRIGGERS[kind])}
        />
        {entry.trigger.kind === 'drop' && (
          <Columns>
            <DecimalAt form={form} path="entry.trigger.dropPct" unit="%" hint={t('autoTrades.form.dropHint')} />
            <WholeAt form={form} path="entry.trigger.lookbackMin" unit={t('autoTrades.form.minutes')} />
          </Columns>
        )}
        {entry.trigger.kind === 'conditions' && <ConditionsField form={form} path="entry.trigger.rules" errors={errors} empty="group" />}
      </Section>
      <Flex direction="column" gap="3">
        <Folded title={t('autoTrades.form.trailing')} summary={trailingText(entry.trailing, words)} wrong={form.isWrong('entry.trailing')}>
          <SwitchAt form={form} path="entry.trailing.enabled" hint={t('autoTrades.form.trailingHint')} />
          {entry.trailing.enabled && (
            <Columns three>
              <DecimalAt form={form} path="entry.trailing.reboundPct" unit="%" />
              <DecimalAt form={form} path="entry.trailing.maxChasePct" unit="%" />
              <WholeAt form={form} path="entry.trailing.expiryMin" unit={t('autoTrades.form.minutes')} />
            </Columns>
          )}
        </Folded>
        <Folded
          title={t('autoTrades.form.entryOrder')}
          summary={`${orderText(entry.order, words)} ${t('autoTrades.words.spread', { value: shown(entry.maxSpreadPct) })}`}
          wrong={form.isWrong('entry.order') || form.isWrong('entry.maxSpreadPct')}
        >
          <OrderFields form={form} path="entry.order" title={t('autoTrades.form.entryOrder')} />
          <Columns>
            <DecimalAt form={form} path="entry.maxSpreadPct" unit="%" hint={t('autoTrades.form.maxSpreadHint')} />
          </Columns>
        </Folded>
      </Flex>
    </Flex>
  );
}
