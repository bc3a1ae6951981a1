import { Box, Flex, Text } from '@chakra-ui/react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useAutoTrades } from '../../auto-trades/use-auto-trades.ts';
import { useApp, useServices, useStore } from '../../platform/app-context.tsx';
import { ROUTES } from '../../platform/route-table.ts';
import { useChoice } from '../../platform/use-choice.ts';
import { useIsAdmin, useSignedIn } from '../../platform/use-session.ts';
import { useCurrencyNames, useOfferedPairs } from '../../prices/use-prices.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { focusedFirst } from '../../ui/dialogs/use-modal.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Input } from '../../ui/primitives.tsx';
import { useStayingChoice } from '../../ui/use-staying-choice.ts';
import { findItems, looksLikeAlert, MOST_RECENT, type PaletteItem } from './palette-items.ts';

const ICONS: Record<PaletteItem['group'], IconName> = { screens: 'home', pairs: 'prices', bots: 'bots', actions: 'check' };
type Runnable = PaletteItem & { readonly run: () => void };

/** One field that goes anywhere and does what has no screen: pairs, screens, bots, actions. */
export default function Palette({ open, onClose, onSheet }: { open: boolean; onClose: () => void; onSheet: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} title={t('palette.title')} onClose={onClose} width={600}>
      <Search onClose={onClose} onSheet={onSheet} />
    </Dialog>
  );
}

function useItems(onSheet: () => void): Runnable[] {
  const { t, i18n } = useTranslation();
  const app = useApp();
  const navigate = useNavigate();
  const { appearance, setLanguage } = useServices();
  const theme = useStore(appearance.theme);
  const signedIn = useSignedIn();
  const isAdmin = useIsAdmin();
  const pairs = useOfferedPairs();
  const names = useCurrencyNames();
  const bots = useBots(signedIn);
  return useMemo(() => {
    const go = (path: string) => () => void navigate(path);
    const screens = ROUTES.filter(
      ({ path, access }) =>
        !path.includes(':') &&
        (access === 'public' ||
          (access === 'guest' ? !signedIn && path !== '/auth/confirm-2fa' && path !== '/auth/verify-otp' : signedIn)) &&
        (access !== 'admin' || isAdmin),
    ).map(
      ({ path, page }): Runnable => ({ id: `screen:${path}`, group: 'screens', label: t(`routes.${page}`), words: path, run: go(path) }),
    );
    const action = (id: string, label: string, run: () => void): Runnable => ({ id: `action:${id}`, group: 'actions', label, run });
    const language = i18n.language === 'tr' ? 'en' : 'tr';
    return [
      ...screens,
      ...(signedIn
        ? [
            action('alert', t('palette.action.alert'), go('/price-alerts?symbol=')),
            action('settings', t('palette.action.notifications'), go('/user/notifications?tab=settings')),
          ]
        : []),
      action('theme', t(theme === 'dark' ? 'ui.toLight' : 'ui.toDark'), () => appearance.setTheme(theme === 'dark' ? 'light' : 'dark')),
      action('language', language === 'tr' ? 'Türkçe' : 'English', () => setLanguage(language)),
      action('keys', t('palette.keys.title'), onSheet),
      ...(signedIn ? [action('logout', t('auth.signOut'), () => app.session.send({ type: 'logout.requested' }))] : []),
      ...bots.map(({ id, name }): Runnable => ({ id: `bot:${id}`, group: 'bots', label: name, run: go(`/auto-trade/detail/${id}`) })),
      ...[...(pairs?.values() ?? [])].map(
        ({ symbol, baseAsset, quoteAsset }): Runnable => ({
          id: `pair:${symbol}`,
          group: 'pairs',
          label: `${baseAsset} / ${quoteAsset}`,
          words: `${symbol} ${names?.get(baseAsset) ?? ''}`,
          run: go(`/prices?pair=${symbol}`),
        }),
      ),
    ];
  }, [t, i18n.language, app, navigate, appearance, setLanguage, theme, signedIn, isAdmin, pairs, names, bots, onSheet]);
}

const NO_BOTS: readonly { id: string; name: string }[] = [];
function useBots(signedIn: boolean): readonly { id: string; name: string }[] {
  const { data } = useAutoTrades({ enabled: signedIn });
  return data ?? NO_BOTS;
}

function Search({ onClose, onSheet }: { onClose: () => void; onSheet: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const signedIn = useSignedIn();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [chosen, choose] = useChoice('recentItems');
  const [recent] = useState(chosen ?? []);
  const items = useItems(onSheet);
  const found = useMemo(() => {
    const best = findItems(typed, items, recent) as Runnable[];
    if (!signedIn || !looksLikeAlert(typed)) return best;
    const line: Runnable = {
      id: 'action:line',
      group: 'actions',
      label: t('palette.action.line', { line: typed.trim() }),
      run: () => void navigate(`/price-alerts?alert=${encodeURIComponent(typed.trim())}`),
    };
    return [line, ...best];
  }, [typed, items, recent, signedIn, navigate, t]);
  // By its id, not by its place: pairs and bots come when they are loaded, and Enter must not meet what came meanwhile.
  const [marked, mark] = useStayingChoice(found[0]?.id);
  const current = found.findIndex((item) => item.id === marked);
  const run = (item: Runnable | undefined) => {
    if (!item) return;
    if (item.id !== 'action:line') choose([item.id, ...recent.filter((each) => each !== item.id)].slice(0, MOST_RECENT));
    onClose();
    item.run();
  };
  const move = (next: number) => {
    const to = (next + found.length) % Math.max(1, found.length);
    mark(found[to]?.id);
    document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      ArrowDown: current + 1,
      ArrowUp: Math.max(current, 0) - 1,
      Home: event.ctrlKey ? 0 : undefined,
      End: event.ctrlKey ? found.length - 1 : undefined,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      move(to);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(found[current]);
    }
  };
  return (
    <Flex direction="column" gap="3">
      <Input
        name="palette"
        role="combobox"
        aria-label={t('palette.placeholder')}
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={current >= 0 ? `${id}-${current}` : undefined}
        ref={focusedFirst}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        placeholder={t('palette.placeholder')}
        value={typed}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          mark(undefined);
        }}
      />
      <div role="status" className="visually-hidden">
        {t('palette.count', { count: found.length })}
      </div>
      <Box id={`${id}-list`} role="listbox" aria-label={t('palette.title')} maxH="min(420px, 56dvh)" overflowY="auto" tabIndex={-1}>
        {found.map((item, index) => (
          <Flex
            key={item.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            gap="3"
            align="center"
            px="3"
            py="2.5"
            borderRadius="control"
            cursor="pointer"
            bg={index === current ? 'brand.subtle' : undefined}
            onPointerMove={() => mark(item.id)}
            onClick={() => run(item)}
          >
            <Box color="fg.muted" flexShrink="0">
              <Icon name={ICONS[item.group]} size={16} />
            </Box>
            <Text flex="1" minW="0" truncate>
              {item.label}
            </Text>
            <Text fontSize="12px" color="fg.muted" flexShrink="0">
              {t(`palette.group.${item.group}`)}
            </Text>
          </Flex>
        ))}
      </Box>
      {found.length === 0 && <Text color="fg.muted">{t('palette.nothing', { typed })}</Text>}
    </Flex>
  );
}
