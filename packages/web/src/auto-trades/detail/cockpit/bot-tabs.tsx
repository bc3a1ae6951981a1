import { chakra, Flex } from '@chakra-ui/react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';

export const TABS = ['positions', 'why', 'story', 'compare', 'logs', 'settings'] as const;
export type Tab = (typeof TABS)[number];

const look = {
  display: 'inline-flex',
  alignItems: 'center',
  gap: '1.5',
  h: { base: '11', md: '10' },
  px: '2.5',
  mb: '-1px',
  fontSize: '13px',
  fontWeight: '550',
  color: 'fg.muted',
  whiteSpace: 'nowrap',
  cursor: 'pointer',
  flexShrink: '0',
  borderBottomWidth: '2px',
  borderColor: 'transparent',
  _hover: { color: 'fg' },
} as const;

/** What else is known of the bot, by tabs; testing it has a page of its own. */
export function BotTabs({
  botId,
  value,
  count,
  onChange,
}: {
  botId: string;
  value: Tab;
  /** Positions it has now. */
  count: number;
  onChange: (tab: Tab) => void;
}) {
  const { t } = useTranslation();
  const group = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: which one is pressed is read from the page
  useLayoutEffect(() => {
    const box = group.current;
    const pressed = box?.querySelector('[aria-pressed=true]');
    if (box && pressed instanceof HTMLElement && box.scrollWidth > box.clientWidth)
      box.scrollLeft = pressed.offsetLeft - box.offsetLeft - (box.clientWidth - pressed.offsetWidth) / 2;
  }, [value]);
  const badge = (children: ReactNode) => (
    <chakra.span
      aria-hidden="true"
      px="1.5"
      borderRadius="full"
      bg="bg.raised"
      fontSize="11px"
      lineHeight="16px"
      fontWeight="650"
      css={{ fontVariantNumeric: 'tabular-nums' }}
    >
      {children}
    </chakra.span>
  );
  return (
    <Flex
      ref={group}
      role="group"
      aria-label={t('autoTrades.views')}
      className="scroll-hint"
      px="2"
      overflowX="auto"
      borderBottomWidth="1px"
      borderColor="border.subtle"
      css={{ scrollbarWidth: 'none' }}
    >
      {TABS.map((tab) => (
        <chakra.button
          key={tab}
          type="button"
          {...look}
          css={{ '&[aria-pressed=true]': { color: 'var(--chakra-colors-fg)', borderColor: 'var(--chakra-colors-fg)' } }}
          aria-pressed={tab === value}
          onClick={() => onChange(tab)}
        >
          {t(`autoTrades.tab.${tab}`)}
          {tab === 'positions' && count > 0 && badge(count)}
        </chakra.button>
      ))}
      <chakra.span asChild {...look}>
        <Link to={`/auto-trade/detail/${botId}/backtest`}>{t('backtest.open')}</Link>
      </chakra.span>
    </Flex>
  );
}
