import {
  Button as ChakraButton,
  type ButtonProps as ChakraButtonProps,
  Input as ChakraInput,
  type HTMLChakraProps,
  NativeSelect,
  type RecipeVariantProps,
} from '@chakra-ui/react';
import type { ComponentProps, FC, RefAttributes } from 'react';
import { Icon } from './icons.tsx';
import type { recipes } from './theme/recipes.ts';

export type ButtonProps = Omit<ChakraButtonProps, 'size' | 'variant'> &
  RecipeVariantProps<typeof recipes.button> &
  RefAttributes<HTMLButtonElement>;
/** Sends a form only as `type="submit"`: HTML takes every button in a form for one that does, and *Cancel* would sell. */
export const Button = ChakraButton as FC<ButtonProps>;

export const Input = ChakraInput;
export type InputProps = ComponentProps<typeof Input>;

/** A native select: the phone's own picker, the keyboard's own behaviour. @param box where it stands and how wide it is */
export const Select = ({
  size = 'md',
  box,
  ...props
}: Omit<ComponentProps<typeof NativeSelect.Field>, 'size'> & { size?: 'xs' | 'md'; box?: HTMLChakraProps<'div'> }) => (
  <NativeSelect.Root size={size} {...box}>
    <NativeSelect.Field {...props} />
    <NativeSelect.Indicator>
      <Icon name="chevron" size={size === 'xs' ? 13 : 16} />
    </NativeSelect.Indicator>
  </NativeSelect.Root>
);
