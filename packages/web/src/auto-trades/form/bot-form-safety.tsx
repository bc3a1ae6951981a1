import { Flex, Grid } from '@chakra-ui/react';
import { BOT_NOTICES } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { settingText } from '@pilotfish/core/auto-trades/config/setting-words';
import { useTranslation } from 'react-i18next';
import { shownTimeZone } from '../../ui/fields/field-time.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import type { FormPart } from './bot-form.tsx';
import { ChoiceAt, Columns, DecimalAt, Folded, Section, WholeAt } from './form-fields.tsx';

const FRESH = {
  lowProfitCoin: { minTrades: 3, minProfitPct: '0', lookbackHours: 48, pauseHours: 24 },
  dailyLoss: { amount: '50', tz: 'UTC' },
  btcGuard: { dropPct: '3', windowMin: 60, resumePct: '1' },
} as const;

/** What pauses the bot by itself, what becomes of dust, and what it tells its owner. */
export function SafetyStep({ form, words, currency }: FormPart) {
  const { t } = useTranslation();
  const { protections, dust, notifications } = form.draft;
  const hours = t('autoTrades.form.hours');
  const folded = (name: keyof typeof protections) => ({
    title: t(`autoTrades.form.${name}`),
    summary: settingText(`protections.${name}`, protections[name], words),
    wrong: form.isWrong(`protections.${name}`),
  });
  const toggle = (name: keyof typeof FRESH) => (
    <SwitchField
      label={t(`autoTrades.form.${name}`)}
      hint={t(`autoTrades.form.protectionHint.${name}`)}
      checked={protections[name] !== null}
      onChange={(on) => form.set(`protections.${name}`, on ? FRESH[name] : null)}
    />
  );
  return (
    <Flex direction="column" gap="6">
      <Section title={t('autoTrades.form.protections')} lead={t('autoTrades.form.protectionsLead')}>
        <Folded {...folded('lossStreak')}>
          <Columns three>
            <WholeAt form={form} path="protections.lossStreak.count" hint={t('autoTrades.form.zeroOff')} />
            <WholeAt form={form} path="protections.lossStreak.lookbackHours" unit={hours} />
            <WholeAt form={form} path="protections.lossStreak.pauseHours" unit={hours} />
          </Columns>
        </Folded>
        <Folded {...folded('drawdown')}>
          <Columns three>
            <DecimalAt form={form} path="protections.drawdown.maxPct" unit="%" hint={t('autoTrades.form.zeroOff')} />
            <WholeAt form={form} path="protections.drawdown.lookbackHours" unit={hours} />
            <WholeAt form={form} path="protections.drawdown.pauseHours" unit={hours} />
          </Columns>
        </Folded>
        <Folded {...folded('lowProfitCoin')}>
          {toggle('lowProfitCoin')}
          {protections.lowProfitCoin && (
            <Columns>
              <WholeAt form={form} path="protections.lowProfitCoin.minTrades" />
              <DecimalAt form={form} path="protections.lowProfitCoin.minProfitPct" unit="%" />
              <WholeAt form={form} path="protections.lowProfitCoin.lookbackHours" unit={hours} />
              <WholeAt form={form} path="protections.lowProfitCoin.pauseHours" unit={hours} />
            </Columns>
          )}
        </Folded>
        <Folded {...folded('dailyLoss')}>
          {toggle('dailyLoss')}
          {protections.dailyLoss && (
            <Columns>
              <DecimalAt form={form} path="protections.dailyLoss.amount" unit={currency} />
              <ChoiceAt form={form} path="protections.dailyLoss.tz" options={timeZones(protections.dailyLoss.tz)} />
            </Columns>
          )}
        </Folded>
        <Folded {...folded('btcGuard')}>
          {toggle('btcGuard')}
          {protections.btcGuard && (
            <Columns three>
              <DecimalAt form={form} path="protections.btcGuard.dropPct" unit="%" />
              <WholeAt form={form} path="protections.btcGuard.windowMin" unit={t('autoTrades.form.minutes')} />
              <DecimalAt form={form} path="protections.btcGuard.resumePct" unit="%" />
            </Columns>
          )}
        </Folded>
      </Section>
      <Section title={t('autoTrades.form.cooldown')} lead={t('autoTrades.form.cooldownLead')}>
        <Columns three>
          <WholeAt form={form} path="cooldown.afterWinMin" unit={t('autoTrades.form.minutes')} />
          <WholeAt form={form} path="cooldown.afterLossMin" unit={t('autoTrades.form.minutes')} />
          <ChoiceAt
            form={form}
            path="cooldown.scope"
            options={(['coin', 'bot'] as const).map((value) => ({ value, label: t(`autoTrades.form.scopeKind.${value}`) }))}
          />
        </Columns>
      </Section>
      <Flex direction="column" gap="3">
        <Folded title={t('autoTrades.form.dust')} summary={settingText('dust.policy', dust.policy, words)} wrong={form.isWrong('dust')}>
          <Columns>
            <ChoiceAt
              form={form}
              path="dust.policy"
              hint={t('autoTrades.form.dustHint')}
              options={(['leave', 'includeInNext'] as const).map((value) => ({ value, label: t(`autoTrades.form.dustKind.${value}`) }))}
            />
            <DecimalAt form={form} path="dust.maxResidualPct" unit="%" />
          </Columns>
        </Folded>
        <Folded
          title={t('autoTrades.form.notifications')}
          summary={settingText('notifications', notifications, words)}
          wrong={form.isWrong('notifications')}
        >
          <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(3, minmax(0, 1fr))' }} gap="4">
            {BOT_NOTICES.map((kind) => (
              <SelectField
                key={kind}
                label={t(`autoTrades.notice.${kind}`)}
                value={notifications[kind] ?? 'off'}
                onChange={(channel) => form.set(`notifications.${kind}`, channel)}
                options={(['off', 'app', 'telegram', 'both'] as const).map((value) => ({ value, label: t(`autoTrades.channel.${value}`) }))}
              />
            ))}
          </Grid>
        </Folded>
      </Flex>
    </Flex>
  );
}

/** The zones of this browser, with the one that is set in any case. */
function timeZones(chosen: string): { value: string; label: string }[] {
  return [...new Set(['UTC', shownTimeZone(), chosen, ...Intl.supportedValuesOf('timeZone')])].map((value) => ({ value, label: value }));
}
