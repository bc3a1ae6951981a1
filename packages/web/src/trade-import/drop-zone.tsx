import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRefusal } from '../platform/use-trading.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/primitives.tsx';

const TYPES = '.csv,.tsv,.txt,.xlsx,.zip';

/** A place to drop a file, and the button that does the same. */
export function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const refusal = useRefusal('trade-import');
  const [isOver, setIsOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <Flex
      direction="column"
      align="center"
      textAlign="center"
      gap="3"
      px="4"
      py={{ base: '8', md: '12' }}
      borderWidth="2px"
      borderStyle="dashed"
      borderColor={isOver ? 'brand.solid' : 'border'}
      bg={isOver ? 'brand.subtle' : undefined}
      borderRadius="panel"
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        const file = event.dataTransfer.files[0];
        if (file && !refusal.disabled) onFile(file);
      }}
    >
      <Box color="brand.fg">
        <Icon name="rows" size={32} />
      </Box>
      <Text fontWeight="600">{t('imports.drop')}</Text>
      <Text color="fg.muted" maxW="56ch">
        {t('imports.dropLead')}
      </Text>
      <Button colorPalette="brand" {...refusal} onClick={() => input.current?.click()}>
        {t('imports.choose')}
      </Button>
      <chakra.label htmlFor={id} className="visually-hidden">
        {t('imports.choose')}
      </chakra.label>
      <input
        ref={input}
        id={id}
        type="file"
        accept={TYPES}
        className="visually-hidden"
        tabIndex={-1}
        disabled={refusal.disabled}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // The same file can be chosen again.
          event.currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
    </Flex>
  );
}
