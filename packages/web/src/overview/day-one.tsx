import { Box, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { type FirstDays, type FirstStep, type Offer, shareOfHistory } from '@pilotfish/core/overview/first-days';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ProgressBar } from '../positions/sync-panel.tsx';
import { IconButton, LinkButton, Panel, TextLink } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import type { ButtonProps } from '../ui/primitives.tsx';

type Props = {
  readonly days: FirstDays;
  readonly isPractice: boolean;
  /** Beside figures that are worth more room: one step beside the other, and the whole can be closed. */
  readonly onClose?: (() => void) | undefined;
};

/** The three steps to a first bot, how far they are, and the one that comes next. In place of figures while there are none. */
export function DayOne({ days, isPractice, onClose }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const { steps, next } = days;
  const isBeside = onClose !== undefined;
  return (
    <Panel aria-labelledby={id}>
      <Flex align="flex-start" justify="space-between" gap="3" mb="3">
        <Heading as="h2" id={id} textStyle="title" fontSize={isBeside ? '15px' : undefined}>
          {t('overview.dayOne.title')}
        </Heading>
        {onClose && (
          <Box mt="-2" me="-2">
            <IconButton
              icon="close"
              label={t('nextSteps.dismiss')}
              w={{ base: '11', md: '9' }}
              h={{ base: '11', md: '9' }}
              onClick={onClose}
            />
          </Box>
        )}
      </Flex>
      <Grid
        as="ol"
        listStyleType="none"
        gap={isBeside ? { base: '3', md: '4' } : '3'}
        templateColumns={{ base: 'minmax(0, 1fr)', md: isBeside ? 'repeat(3, minmax(0, 1fr))' : undefined }}
      >
        {steps.map((step, index) => (
          <Row key={step.id} number={index + 1} isDone={step.isDone} text={t(textOf(step, days), next?.values)}>
            <Note step={step} days={days} isPractice={isPractice} />
            {isBeside && next && step.id === 'bot' && <NextButton offer={next} mt="2.5" size="sm" h={{ base: '11', md: '9' }} />}
          </Row>
        ))}
      </Grid>
      {next && !isBeside && (
        <Flex gap="2" wrap="wrap" mt="5">
          <NextButton offer={next} />
          {next.id === 'connect' && (
            <LinkButton to="/auto-trade/create" variant="outline" color="fg">
              {t('nextSteps.offers.bot.button')}
            </LinkButton>
          )}
        </Flex>
      )}
    </Panel>
  );
}

const NextButton = ({ offer, ...props }: { offer: Offer } & ButtonProps) => {
  const { t } = useTranslation();
  return (
    <LinkButton to={offer.to} colorPalette="brand" {...props}>
      {t(`nextSteps.offers.${offer.id}.button`, offer.values)}
    </LinkButton>
  );
};

function textOf({ id }: FirstStep, { next, isOnPaper, hasWallet, steps }: FirstDays) {
  const isReady = steps.every((each) => each.id !== 'exchange' || each.isDone);
  if (id === 'account') return 'overview.dayOne.account';
  if (id === 'exchange') return isOnPaper ? 'overview.dayOne.onPaper' : isReady ? 'overview.dayOne.connected' : 'overview.dayOne.connect';
  if (next?.id === 'start') return 'overview.dayOne.start';
  return hasWallet ? 'overview.dayOne.botOnWallet' : 'overview.dayOne.bot';
}

function Row({ number, isDone, text, children }: { number: number; isDone: boolean; text: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Flex as="li" gap="3" align="flex-start" minW="0">
      <Flex
        w="6"
        h="6"
        flexShrink="0"
        align="center"
        justify="center"
        borderRadius="full"
        bg={isDone ? 'brand.muted' : 'bg.raised'}
        color={isDone ? 'brand.fg' : 'fg.muted'}
        fontSize="12px"
        fontWeight="650"
      >
        {isDone ? <Icon name="check" size={14} /> : number}
      </Flex>
      <Box minW="0" flex="1" pt="1px">
        <Text color={isDone ? 'fg.muted' : 'fg'} overflowWrap="anywhere">
          {text}
          {isDone && <span className="visually-hidden"> {t('overview.dayOne.done')}</span>}
        </Text>
        {children}
      </Box>
    </Flex>
  );
}

/** What a step has brought, or what there is to know before it. */
function Note({ step, days, isPractice }: { step: FirstStep } & Pick<Props, 'days' | 'isPractice'>) {
  const { t } = useTranslation();
  const { history, next, isOnPaper } = days;
  const note = { fontSize: '13px', color: 'fg.muted', mt: '0.5' } as const;
  if (step.id === 'bot') return next?.id === 'start' ? <Text {...note}>{t('overview.dayOne.startHint')}</Text> : null;
  if (step.id !== 'exchange') return null;
  if (!step.isDone) return <Text {...note}>{t(isPractice ? 'overview.dayOne.practice' : 'overview.dayOne.paper')}</Text>;
  if (isOnPaper)
    return (
      <TextLink to="/user/exchange-connect" fontSize="13px">
        {t('nextSteps.offers.connect.button')}
      </TextLink>
    );
  if (history?.state === 'running') {
    const share = shareOfHistory(history);
    const words = t('overview.dayOne.reading', { share, count: history.tradesFound });
    return (
      <Box maxW="320px">
        <Text {...note} mb="1.5" css={{ fontVariantNumeric: 'tabular-nums' }}>
          {words}
        </Text>
        <ProgressBar label={t('positions.sync.title')} share={share} />
      </Box>
    );
  }
  return history?.state === 'idle' ? (
    <TextLink to="/positions" fontSize="13px">
      {t('overview.dayOne.ready')}
    </TextLink>
  ) : null;
}
