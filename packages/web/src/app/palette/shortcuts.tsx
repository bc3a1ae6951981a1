import { Box, chakra } from '@chakra-ui/react';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useApp } from '../../platform/app-context.tsx';
import { withTexts } from '../../platform/texts.ts';
import { IconButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { railOf } from '../frame/rail-width.ts';
import { keyAction } from './shortcut-keys.ts';

const Palette = lazy(() => withTexts(import('./palette.tsx')));
const ShortcutSheet = lazy(() => withTexts(import('./shortcut-sheet.tsx')));
/** How long `g` waits for its second letter. */
const SECOND_MS = 1200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=range])'));

/** The button of the palette, and the keys of every screen; what they open arrives when first asked for. */
export function Shortcuts() {
  const { t } = useTranslation();
  const rail = railOf(useApp());
  const navigate = useNavigate();
  const [open, setOpen] = useState<'palette' | 'sheet'>();
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const before = useRef<{ key: string; at: number }>(undefined);
  const show = useCallback((what: 'palette' | 'sheet') => {
    setWanted((known) => new Set([...known, what]));
    setOpen(what);
  }, []);
  const close = useCallback(() => setOpen(undefined), []);
  const showSheet = useCallback(() => show('sheet'), [show]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat) return;
      const held = before.current && event.timeStamp - before.current.at < SECOND_MS ? before.current.key : undefined;
      before.current = undefined;
      const { key, ctrlKey, metaKey, altKey } = event;
      const action = keyAction({ key, ctrlKey, metaKey, altKey, isTyping: isTyping(event.target) }, held);
      // A question that is open takes the keys itself.
      if (action === undefined || (document.querySelector('dialog[open]') && action !== 'palette')) return;
      if (action === 'first') {
        before.current = { key, at: event.timeStamp };
        return;
      }
      event.preventDefault();
      const field = action === 'search' ? document.querySelector<HTMLElement>('main input[type=search]') : null;
      if (field) field.focus();
      else if (action === 'rail') rail.toggle();
      else if (action === 'sheet') show('sheet');
      else if (action === 'palette' || action === 'search') show('palette');
      else void navigate(action);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, show, rail]);
  return (
    <>
      <Box display={{ base: 'block', lg: 'none' }}>
        <IconButton icon="search" label={t('palette.open')} aria-keyshortcuts="Control+K Meta+K" onClick={() => show('palette')} />
      </Box>
      <chakra.button
        type="button"
        display={{ base: 'none', lg: 'flex' }}
        alignItems="center"
        gap="2"
        h="8"
        minW="248px"
        whiteSpace="nowrap"
        ps="2.5"
        pe="2"
        borderWidth="1px"
        borderColor="border"
        borderRadius="control"
        bg="bg"
        color="fg.subtle"
        cursor="pointer"
        _hover={{ borderColor: 'border.control' }}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => show('palette')}
      >
        <Icon name="search" size={15} />
        {t('palette.open')}
        <chakra.kbd
          ms="auto"
          px="5px"
          borderWidth="1px"
          borderColor="border"
          borderRadius="4px"
          bg="bg.panel"
          fontSize="11px"
          fontFamily="inherit"
          aria-hidden="true"
        >
          Ctrl K
        </chakra.kbd>
      </chakra.button>
      <Suspense fallback={null}>
        {wanted.has('palette') && <Palette open={open === 'palette'} onClose={close} onSheet={showSheet} />}
        {wanted.has('sheet') && <ShortcutSheet open={open === 'sheet'} onClose={close} />}
      </Suspense>
    </>
  );
}
