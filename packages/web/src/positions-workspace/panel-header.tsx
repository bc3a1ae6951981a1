import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import { formatSpan } from '@pilotfish/core/time/duration';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { BotMode } from '../auto-trades/bot-marks.tsx';
import { useApp } from '../platform/app-context.tsx';
import { PairName } from '../positions/pair-name.tsx';
import { PositionBadges } from '../positions/position-state.tsx';
import { IconButton, TextLink } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/primitives.tsx';
import { useMoment } from '../ui/use-moment.ts';
import type { Chosen } from './chosen.ts';
import { ownersOf, pageOf } from './chosen-places.ts';

/** Which position the panel is about: its pair, whose it is, since when, whose money it is, and the ways out. */
export function PanelHeader({ chosen, headingId, onClose }: { chosen: Chosen; headingId: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Flex gap="2.5" align="flex-start" ps="4" pe="2.5" pt="3" pb="2">
      <Box minW="0" flex="1">
        <Heading as="h2" id={headingId} tabIndex={-1} fontSize="16px" lineHeight="20px" fontWeight="600" outlineOffset="2px">
          <PairName {...chosen.row} />
        </Heading>
        <Text fontSize="12px" lineHeight="16px" color="fg.muted" mt="1">
          <Owner chosen={chosen} />
        </Text>
        <PositionBadges {...chosen.row} />
      </Box>
      <Flex gap="1.5" align="center" flexShrink="0">
        <BotMode mode={chosen.kind === 'hand' ? 'live' : chosen.mode} />
        <Button asChild variant="ghost" size="sm" px="0" w={{ base: '11', md: '8' }} h={{ base: '11', md: '8' }} color="fg.muted">
          <Link to={pageOf(chosen)} aria-label={t('positions.panel.page')} title={t('positions.panel.page')}>
            <Icon name="expand" size={15} />
          </Link>
        </Button>
        <IconButton
          icon="close"
          label={t('positions.panel.close')}
          w={{ base: '11', md: '8' }}
          h={{ base: '11', md: '8' }}
          onClick={onClose}
        />
      </Flex>
    </Flex>
  );
}

/** Whose it is, bots with the way to them, and for how long it is open or when it was closed. */
function Owner({ chosen }: { chosen: Chosen }) {
  const { t, i18n } = useTranslation();
  const moment = useMoment();
  const { now } = useApp().browser;
  const { bots, byHand } = ownersOf(chosen);
  const names: ReactNode[] = [
    ...bots.map(({ id, name }) => (
      <TextLink key={id} to={`/auto-trade/detail/${id}`} color="inherit">
        {name}
      </TextLink>
    )),
    ...(byHand ? [<span key="hand">{t('overview.byHand')}</span>] : []),
  ];
  const when =
    chosen.kind === 'closed'
      ? t('positions.panel.closedAt', { time: moment(chosen.row.closedAt) })
      : t('positions.panel.openFor', { span: formatSpan(now() - Date.parse(chosen.row.openedAt), i18n.language) });
  return (
    <>
      {names.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
        <Fragment key={index}>
          {index > 0 && ', '}
          {name}
        </Fragment>
      ))}
      {names.length > 0 && ' · '}
      {when}
    </>
  );
}
