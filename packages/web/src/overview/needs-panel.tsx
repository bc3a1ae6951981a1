import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { Need, NeedKind } from '@pilotfish/core/overview/overview-contract';
import { needActionText, needTexts } from '@pilotfish/core/overview/overview-words';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkButton } from '../ui/controls.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { ModeBadge } from '../ui/kit/badges.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { Button } from '../ui/primitives.tsx';
import { Second } from '../ui/tables/table-cells.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { type useNeeds, useShownFacts } from './use-overview.ts';

const SHOWN = 6;
const ICONS: Partial<Record<NeedKind, IconName>> = {
  'connection-failing': 'key',
  'key-no-trading': 'key',
  'key-ends': 'key',
  'balance-difference': 'link',
  'balance-differences': 'link',
  'history-failed': 'refresh',
  'positions-broken': 'positions',
  'channel-failed': 'alerts',
  'unknown-source': 'info',
};

/** What waits for its reader, most urgent first, each with the one thing to do about it. */
export function NeedsPanel({ needs }: { needs: ReturnType<typeof useNeeds> }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const { data } = needs;
  const checked = data && moment(data.checkedAt, 'second');
  const [all, setAll] = useState(false);
  const more = all ? 0 : (data?.items.length ?? 0) - SHOWN;
  return (
    <TitledPanel
      title={t('overview.needsYou')}
      count={
        data &&
        data.items.length > 0 && (
          <chakra.span px="6px" borderRadius="full" bg="secondary.muted" color="secondary.fg" fontSize="11px" fontWeight="650">
            {data.items.length}
          </chakra.span>
        )
      }
      actions={
        checked &&
        data.items.length > 0 && (
          <Text fontSize="12px" color="fg.muted" pe="2">
            {t('overview.checked', { time: checked })}
          </Text>
        )
      }
      query={needs}
      flush
      empty={data?.items.length === 0 ? <Text color="fg.muted">{t('overview.nothingNeedsYou', { time: checked })}</Text> : undefined}
    >
      <Box as="ul" listStyleType="none">
        {data?.items.slice(0, all ? undefined : SHOWN).map((need) => (
          <Row key={need.id} need={need} />
        ))}
      </Box>
      {more > 0 && (
        <Box px="2" pb="2">
          <Button size="xs" variant="ghost" color="fg.muted" onClick={() => setAll(true)}>
            {t('overview.more', { count: more })}
          </Button>
        </Box>
      )}
    </TitledPanel>
  );
}

function Row({ need }: { need: Need }) {
  const { t } = useTranslation();
  const shown = useShownFacts();
  const words = shown(need.facts);
  const texts = needTexts(need);
  const id = useId();
  return (
    <Flex as="li" align="center" gap="2.5" ps="3.5" pe="3" py="2.5" borderTopWidth="1px" borderColor="border.subtle">
      <Flex
        flexShrink="0"
        w="7"
        h="7"
        align="center"
        justify="center"
        borderRadius="7px"
        bg={need.rank === 1 ? 'secondary.muted' : 'bg.raised'}
        color={need.rank === 1 ? 'secondary.fg' : 'fg.muted'}
      >
        <Icon name={ICONS[need.kind] ?? 'warning'} size={16} />
      </Flex>
      <Box flex="1" minW="0">
        <Flex align="center" gap="1.5" wrap="wrap">
          <Text id={id} fontWeight="580" lineHeight="18px" minW="0" overflowWrap="anywhere">
            {t(texts.title, words)}
          </Text>
          {need.mode === 'paper' && <ModeBadge money="paper" />}
        </Flex>
        <Second>{t(texts.text, words)}</Second>
      </Box>
      <LinkButton to={need.link} size="xs" variant="outline" color="fg" aria-describedby={id}>
        {t(needActionText(need))}
      </LinkButton>
    </Flex>
  );
}
