import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { PositionChange } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { type BotDraft, STEPS, type Step, stepOf } from '@pilotfish/core/auto-trades/config/bot-draft';
import { settingChanges } from '@pilotfish/core/auto-trades/config/setting-fields';
import { planText, settingName, type Words } from '@pilotfish/core/auto-trades/config/setting-words';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/controls.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { Button } from '../../ui/primitives.tsx';
import { ExposureNotice } from '../exposure-notice.tsx';
import { SettingDiff } from '../setting-list.tsx';
import { useWallets } from '../use-auto-trades.ts';
import type { FormPart } from './bot-form.tsx';
import { Section } from './form-fields.tsx';
import { PositionChanges } from './position-changes.tsx';

type Props = FormPart & {
  /** @param wrong path of what is wrong in it */
  onStep: (step: Step, wrong?: string) => void;
  /** The settings being changed; undefined for a new bot. */
  before: AutoTradeConfig | undefined;
  openPositions: number;
  applyToOpen: boolean;
  onApplyToOpen: (apply: boolean) => void;
  changes: readonly PositionChange[];
  settled: boolean;
};

/** The whole plan in words, what changes, and everything that still stands in the way. */
export function ReviewStep({ form, words, errors, onStep, before, openPositions, applyToOpen, onApplyToOpen, changes, settled }: Props) {
  const { t } = useTranslation();
  const { draft, set } = form;
  const mode = useWallets().data?.find(({ id }) => id === draft.walletId)?.mode;
  return (
    <Flex direction="column" gap="6">
      {errors.size > 0 ? (
        <Notice tone="error" title={t('autoTrades.form.mustFix')}>
          <Flex as="ul" direction="column" gap="1" mt="1" listStyleType="none">
            {[...errors.values()].map((error) => (
              <li key={error.path}>
                <chakra.button
                  type="button"
                  textDecoration="underline"
                  textUnderlineOffset="3px"
                  cursor="pointer"
                  fontWeight="600"
                  onClick={() => onStep(stepOf(error.path), error.path)}
                >
                  {settingName(error.path, words.t)}
                </chakra.button>
                : {error.message}
              </li>
            ))}
          </Flex>
        </Notice>
      ) : (
        !before && (
          <Notice tone="info" title={t('autoTrades.form.disabledTitle')} live={false}>
            {t('autoTrades.form.disabled')}
          </Notice>
        )
      )}
      <ExposureNotice
        mode={mode}
        config={draft}
        action={(exposure) => (
          <Button
            type="button"
            size="sm"
            onClick={() => (exposure === 'stopAtServer' ? set('protectiveStop.enabled', true) : onStep('exit'))}
          >
            {t(exposure === 'stopAtServer' ? 'autoTrades.exposed.turnOn' : 'autoTrades.exposed.toExit')}
          </Button>
        )}
      />
      {before ? (
        <Section title={t('autoTrades.versions.changes')}>
          <SettingDiff changes={settingChanges(before, form.draft)} words={words} />
        </Section>
      ) : (
        <Plan draft={form.draft} words={words} onStep={onStep} />
      )}
      {before && openPositions > 0 && (
        <Section title={t('autoTrades.form.openTitle', { count: openPositions })}>
          <SwitchField
            label={t('autoTrades.form.applyToOpen')}
            hint={applyToOpen ? t('autoTrades.form.openTaken') : t('autoTrades.form.openKeep', { count: openPositions })}
            checked={applyToOpen}
            onChange={onApplyToOpen}
          />
          {applyToOpen && <PositionChanges changes={changes} settled={settled} />}
        </Section>
      )}
    </Flex>
  );
}

/** What the bot will do, one sentence for each step of the form. */
function Plan({ draft, words, onStep }: { draft: BotDraft; words: Words; onStep: (step: Step) => void }) {
  const { t } = useTranslation();
  const said: Partial<Record<Step, string>> = planText(draft, words);
  return (
    <Box>
      {STEPS.filter((step) => said[step]).map((step) => (
        <Flex key={step} gap="4" py="2.5" borderTopWidth="1px" borderColor="border.subtle" _first={{ borderTopWidth: '0' }}>
          <chakra.button
            type="button"
            w="110px"
            flexShrink="0"
            textAlign="start"
            fontWeight="600"
            color="brand.fg"
            cursor="pointer"
            onClick={() => onStep(step)}
          >
            {t(`autoTrades.form.step.${step}`)}
          </chakra.button>
          <Text minW="0" overflowWrap="anywhere">
            {said[step]}
          </Text>
        </Flex>
      ))}
    </Box>
  );
}
