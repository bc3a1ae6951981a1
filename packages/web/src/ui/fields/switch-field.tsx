import { Box, Switch, Text } from '@chakra-ui/react';
import { type ReactNode, useId } from 'react';

const OVER = { inset: 0, width: '100%', height: '100%', margin: 0, clip: 'auto', opacity: 0, cursor: 'inherit' } as const;

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
    <Box>
      <Switch.Root checked={checked} disabled={disabled} onCheckedChange={(next) => onChange(next.checked)}>
        {/* Chakra's own is announced as a checkbox, and a finger that explores the screen does not find it. */}
        <Switch.HiddenInput role="switch" aria-describedby={hint ? id : undefined} style={OVER} />
        <Switch.Control />
        <Switch.Label>{label}</Switch.Label>
      </Switch.Root>
      {hint && (
        <Text id={id} ps="50px" color="fg.muted" fontSize="13px">
          {hint}
        </Text>
      )}
    </Box>
  );
}
