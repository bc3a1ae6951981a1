import { chakra, Flex, Heading } from '@chakra-ui/react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../primitives.tsx';
import { Decision } from './dialog.tsx';
import { NotDone } from './not-done.tsx';
import { useConfirming } from './use-confirming.ts';
import { useModal } from './use-modal.ts';

/** Says what will happen before it happens, and stays until it has; what went wrong is said in it. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirm,
  danger = false,
  follows = false,
  onConfirm,
  onClose,
}: {
  open: boolean;
  title: string;
  children: ReactNode;
  confirm: string;
  danger?: boolean;
  /** It follows another question: its button never lies where that one's was, so a second tap in haste cancels. */
  follows?: boolean;
  /** Rejects when it was not done. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { busy, problem, close, confirm: run } = useConfirming(onClose);
  const { id, dialog } = useModal(open, close);
  return (
    <chakra.dialog
      {...dialog}
      m="auto"
      p="0"
      w="min(480px, calc(100vw - 32px))"
      bg="bg.panel"
      color="fg"
      // It may stand in the cell of a table, whose lines do not break.
      whiteSpace="normal"
      textAlign="start"
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
        <NotDone problem={problem} />
        <Flex gap="2" justify="flex-end" direction={follows ? 'row-reverse' : 'row'} mt="1">
          <Decision
            confirm={problem ? t('ui.retry') : confirm}
            danger={danger}
            disabled={busy}
            onConfirm={() => run(onConfirm)}
            onCancel={close}
          />
        </Flex>
      </Flex>
    </chakra.dialog>
  );
}

/** A button that asks first, and names in the question what it does. */
export function ConfirmAction({
  label,
  title,
  children,
  danger = false,
  onConfirm,
  ...button
}: Omit<ComponentProps<typeof Button>, 'onClick' | 'colorPalette'> &
  Pick<Parameters<typeof ConfirmDialog>[0], 'title' | 'children' | 'danger' | 'onConfirm'> & { label: string }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button {...button} colorPalette={danger ? 'danger' : 'brand'} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog open={asking} title={title} confirm={label} danger={danger} onConfirm={onConfirm} onClose={() => setAsking(false)}>
        {children}
      </ConfirmDialog>
    </>
  );
}
