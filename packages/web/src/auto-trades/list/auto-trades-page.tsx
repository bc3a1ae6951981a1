import { Flex, Grid, Text } from '@chakra-ui/react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp, useStore } from '../../platform/app-context.tsx';
import { useAddress } from '../../platform/use-address.ts';
import { PermittedLink } from '../../platform/use-trading.tsx';
import { Panel } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useRowKeys } from '../../ui/kit/use-row-keys.ts';
import { Button } from '../../ui/primitives.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { ThumbBar } from '../../ui/thumb-bar.tsx';
import { useUnreadable } from '../../ui/unreadable-items.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { CoinHaltDialog, CoinHalts } from '../coin-halts.tsx';
import { useWallets } from '../use-auto-trades.ts';
import { useWords } from '../use-words.ts';
import { AutoTradesFrame } from './auto-trades-frame.tsx';
import { filtered, LISTED } from './bot-address.ts';
import { BotCards } from './bot-card.tsx';
import { sorted } from './bot-order.ts';
import type { BotRow } from './bot-rows.ts';
import { BotsFigures } from './bots-figures.tsx';
import { BotsTable } from './bots-table.tsx';
import { BotsToolbar } from './bots-toolbar.tsx';
import { ComparePanel } from './compare-panel.tsx';
import { FITTING, listViewOf } from './list-view.ts';
import { StartFrom } from './start-from.tsx';
import { UnreadableBots } from './unreadable-bots.tsx';
import { useBotsList } from './use-bots-list.ts';

/** Which bot earns, and which needs me: every bot beside the others, what they come to, and where a new one begins. */
export default function AutoTradesPage() {
  const { t } = useTranslation();
  const { bots, figures, rows } = useBotsList();
  const [asking, setAsking] = useState(false);
  const unreadable = useUnreadable('auto-trade');
  const some = (bots.data?.length ?? 0) + unreadable.length > 0;
  return (
    <AutoTradesFrame
      title={t('routes.autoTrades')}
      query={bots}
      beside={
        <>
          {some && (
            <Button size="xs" variant="ghost" color="fg.muted" onClick={() => setAsking(true)}>
              {t('autoTrades.coinHalt.halt')}
            </Button>
          )}
          {(bots.hasFailed || rows?.length === 0) && (
            <PermittedLink
              permission="bots"
              to="/auto-trade/create"
              size="xs"
              variant="outline"
              color="fg"
              display={{ base: 'none', md: 'inline-flex' }}
            >
              <Icon name="plus" size={15} />
              {t('autoTrades.create')}
            </PermittedLink>
          )}
        </>
      }
    >
      <UnreadableBots bots={unreadable} />
      <CoinHalts bots={bots.data ?? []} />
      {bots.hasFailed ? (
        <Panel>
          <ErrorPanel problem={bots.problem} onRetry={bots.retry} />
        </Panel>
      ) : rows === undefined ? (
        <Waiting />
      ) : rows.length === 0 ? (
        <FirstBot />
      ) : (
        <BotsList rows={rows} isStale={bots.isStale || figures.isStale} figures={figures} />
      )}
      <CoinHaltDialog open={asking} onClose={() => setAsking(false)} />
    </AutoTradesFrame>
  );
}

/** In the shape of what comes. */
const Waiting = () => (
  <Flex direction="column" gap="3">
    <div className="skeleton" style={{ height: 86 }} />
    <div className="skeleton" style={{ height: 36 }} />
    <Panel>
      <Skeleton rows={8} height={34} />
    </Panel>
  </Flex>
);

function FirstBot() {
  const { t } = useTranslation();
  return (
    <Flex direction="column" gap="3">
      <Panel>
        <EmptyState
          icon="bots"
          title={t('autoTrades.emptyTitle')}
          action={
            <PermittedLink permission="bots" to="/auto-trade/create" colorPalette="brand">
              {t('autoTrades.createFirst')}
            </PermittedLink>
          }
        >
          {t('autoTrades.emptyLead')}
        </EmptyState>
      </Panel>
      <StartFrom />
      <PhoneBar />
    </Flex>
  );
}

