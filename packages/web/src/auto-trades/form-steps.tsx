import { chakra, Text } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { STEPS, type Step } from './bot-draft.ts';

const EDGE = 40;

/** The steps of the form, each open to go to, with how much is wrong in it. */
export function FormSteps({ step, wrongIn, onStep }: { step: Step; wrongIn: (step: Step) => number; onStep: (step: Step) => void }) {
  const { t } = useTranslation();
  const index = STEPS.indexOf(step);
  const list = useRef<HTMLOListElement>(null);
  // On a phone not all steps fit: the present one is always in sight.
  useEffect(() => {
    const current = list.current?.children[index];
    if (list.current && current instanceof HTMLElement) list.current.scrollLeft = current.offsetLeft - list.current.offsetLeft - EDGE;
  }, [index]);
  return (
    <chakra.ol
      ref={list}
      display="flex"
      listStyleType="none"
      gap="2"
      mb="5"
      aria-label={t('autoTrades.form.steps')}
      overflowX="auto"
      css={{ scrollbarWidth: 'none' }}
    >
      {STEPS.map((each, position) => {
        const wrong = wrongIn(each);
        return (
          <chakra.li key={each} flex="1" minW="fit-content">
            <chakra.button
              type="button"
              aria-current={each === step ? 'step' : undefined}
              onClick={() => onStep(each)}
              w="100%"
              textAlign="start"
              py="2"
              cursor="pointer"
              whiteSpace="nowrap"
              borderTopWidth="3px"
              borderColor={each === step ? 'brand.solid' : wrong > 0 ? 'danger.solid' : position < index ? 'brand.muted' : 'border.subtle'}
              color={each === step ? 'fg' : 'fg.muted'}
              fontWeight="600"
              fontSize="13px"
            >
              {position + 1}. {t(`autoTrades.form.step.${each}`)}
              {wrong > 0 && (
                <Text as="span" color="danger.fg" ms="1.5">
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
