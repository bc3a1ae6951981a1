import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import { PRESETS, type Preset } from '@pilotfish/core/auto-trades/config/presets';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useRefusal } from '../../app/use-trading.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Tag } from '../../ui/kit/badges.tsx';
import { TitledPanel } from '../../ui/kit/titled-panel.tsx';
import { Second } from '../../ui/table-cells.tsx';

const ICONS: Readonly<Record<Preset, IconName>> = { cautious: 'admin', trend: 'up', dipBuyer: 'down' };

/** Settings that a new bot can begin with. @param inColumn beside something else */
export function StartFrom({ inColumn = false }: { inColumn?: boolean }) {
  const { t } = useTranslation();
  const refusal = useRefusal('bots');
  if (refusal.disabled) return null;
  return (
    <TitledPanel title={t('autoTrades.list.startFrom')} flush>
      <Grid
        as="ul"
        listStyleType="none"
        templateColumns={inColumn ? 'minmax(0, 1fr)' : { base: 'minmax(0, 1fr)', md: 'repeat(auto-fit, minmax(220px, 1fr))' }}
      >
        {PRESETS.map((preset) => (
          <Entry
            key={preset}
            to={`/auto-trade/create?preset=${preset}`}
            icon={ICONS[preset]}
            name={t(`autoTrades.preset.${preset}.name`)}
            lead={t(`autoTrades.preset.${preset}.lead`)}
            tag={t('autoTrades.list.preset')}
          />
        ))}
      </Grid>
    </TitledPanel>
  );
}

const Entry = ({ to, icon, name, lead, tag }: { to: string; icon: IconName; name: string; lead: string; tag: string }) => (
  <chakra.li borderTopWidth="1px" borderColor="border.subtle">
    <chakra.div
      asChild
      display="grid"
      gridTemplateColumns="32px minmax(0, 1fr) auto"
      gap="2.5"
      alignItems="center"
      px="3.5"
      py="2"
      minH="11"
      _hover={{ bg: 'bg.raised' }}
    >
      <Link to={to}>
        <Flex w="8" h="8" align="center" justify="center" borderRadius="7px" bg="bg.raised" color="fg.muted">
          <Icon name={icon} size={16} />
        </Flex>
        <Box minW="0">
          <chakra.span display="block" fontWeight="560" fontSize="13px" lineHeight="18px">
            {name}
          </chakra.span>
          <Second>{lead}</Second>
        </Box>
        <Tag>{tag}</Tag>
      </Link>
    </chakra.div>
  </chakra.li>
);