const PhoneBar = () => {
  const { t } = useTranslation();
  return (
    <ThumbBar label={t('autoTrades.cockpit.actions')}>
      <PermittedLink permission="bots" to="/auto-trade/create" colorPalette="brand">
        <Icon name="plus" size={18} />
        {t('autoTrades.create')}
      </PermittedLink>
    </ThumbBar>
  );
};

/** Which rows are chosen; one that is gone is not. */
function useChosen(rows: readonly BotRow[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string) => {
    setIds((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  return {
    ids,
    rows: useMemo(() => rows.filter(({ bot }) => ids.has(bot.id)), [rows, ids]),
    toggle,
    choose: (next: Iterable<string>) => setIds(new Set(next)),
  };
}

function BotsList({
  rows,
  isStale,
  figures,
}: {
  rows: readonly BotRow[];
  isStale: boolean;
  figures: ReturnType<typeof useBotsList>['figures'];
}) {
  const { t, i18n } = useTranslation();
  const words = useWords();
  const wallets = useWallets().data ?? [];
  const kept = listViewOf(useApp());
  const keptView = useStore(kept.view);
  const keptColumns = useStore(kept.columns);
  const isPhone = !useMedia('(min-width: 768px)');
  const isNarrow = !useMedia('(min-width: 1100px)');
  const isWide = useMedia('(min-width: 1400px)');
  const [address, change] = useAddress(LISTED);
  const view = isPhone ? 'cards' : (address.view ?? keptView ?? 'table');
  const columns = keptColumns ?? FITTING[isWide ? 'wide' : isNarrow ? 'narrow' : 'middle'];
  const found = useMemo(() => filtered(rows, address), [rows, address]);
  const shown = useMemo(() => sorted(found.rows, address.sort, i18n.language), [found.rows, address.sort, i18n.language]);
  const chosen = useChosen(shown);
  const list = useRef<HTMLDivElement>(null);
  const compared = useRef<HTMLDivElement>(null);
  useRowKeys(list, {
    onToggle: (id) => view === 'table' && chosen.toggle(id),
    onCompare: () => {
      compared.current?.scrollIntoView({ block: 'nearest' });
      compared.current?.focus({ preventScroll: true });
    },
    onGiveUp: () => chosen.choose([]),
  });
  return (
    <Flex direction="column" gap={{ base: '2.5', md: '3' }}>
      {figures.hasFailed ? (
        <Panel>
          <ErrorPanel problem={figures.problem} onRetry={figures.retry} />
        </Panel>
      ) : (
        <BotsFigures rows={rows} chosen={address.mode} isStale={isStale} />
      )}
      <BotsToolbar
        address={address}
        counts={found.counts}
        wallets={wallets}
        view={isPhone ? undefined : view}
        columns={columns}
        onChange={change}
        onView={(next) => {
          kept.chooseView(next);
          change({ view: undefined });
        }}
        onColumns={kept.chooseColumns}
      />
      <div ref={list} className={isStale ? 'stale' : undefined}>
        {shown.length === 0 ? (
          <Panel>
            <Flex align="center" gap="3" wrap="wrap">
              <Text color="fg.muted">{t('autoTrades.list.noneFound')}</Text>
              <Button
                size="xs"
                variant="outline"
                color="fg"
                onClick={() => change({ state: 'all', mode: 'all', wallet: undefined, search: '' })}
              >
                {t('autoTrades.list.showAll')}
              </Button>
            </Flex>
          </Panel>
        ) : view === 'cards' ? (
          <BotCards rows={shown} />
        ) : (
          <BotsTable
            rows={shown}
            columns={columns}
            words={words}
            sort={address.sort}
            onSort={(sort) => change({ sort })}
            chosen={chosen.ids}
            onToggle={chosen.toggle}
            onAll={(on) => chosen.choose(on ? shown.map(({ bot }) => bot.id) : [])}
          />
        )}
      </div>
      {view === 'table' && chosen.rows.length > 0 ? (
        <Grid
          templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 300px', xl: 'minmax(0, 1fr) 372px' }}
          gap="3"
          alignItems="start"
        >
          <ComparePanel rows={chosen.rows} heading={compared} onClose={() => chosen.choose([])} />
          <StartFrom inColumn />
        </Grid>
      ) : (
        <StartFrom />
      )}
      <PhoneBar />
    </Flex>
  );
}
