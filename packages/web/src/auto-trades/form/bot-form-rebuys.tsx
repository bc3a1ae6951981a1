import { Flex, Text } from '@chakra-ui/react';
import { lasts, rebuysText } from '@pilotfish/core/auto-trades/config/setting-words';
import { useTranslation } from 'react-i18next';
import { Segments } from '../../ui/controls.tsx';
import type { FormPart } from './bot-form.tsx';
import { ChoiceAt, Columns, DecimalAt, FieldProblem, Folded, Section, WholeAt } from './form-fields.tsx';
import { LevelRows } from './level-rows.tsx';

const MAX_LEVELS = 20;
const GENERATOR = { count: 3, stepPct: '3', stepScale: '1', sizeScale: '1' } as const;

/** Buying more while the price falls: by hand, or by a rule that makes the levels. */
export function RebuysStep({ form, words }: FormPart) {
  const { t } = useTranslation();
  const { rebuys } = form.draft;
  const kind = rebuys.generator ? 'generator' : rebuys.levels.length > 0 ? 'levels' : 'none';
  return (
    <Flex direction="column" gap="6">
      <Section lead={t('autoTrades.form.rebuysLead')}>
        <Segments
          label={t('autoTrades.form.rebuys')}
          size="sm"
          value={kind}
          options={(['none', 'generator', 'levels'] as const).map((value) => ({ value, label: t(`autoTrades.form.rebuyKind.${value}`) }))}
          onChange={(next) =>
            form.set('rebuys', {
              ...rebuys,
              levels: next === 'levels' ? [{ dropPct: '3', sizeMultiplier: '1' }] : [],
              generator: next === 'generator' ? GENERATOR : null,
            })
          }
        />
        {kind === 'generator' && (
          <Columns>
            <WholeAt form={form} path="rebuys.generator.count" />
            <DecimalAt form={form} path="rebuys.generator.stepPct" unit="%" />
            <DecimalAt form={form} path="rebuys.generator.stepScale" unit="×" hint={t('autoTrades.form.stepScaleHint')} />
            <DecimalAt form={form} path="rebuys.generator.sizeScale" unit="×" hint={t('autoTrades.form.sizeScaleHint')} />
          </Columns>
        )}
        {kind === 'levels' && (
          <LevelRows
            form={form}
            path="rebuys.levels"
            most={MAX_LEVELS}
            fields={[
              { name: 'dropPct', unit: '%' },
              { name: 'sizeMultiplier', unit: '×' },
            ]}
            fresh={(last) => ({ dropPct: '', sizeMultiplier: last?.sizeMultiplier ?? '1' })}
          />
        )}
        <FieldProblem>{form.errorOf('rebuys') ?? form.errorOf('rebuys.generator')}</FieldProblem>
        <Text role="status" fontSize="13px" fontWeight="600">
          {rebuysText(rebuys, words)}
        </Text>
      </Section>
      {kind !== 'none' && (
        <Folded
          title={t('autoTrades.form.rebuyWhen')}
          summary={t('autoTrades.words.rebuyWhen', {
            basis: t(`autoTrades.form.basis.${rebuys.basis}`),
            time: lasts(rebuys.minMinutesBetween, 60_000, words),
          })}
          wrong={(['basis', 'minMinutesBetween', 'trailingReboundPct'] as const).some((field) => form.isWrong(`rebuys.${field}`))}
        >
          <Columns>
            <ChoiceAt
              form={form}
              path="rebuys.basis"
              options={(['lastBuy', 'firstBuy', 'avgCost'] as const).map((value) => ({
                value,
                label: t(`autoTrades.form.basis.${value}`),
              }))}
            />
            <WholeAt form={form} path="rebuys.minMinutesBetween" unit={t('autoTrades.form.minutes')} />
            <DecimalAt form={form} path="rebuys.trailingReboundPct" unit="%" hint={t('autoTrades.form.rebuyReboundHint')} />
          </Columns>
        </Folded>
      )}
    </Flex>
  );
}
