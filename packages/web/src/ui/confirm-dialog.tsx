import { chakra, Flex, Heading } from '@chakra-ui/react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './primitives.tsx';

/** Says what will happen before it happens. The browser's own dialog keeps the focus inside and gives it back. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirm,
  danger = false,
  onConfirm,
  onClose,
}: {
  open: boolean;
  title: string;
  children: ReactNode;
  confirm: string;
  danger?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  }, [open]);
  return (
    <chakra.dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      m="auto"
      p="0"
      w="min(480px, calc(100vw - 32px))"
      bg="bg.panel"
      color="fg"
      borderWidth="1px"
      borderColor="border"
      borderRadius="panel"
      css={{ '&::backdrop': { background: 'rgb(4 8 16 / 65%)' } }}
    >
      <Flex direction="column" gap="4" p="5">
        <Heading as="h2" id={id} textStyle="title">
          {title}
        </Heading>
        <Flex direction="column" gap="3" color="fg.muted">
          {children}
        </Flex>
        <Flex gap="2" justify="flex-end" mt="1">
          <Button variant="ghost" color="fg" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button
            colorPalette={danger ? 'danger' : 'brand'}
            onClick={() => {
              onConfirm();
              onClose();
            }}
          >
            {confirm}
          </Button>
        </Flex>
      </Flex>
    </chakra.dialog>
  );
}
