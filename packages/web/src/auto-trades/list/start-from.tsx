import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import type { BotTemplate } from '@pilotfish/core/auto-trades/bot-templates-contract';
import { PRESETS, type Preset } from '@pilotfish/core/auto-trades/config/presets';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useRefusal } from '../../platform/use-trading.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Tag } from '../../ui/kit/badges.tsx';
import { Menu, MenuButton } from '../../ui/kit/menu.tsx';
import { TitledPanel } from '../../ui/kit/titled-panel.tsx';
import { Button } from '../../ui/primitives.tsx';
import { Skeleton } from '../../ui/state-panels.tsx';
import { Second } from '../../ui/tables/table-cells.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { RenameTemplateDialog } from '../templates/template-dialogs.tsx';
import { useBotTemplates, useTemplateChanges } from '../templates/use-templates.ts';

const ICONS: Readonly<Record<Preset, IconName>> = { cautious: 'admin', trend: 'up', dipBuyer: 'down' };
/** Own templates that are shown before all are asked for. */
const FIRST = 6;

/** Settings that a new bot can start from: templates, then presets. @param inColumn in a narrow column beside the bots */
export function StartFrom({ inColumn = false }: { inColumn?: boolean }) {
  const { t } = useTranslation();
  const refusal = useRefusal('bots');
  const templates = useBotTemplates({ enabled: !refusal.disabled });
  const [isAll, setAll] = useState(false);
  const [asking, setAsking] = useState<{ readonly what: 'rename' | 'delete'; readonly template: BotTemplate }>();
  const { remove } = useTemplateChanges();
  const list = useRef<HTMLDivElement>(null);
  const deleted = useRef<string>(undefined);
  const { data } = templates;
  // The menu that asked goes with its row: the keyboard goes on from the list.
  useEffect(() => {
    if (deleted.current === undefined || data?.some(({ id }) => id === deleted.current)) return;
    deleted.current = undefined;
    list.current?.focus();
  }, [data]);
  if (refusal.disabled) return null;
  const own = data ?? [];
  const template = (what: 'rename' | 'delete') => (asking?.what === what ? asking.template : undefined);
  const close = () => setAsking(undefined);
  return (
    <TitledPanel title={t('autoTrades.list.startFrom')} flush>
      {templates.hasFailed && (
        <Flex align="center" justify="space-between" gap="3" px="3.5" py="2" wrap="wrap" role="status" fontSize="13px">
          {t('autoTrades.templates.notLoaded')}
          <Button size="chip" variant="outline" color="fg" onClick={templates.retry}>
            {t('ui.retry')}
          </Button>
        </Flex>
      )}
      {data === undefined && !templates.hasFailed ? (
        // Presets would be pushed down by what comes before them.
        <Box px="3.5" pb="3">
          <Skeleton rows={PRESETS.length} height={30} />
        </Box>
      ) : (
        <Grid
          ref={list}
          as="ul"
          tabIndex={-1}
          outline="none"
          listStyleType="none"
          borderTopWidth="1px"
          borderColor="border.subtle"
          // Rows of several need no lines between them: the last is seldom full.
          css={{ '& > li + li': { borderTopWidth: inColumn ? '1px' : { base: '1px', md: '0' } } }}
          templateColumns={
            inColumn ? 'minmax(0, 1fr)' : { base: 'minmax(0, 1fr)', md: `repeat(auto-fit, minmax(${own.length > 0 ? 300 : 220}px, 1fr))` }
          }
        >
          {own.slice(0, isAll ? own.length : FIRST).map((each) => (
            <OwnEntry key={each.id} template={each} onAsk={(what) => setAsking({ what, template: each })} />
          ))}
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
      )}
      {!isAll && own.length > FIRST && (
        <Flex px="3.5" py="2" borderTopWidth="1px" borderColor="border.subtle">
          <Button size="chip" variant="ghost" color="fg.muted" onClick={() => setAll(true)}>
            {t('autoTrades.templates.showAll', { count: own.length })}
          </Button>
        </Flex>
      )}
      <RenameTemplateDialog template={template('rename')} onClose={close} />
      <ConfirmDialog
        open={template('delete') !== undefined}
        title={t('autoTrades.templates.deleteTitle', { name: asking?.template.name })}
        confirm={t('autoTrades.templates.delete')}
        danger
        onConfirm={async () => {
          if (!asking) return;
          await remove(asking.template);
          deleted.current = asking.template.id;
        }}
        onClose={close}
      >
        {t('autoTrades.templates.deleteLead')}
      </ConfirmDialog>
    </TitledPanel>
  );
}

/** One of the account's own: it can be renamed and deleted, also where this version cannot read it. */
function OwnEntry({ template, onAsk }: { template: BotTemplate; onAsk: (what: 'rename' | 'delete') => void }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const { id, name, settings, updatedAt } = template;
  return (
    <Entry
      {...(settings && { to: `/auto-trade/create?template=${id}` })}
      icon={settings ? 'star' : 'warning'}
      name={name}
      lead={settings ? t('autoTrades.templates.savedOn', { at: moment(updatedAt, 'day') }) : t('autoTrades.templates.unreadable')}
      tag={t('autoTrades.templates.yours')}
    >
      <Menu
        label={t('autoTrades.list.menuOf', { name })}
        variant="ghost"
        color="fg.muted"
        h={{ base: '11', md: '8' }}
        w={{ base: '11', md: '8' }}
        items={(close) =>
          (['rename', 'delete'] as const).map((what) => (
            <MenuButton
              key={what}
              color={what === 'delete' ? 'danger.fg' : undefined}
              onClick={() => {
                close();
                onAsk(what);
              }}
            >
              {t(`autoTrades.templates.${what}`)}
            </MenuButton>
          ))
        }
      />
    </Entry>
  );
}

type EntryProps = {
  /** The form that it fills in; nothing begins with what cannot be read. */
  to?: string;
  icon: IconName;
  name: string;
  lead: string;
  tag: string;
  children?: ReactNode;
};

function Entry({ to, icon, name, lead, tag, children }: EntryProps) {
  const content = (
    <>
      <Flex w="8" h="8" align="center" justify="center" borderRadius="7px" bg="bg.raised" color="fg.muted">
        <Icon name={icon} size={16} />
      </Flex>
      <Box minW="0">
        <chakra.span display="block" fontWeight="560" fontSize="13px" lineHeight="18px" truncate title={name} dir="auto">
          {name}
        </chakra.span>
        <Second>{lead}</Second>
      </Box>
      <Tag>{tag}</Tag>
    </>
  );
  return (
    <chakra.li display="flex" alignItems="center" minW="0" borderColor="border.subtle">
      <chakra.div
        asChild
        display="grid"
        flex="1"
        minW="0"
        gridTemplateColumns="32px minmax(0, 1fr) auto"
        gap="2.5"
        alignItems="center"
        px="3.5"
        py="2"
        minH="11"
        {...(to !== undefined && { _hover: { bg: 'bg.raised' } })}
      >
        {to === undefined ? <div>{content}</div> : <Link to={to}>{content}</Link>}
      </chakra.div>
      {children && <Box pe="2">{children}</Box>}
    </chakra.li>
  );
}
