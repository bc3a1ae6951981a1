import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/auto-trade-config';
import type { PositionChange } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { useTranslation } from 'react-i18next';
import { Notice, SwitchField } from '../ui/controls.tsx';
import { type BotDraft, STEPS, type Step, stepOf } from './bot-draft.ts';
import type { FormPart } from './bot-form.tsx';
import { Section } from './form-fields.tsx';
import { PositionChanges } from './position-changes.tsx';
import { settingChanges } from './setting-fields.ts';
import { SettingDiff, settingName } from './setting-list.tsx';
import { coinsText, lineText, protectionsText, rebuysText, settingText, stopText, triggerText, type Words } from './setting-words.ts';

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
  const say: Partial<Record<Step, readonly string[]>> = {
    basics: [settingText('walletId', draft.walletId, words), coinsText(draft.coins, words)],
    entry: [settingText('entry.size', draft.entry.size, words), triggerText(draft.entry.trigger, words)],
    rebuys: [rebuysText(draft.rebuys, words)],
    exit: [
      settingText('takeProfit.levels', draft.takeProfit.levels, words),
      `${t('autoTrades.form.stopLoss')}: ${stopText(draft.stopLoss, words)}`,
      ...(draft.trailingCost.enabled ? [lineText(draft.trailingCost, words)] : []),
    ],
    safety: [protectionsText(draft, words)],
  };
  return (
    <Box>
      {STEPS.filter((step) => say[step]).map((step) => (
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
            {say[step]?.join(' · ')}
          </Text>
        </Flex>
      ))}
    </Box>
  );
}
