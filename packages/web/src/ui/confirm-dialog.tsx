import { chakra, Flex, Heading } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './primitives.tsx';
import { useModal } from './use-modal.ts';

/** Says what will happen before it happens. */
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
  const { id, dialog } = useModal(open, onClose);
  return (
    <chakra.dialog
      {...dialog}
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
