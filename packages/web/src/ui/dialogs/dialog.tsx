import { Box, chakra, Flex, Heading } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../controls.tsx';
import { Button } from '../primitives.tsx';
import { useModal } from './use-modal.ts';

/**
 * Something that wants attention of its own: in the middle of a desktop, a sheet from below on a phone. Its content
 * exists only while open.
 */
export function Dialog({
  open,
  title,
  onClose,
  children,
  actions,
  width = 520,
}: {
  open: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Stays in sight while the content scrolls. */
  actions?: ReactNode;
  width?: number;
}) {
  const { t } = useTranslation();
  const { id, dialog } = useModal(open, onClose);
  return (
    <chakra.dialog
      {...dialog}
      m={{ base: '0', md: 'auto' }}
      mt={{ base: 'auto', md: 'auto' }}
      p="0"
      w={{ base: '100vw', md: `min(${width}px, calc(100vw - 32px))` }}
      maxW="none"
      maxH={{ base: '92dvh', md: '86dvh' }}
      bg="bg.panel"
      color="fg"
      // It may stand in the cell of a table, whose lines do not break.
      whiteSpace="normal"
      textAlign="start"
      borderWidth="1px"
      borderColor="border"
      borderRadius={{ base: '12px 12px 0 0', md: 'panel' }}
      overflow="hidden"
      css={{ '&::backdrop': { background: 'rgb(4 8 16 / 65%)' }, '&[open]': { display: 'flex', flexDirection: 'column' } }}
    >
      <Flex justify="space-between" align="center" gap="3" px="5" pt="4" pb="2">
        <Heading as="h2" id={id} textStyle="title">
          {title}
        </Heading>
        <IconButton icon="close" label={t('ui.close')} onClick={onClose} />
      </Flex>
      <Box px="5" pb={actions ? 3 : 5} overflowY="auto" flex="1" minH="0">
        {open && children}
      </Box>
      {actions && (
        <Flex gap="2" justify="flex-end" px="5" py="3" borderTopWidth="1px" borderColor="border.subtle" wrap="wrap">
          {open && actions}
        </Flex>
      )}
    </chakra.dialog>
  );
}

/** The way out, and what the dialog asks about. Without `onConfirm` it sends the form around it. */
export function Decision({
  confirm,
  danger = false,
  disabled,
  onConfirm,
  onCancel,
}: {
  confirm: string;
  danger?: boolean;
  disabled: boolean;
  onConfirm?: () => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      <Button type="button" variant="ghost" color="fg" onClick={onCancel}>
        {t('ui.cancel')}
      </Button>
      <Button type={onConfirm ? 'button' : 'submit'} colorPalette={danger ? 'danger' : 'brand'} disabled={disabled} onClick={onConfirm}>
        {confirm}
      </Button>
    </>
  );
}

/** The same at the end of a form. */
export const FormEnd = (props: Omit<Parameters<typeof Decision>[0], 'onConfirm'>) => (
  <Flex gap="2" justify="flex-end">
    <Decision {...props} />
  </Flex>
);
