import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { type ReactNode, useId } from 'react';

/** On or off, at once. */
export function SwitchField({
  label,
  hint,
  checked,
  onChange,
  disabled,
}: {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <Flex gap="3" align="flex-start">
      <chakra.input
        id={id}
        type="checkbox"
        role="switch"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
        appearance="none"
        flexShrink="0"
        w="38px"
        h="22px"
        mt="1px"
        borderRadius="full"
        borderWidth="1px"
        borderColor="border.control"
        bg="bg.raised"
        position="relative"
        cursor="pointer"
        transition="background 120ms"
        _before={{
          content: '""',
          position: 'absolute',
          top: '2px',
          left: '2px',
          w: '16px',
          h: '16px',
          borderRadius: 'full',
          bg: 'fg.muted',
          transition: 'transform 120ms',
        }}
        _checked={{ bg: 'brand.solid', borderColor: 'brand.solid', _before: { transform: 'translateX(16px)', bg: 'brand.contrast' } }}
      />
      <Box>
        <chakra.label htmlFor={id} textStyle="label" cursor="pointer">
          {label}
        </chakra.label>
        {hint && (
          <Text id={`${id}-hint`} color="fg.muted" fontSize="13px">
            {hint}
          </Text>
        )}
      </Box>
    </Flex>
  );
}
