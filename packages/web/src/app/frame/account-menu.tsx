import { Box, chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDismissal } from '../../ui/dialogs/use-dismissal.ts';
import { Icon } from '../../ui/icons.tsx';
import { AccountItems } from './account-items.tsx';

/** The account at the foot of the rail. @param entry how an entry of the rail looks */
export default function AccountMenu({ entry, label }: { entry: HTMLChakraProps<'button'>; label: (text: string) => ReactNode }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const id = useId();
  const box = useDismissal(open, () => setOpen(false));
  return (
    <Box ref={box} position="relative">
      <chakra.button type="button" {...entry} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <Icon name="user" />
        {label(t('nav.account'))}
      </chakra.button>
      <Box
        id={id}
        hidden={!open}
        position="absolute"
        insetStart="calc(100% + 12px)"
        bottom="0"
        w="240px"
        maxH="calc(100dvh - 24px)"
        overflowY="auto"
        className="rings-inside"
        p="2"
        bg="bg.panel"
        borderWidth="1px"
        borderColor="border"
        borderRadius="panel"
        boxShadow="0 12px 32px rgb(0 0 0 / 35%)"
      >
        <AccountItems onGo={() => setOpen(false)} />
      </Box>
    </Box>
  );
}
