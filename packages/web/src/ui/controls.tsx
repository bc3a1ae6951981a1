import {
  type BadgeProps,
  Box,
  Badge as ChakraBadge,
  Field as ChakraField,
  chakra,
  Flex,
  type HTMLChakraProps,
  Text,
} from '@chakra-ui/react';
import { type AriaAttributes, type ReactNode, useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { Icon, type IconName } from './icons.tsx';
import { Button, type ButtonProps, Input, type InputProps } from './primitives.tsx';

/** A surface that groups what belongs together. */
export const Panel = (props: HTMLChakraProps<'section'>) => (
  <chakra.section
    bg="bg.panel"
    borderWidth="1px"
    borderColor="border.subtle"
    borderRadius="panel"
    p={{ base: 4, md: 5 }}
    minW="0"
    {...props}
  />
);

/** A button that is a link. */
export const LinkButton = ({ to, children, ...props }: ButtonProps & { to: string }) => (
  <Button asChild {...props}>
    <Link to={to}>{children}</Link>
  </Button>
);

export const TextLink = chakra(Link, {
  base: {
    color: 'brand.fg',
    textDecoration: 'underline',
    textUnderlineOffset: '3px',
    textDecorationThickness: '1px',
    _hover: { textDecorationThickness: '2px' },
  },
});

/**
 * A square button with an icon; the label is what it is called. Chakra's Tooltip would be 19.6 kB of the first load, which
 * then is 193.8 kB, packed: `title` is for the mouse, app.css shows it to the keyboard.
 */
export const IconButton = ({ icon, label, filled, ...props }: ButtonProps & { icon: IconName; label: string; filled?: boolean }) => (
  <Button variant="ghost" size="sm" px="0" w="9" color="fg.muted" colorPalette="brand" aria-label={label} title={label} {...props}>
    <Icon name={icon} filled={filled ?? false} />
  </Button>
);

export type FieldProps = {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  /** Said after the label, e.g. a unit. */
  aside?: ReactNode;
  children: (control: Pick<AriaAttributes, 'aria-describedby' | 'aria-invalid'> & { id?: string | undefined }) => ReactNode;
};

/** Label, control, hint and error, tied together for everybody. The error is part of the description: not all read `aria-errormessage`. */
export const Field = ({ label, error, hint, aside, children }: FieldProps) => (
  <ChakraField.Root invalid={Boolean(error)} role="presentation">
    <Flex justify="space-between" align="baseline" gap="3">
      <ChakraField.Label>{label}</ChakraField.Label>
      {aside}
    </Flex>
    <ChakraField.Context>{(field) => children(field.getInputProps())}</ChakraField.Context>
    {(hint || error) && (
      <ChakraField.HelperText>
        {hint && <span>{hint}</span>}
        {error && (
          <ChakraField.ErrorText role="alert" aria-live="assertive">
            <Box flexShrink="0" pt="2px">
              <Icon name="warning" size={14} />
            </Box>
            {error}
          </ChakraField.ErrorText>
        )}
      </ChakraField.HelperText>
    )}
  </ChakraField.Root>
);

export const TextField = ({ label, error, hint, aside, ...props }: InputProps & Omit<FieldProps, 'children'>) => (
  <Field label={label} error={error} hint={hint} aside={aside}>
    {(control) => <Input dir="auto" {...control} {...props} />}
  </Field>
);

/** On a phone there is room for some of a row: the chosen one is among them. @param chosen what it is found by */
function useChosenInSight(chosen: string) {
  const row = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: which one is chosen is read from the page
  useLayoutEffect(() => {
    const box = row.current;
    const found = box?.querySelector('[aria-pressed=true], [aria-current=page]');
    if (box && found instanceof HTMLElement && box.scrollWidth > box.clientWidth)
      box.scrollLeft = found.offsetLeft - box.offsetLeft - (box.clientWidth - found.offsetWidth) / 2;
  }, [chosen]);
  return row;
}

const segmentRow = {
  className: 'scroll-hint',
  gap: '1px',
  p: '2px',
  bg: 'bg.raised',
  borderRadius: 'panel',
  w: 'fit-content',
  maxW: '100%',
  overflowX: 'auto',
  flexShrink: '0',
} as const;
const segment = {
  variant: 'ghost',
  color: 'fg.muted',
  borderRadius: '5px',
  // Neutral: the colour of the brand marks the main action and where one is.
  css: {
    '&:is([aria-pressed=true], [aria-current=page])': {
      bg: 'bg.panel',
      color: 'fg',
      borderColor: 'border',
      // A border alone is not 3:1; the weight says it, too.
      fontWeight: '620',
    },
  },
} as const;

const SegmentCount = ({ count, urgent = false }: { count: number; urgent?: boolean | undefined }) => (
  <chakra.span
    {...(urgent
      ? { px: '6px', borderRadius: 'full', bg: 'secondary.muted', color: 'secondary.fg', fontSize: '11px', fontWeight: '650' }
      : { color: 'fg.subtle', fontWeight: '500' })}
    css={{ fontVariantNumeric: 'tabular-nums' }}
  >
    {count}
  </chakra.span>
);

/** One of a few; the chosen one is pressed. */
export const Segments = <Value extends string>({
  label,
  options,
  value,
  onChange,
  size = 'xs',
}: {
  label: string;
  options: readonly {
    value: Value;
    label: string;
    count?: number;
    /** What is counted waits for somebody. */
    urgent?: boolean;
  }[];
  value: Value;
  onChange: (value: Value) => void;
  size?: 'xs' | 'sm' | 'chip';
}) => (
  <Flex ref={useChosenInSight(value)} role="group" aria-label={label} {...segmentRow}>
    {options.map((option) => (
      <Button
        key={option.value}
        type="button"
        size={size}
        {...segment}
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value)}
      >
        {option.label}
        {option.count !== undefined && <SegmentCount count={option.count} urgent={option.urgent} />}
      </Button>
    ))}
  </Flex>
);

