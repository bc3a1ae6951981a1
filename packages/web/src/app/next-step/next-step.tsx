import { Box, Flex, Text } from '@chakra-ui/react';
import { type FinishedStep, type FirstDayFacts, type Offer, type OfferFocus, offerAfter } from '@pilotfish/core/overview/first-days';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton, LinkButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useFirstDayFacts, useRemembered } from './use-first-days.ts';

type Props = {
  /** The step that ends here. */
  readonly after: FinishedStep;
  /** What it ended with, where that is not the same each time: a bot, a file. */
  readonly name?: string | undefined;
  /** A button that does it here, in place of the way to where it is done; null where the screen has it already. */
  readonly doneHere?: ((offer: Offer) => ReactNode) | undefined;
  readonly known?: FirstDayFacts | undefined;
  /** Where what it belongs to is: the line keeps its distance from there. */
  readonly side?: 'above' | 'below' | 'none';
} & OfferFocus;

/** What comes next at the end of a step, where it is not done already; the same as `NextStep` draws. */
export const useNextStep = (after: FinishedStep, focus: OfferFocus = {}, known: FirstDayFacts = {}): Offer | undefined =>
  offerAfter(after, useFirstDayFacts(after, known), focus);

/** At the end of a step, in its place: what was done, and the one thing that comes next. It stays until that is done. */
export function NextStep({ known, side = 'below', id, isNew, ...line }: Props) {
  const offer = useNextStep(line.after, { id, isNew }, known);
  // The region is there before its words: what appears with its region is not read out.
  return (
    <Box role="status" css={offer && { [side === 'above' ? 'marginTop' : 'marginBottom']: side === 'none' ? 0 : '12px' }}>
      {offer && <Line {...line} offer={offer} />}
    </Box>
  );
}

/** As large as a finger on phones. */
const TARGET = { w: { base: '11', md: '9' }, h: { base: '11', md: '9' } };

function Line({ after, name, offer, doneHere }: Pick<Props, 'after' | 'name' | 'doneHere'> & { offer: Offer }) {
  const { t } = useTranslation();
  const remember = useRemembered();
  const { id, to, memory, values } = offer;
  const here = doneHere?.(offer);
  return (
    <Flex
      align="center"
      gap="3"
      rowGap="2.5"
      wrap={{ base: 'wrap', md: 'nowrap' }}
      ps="4"
      pe={memory === undefined ? '3' : '2'}
      py="2.5"
      bg="bg.panel"
      borderWidth="1px"
      borderColor="border"
      borderRadius="panel"
    >
      <Flex
        display={{ base: 'none', md: 'flex' }}
        w="7"
        h="7"
        flexShrink="0"
        align="center"
        justify="center"
        borderRadius="full"
        bg="brand.muted"
        color="brand.fg"
      >
        <Icon name="check" size={16} />
      </Flex>
      <Text flex="1 1 0" minW="0" fontSize="14px" lineHeight="20px" overflowWrap="anywhere">
        <Text as="span" color="fg.muted">
          {t(`nextSteps.after.${after}`, { name })}
        </Text>{' '}
        {t(`nextSteps.offers.${id}.text`, values)}
      </Text>
      {here !== null && (
        <Box order={{ base: 3, md: 0 }} flexBasis={{ base: '100%', md: 'auto' }} flexShrink="0">
          {here ?? (
            <LinkButton
              to={to}
              size="sm"
              colorPalette="brand"
              w={{ base: '100%', md: 'auto' }}
              h={{ base: '11', md: '9' }}
              {...(id === 'holdings' && memory !== undefined && { onClick: () => remember(memory) })}
            >
              {t(`nextSteps.offers.${id}.button`, values)}
            </LinkButton>
          )}
        </Box>
      )}
      {memory !== undefined && <IconButton icon="close" label={t('nextSteps.dismiss')} {...TARGET} onClick={() => remember(memory)} />}
    </Flex>
  );
}
