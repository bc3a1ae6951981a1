import { chakra, Text } from '@chakra-ui/react';
import { STEPS, type Step } from '@pilotfish/core/auto-trades/config/bot-draft';
import { useTranslation } from 'react-i18next';

/** Read aloud, not shown, where all steps stand in one short line. */
const ON_PHONES_UNSEEN = {
  '@media (width < 768px)': { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
} as const;

/** The steps of the form, each open to go to, with how much is wrong in it. */
export function FormSteps({ step, wrongIn, onStep }: { step: Step; wrongIn: (step: Step) => number; onStep: (step: Step) => void }) {
  const { t } = useTranslation();
  const index = STEPS.indexOf(step);
  return (
    <chakra.ol display="flex" listStyleType="none" gap="2" mb="5" aria-label={t('autoTrades.form.steps')}>
      {STEPS.map((each, position) => {
        const wrong = wrongIn(each);
        return (
          <chakra.li key={each} flex={{ base: each === step ? '1 1 auto' : '1 1 0', md: '1' }} minW={{ base: '0', md: 'fit-content' }}>
            <chakra.button
              type="button"
              aria-current={each === step ? 'step' : undefined}
              onClick={() => onStep(each)}
              w="100%"
              textAlign="start"
              position="relative"
              py="2"
              minH={{ base: '11', md: 'auto' }}
              cursor="pointer"
              whiteSpace="nowrap"
              borderTopWidth="3px"
              borderColor={each === step ? 'brand.solid' : wrong > 0 ? 'danger.solid' : position < index ? 'brand.muted' : 'border.subtle'}
              color={each === step ? 'fg' : 'fg.muted'}
              fontWeight="600"
              fontSize="13px"
            >
              {position + 1}. {/* A phone has room for the name of the present step; the others are called by it. */}
              <chakra.span css={each === step ? {} : ON_PHONES_UNSEEN}>{t(`autoTrades.form.step.${each}`)}</chakra.span>
              {wrong > 0 && (
                <Text as="span" color="danger.fg" ms="1.5" css={each === step ? {} : ON_PHONES_UNSEEN}>
                  {t('autoTrades.form.wrong', { count: wrong })}
                </Text>
              )}
            </chakra.button>
          </chakra.li>
        );
      })}
    </chakra.ol>
  );
}