/** The pages of a section, each with its address; where one is looks like the pressed one of `Segments`. */
export const SegmentLinks = ({
  label,
  links,
}: {
  label: string;
  links: readonly {
    to: string;
    label: string;
    current: boolean;
    /** How many wait for somebody there; none is not said. */
    urgent?: number | undefined;
  }[];
}) => (
  <Flex as="nav" ref={useChosenInSight(links.find(({ current }) => current)?.to ?? '')} aria-label={label} {...segmentRow}>
    {links.map(({ to, label: name, current, urgent = 0 }) => (
      <LinkButton key={to} to={to} size="chip" {...segment} aria-current={current ? 'page' : undefined}>
        {name}
        {urgent > 0 && <SegmentCount count={urgent} urgent />}
      </LinkButton>
    ))}
  </Flex>
);

const TONES = {
  info: { icon: 'info', color: 'brand.fg', bg: 'brand.subtle' },
  warning: { icon: 'warning', color: 'secondary.fg', bg: 'secondary.muted' },
  error: { icon: 'warning', color: 'danger.fg', bg: 'danger.muted' },
  success: { icon: 'check', color: 'brand.fg', bg: 'brand.subtle' },
} as const;

/** A message that stays where it concerns something. Errors are announced at once, the rest politely. */
export const Notice = ({
  tone,
  title,
  children,
  live = true,
}: {
  tone: keyof typeof TONES;
  title?: ReactNode;
  children?: ReactNode;
  live?: boolean;
}) => (
  <Flex
    role={live ? (tone === 'error' ? 'alert' : 'status') : undefined}
    gap="3"
    p="3"
    borderRadius="panel"
    bg={TONES[tone].bg}
    align="flex-start"
  >
    <Box color={TONES[tone].color} flexShrink="0">
      <Icon name={TONES[tone].icon} />
    </Box>
    <Box minW="0" flex="1" fontSize="14px" overflowWrap="anywhere">
      {title && <Text fontWeight="600">{title}</Text>}
      {children}
    </Box>
  </Flex>
);

/** A short word about a state; words first, colour second. */
export const Badge = ({ tone = 'neutral', ...props }: BadgeProps & { tone?: 'neutral' | 'brand' | 'secondary' | 'danger' }) => (
  <ChakraBadge colorPalette={tone} {...props} />
);
