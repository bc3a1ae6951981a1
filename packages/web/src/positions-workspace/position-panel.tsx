import { chakra } from '@chakra-ui/react';
import { type RefObject, useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { BotPosition } from './bot-position.tsx';
import type { Chosen } from './chosen.ts';
import { botOf, idOf } from './chosen-places.ts';
import { ClosedPositionBody } from './closed-position.tsx';
import { HandPosition } from './hand-position.tsx';
import { PanelHeader } from './panel-header.tsx';

/** Of the top bar and the gap below it, and of the gap at the foot of the page, px. */
const [TOP, FOOT] = [48 + 14, 20];

const ROOM = `calc(100dvh - var(--panel-top, ${TOP}px) - ${FOOT}px)`;

/**
 * The chosen position beside the tables: it stays in sight and scrolls by itself. Another choice swaps what is in it.
 * Its `row` is drawn as it is given: the page gives a new one with each newer price.
 * @param props.isStale newer figures cannot be had: what is shown is grey
 */
export function PositionPanel({ chosen, isStale = false, onClose }: { chosen: Chosen; isStale?: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const headingId = useId();
  const box = useRef<HTMLElement>(null);
  const id = idOf(chosen);
  const close = () => {
    const { activeElement } = document;
    const wasWithin = activeElement === document.body || box.current?.contains(activeElement);
    onClose();
    // What had the focus is gone with the panel: it goes back to the row.
    if (wasWithin) document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] a`)?.focus();
  };
  useEscape(close);
  useRoom(box);
  useEffect(() => {
    if (id) box.current?.scrollTo({ top: 0 });
  }, [id]);
  return (
    <chakra.aside
      ref={box}
      aria-labelledby={headingId}
      aria-description={t('positions.panel.label')}
      display="flex"
      flexDirection="column"
      minW="0"
      alignSelf="start"
      position={{ lg: 'sticky' }}
      top={{ lg: `${TOP}px` }}
      minH={{ lg: ROOM }}
      maxH={{ lg: ROOM }}
      overflowY={{ lg: 'auto' }}
      className="rings-inside"
      bg="bg.panel"
      borderWidth="1px"
      borderColor="border.subtle"
      borderRadius="panel"
      fontSize="13px"
      lineHeight="18px"
    >
      <PanelHeader chosen={chosen} headingId={headingId} onClose={close} />
      <chakra.div display="contents" className={isStale ? 'stale' : undefined}>
        <Body chosen={chosen} />
      </chakra.div>
    </chakra.aside>
  );
}

function Body({ chosen }: { chosen: Chosen }) {
  if (chosen.kind === 'closed') return <ClosedPositionBody chosen={chosen} />;
  const botId = botOf(chosen);
  if (chosen.kind === 'bot') return botId === undefined ? null : <BotPosition chosen={chosen} botId={botId} />;
  return <HandPosition chosen={chosen} />;
}

/** Below what stands above the tables there is less room than once that is scrolled away: its actions stay in the window. */
function useRoom(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const measure = () => {
      const panel = box.current;
      panel?.style.setProperty('--panel-top', `${Math.max(TOP, Math.round(panel.getBoundingClientRect().top))}px`);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    window.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', measure);
      window.removeEventListener('resize', measure);
    };
  }, [box]);
}

/** Escape belongs first to what is open over the page, and to a field that is being filled. */
function useEscape(close: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    const { target } = event;
    const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select');
    if (isTyping || document.querySelector('dialog[open], [aria-expanded="true"]')) return;
    close();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
