import { Flex, Grid, Text } from '@chakra-ui/react';
import type { FieldError } from '@pilotfish/core/http/problem';
import { useTranslation } from 'react-i18next';
import { Notice, SelectField } from '../ui/controls.tsx';
import { WholeField } from '../ui/decimal-field.tsx';
import type { StepProps } from './bot-form.tsx';

/** Pauses between trades, and everything that still stands in the way. */
export function ReviewStep({ draft, set, errorOf, errors }: StepProps & { errors: ReadonlyMap<string, FieldError> }) {
  const { t } = useTranslation();
  const { cooldown } = draft;
  return (
    <Flex direction="column" gap="5">
      <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr 1fr' }} gap="4">
        <WholeField
          label={t('autoTrades.form.afterWin')}
          unit={t('autoTrades.form.minutes')}
          value={cooldown.afterWinMin}
          onChange={(value) => set('cooldown.afterWinMin', value)}
          error={errorOf('cooldown.afterWinMin')}
        />
        <WholeField
          label={t('autoTrades.form.afterLoss')}
          unit={t('autoTrades.form.minutes')}
          value={cooldown.afterLossMin}
          onChange={(value) => set('cooldown.afterLossMin', value)}
          error={errorOf('cooldown.afterLossMin')}
        />
        <SelectField
          label={t('autoTrades.form.scope')}
          value={cooldown.scope}
          onChange={(value) => set('cooldown.scope', value)}
          options={(['coin', 'bot'] as const).map((value) => ({ value, label: t(`autoTrades.form.scopeKind.${value}`) }))}
        />
      </Grid>
      {errors.size > 0 ? (
        <Notice tone="error" title={t('autoTrades.form.mustFix')}>
          <Flex as="ul" direction="column" gap="1" mt="1" ps="4">
            {[...errors.values()].map((error) => (
              <li key={error.path}>
                <Text as="span" fontFamily="mono" fontSize="12px" lang="en" translate="no" color="fg.muted">
                  {error.path}
                </Text>{' '}
                {error.message}
              </li>
            ))}
          </Flex>
        </Notice>
      ) : (
        <Notice tone="info" title={t('autoTrades.form.disabledTitle')} live={false}>
          {t('autoTrades.form.disabled')}
        </Notice>
      )}
    </Flex>
  );
}
