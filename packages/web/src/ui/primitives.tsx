import { chakra } from '@chakra-ui/react';
import type { ComponentProps } from 'react';

const button = {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    flexShrink: '0',
    gap: '2',
    appearance: 'none',
    userSelect: 'none',
    whiteSpace: 'nowrap',
    borderRadius: 'control',
    borderWidth: '1px',
    borderColor: 'transparent',
    fontWeight: '550',
    lineHeight: '1.2',
    cursor: 'pointer',
    transition: 'background 120ms, border-color 120ms, color 120ms',
    _disabled: { opacity: '0.5', cursor: 'not-allowed' },
  },
  variants: {
    variant: {
      solid: {
        bg: 'colorPalette.solid',
        color: 'colorPalette.contrast',
        _hover: { bg: 'color-mix(in srgb, var(--chakra-colors-color-palette-solid) 88%, transparent)' },
        _disabled: { _hover: { bg: 'colorPalette.solid' } },
      },
      outline: { borderColor: 'border', color: 'colorPalette.fg', _hover: { bg: 'bg.raised' } },
      ghost: { color: 'colorPalette.fg', _hover: { bg: 'bg.raised' } },
    },
    size: {
      // A finger needs more room than a mouse.
      xs: { h: { base: '9', md: '8' }, minW: { base: '9', md: '8' }, px: '2.5', gap: '1', fontSize: '12px' },
      // As high as the chips it stands in a row with, and for fingers in full.
      chip: { h: { base: '11', md: '8' }, minW: { base: '11', md: '8' }, px: '2.5', gap: '1', fontSize: '12px' },
      sm: { h: { base: '10', md: '9' }, minW: { base: '10', md: '9' }, px: '3.5', fontSize: '14px' },
      md: { h: '10', minW: '10', px: '4', fontSize: '14px' },
      lg: { h: '11', minW: '11', px: '5', gap: '3', fontSize: '16px' },
    },
  },
  defaultVariants: { variant: 'solid', size: 'md' },
} as const;

/**
 * The button of every screen. Our own recipe on Chakra's factory: Chakra's Button brings its whole theme along, which
 * costs a third of the first load. It sends a form only as `type="submit"`: HTML takes every button in a form for one that
 * does, and *Cancel* in a dialog that a form draws would ask for the sale again.
 */
export const Button = chakra('button', button, { defaultProps: { type: 'button' } });
export type ButtonProps = ComponentProps<typeof Button>;

const control = {
  width: '100%',
  minWidth: '0',
  height: '10',
  px: '3',
  bg: 'bg.input',
  color: 'fg',
  fontSize: '14px',
  borderWidth: '1px',
  borderColor: 'border.control',
  borderRadius: 'control',
  outline: '0',
  appearance: 'none',
  transition: 'border-color 120ms',
  _placeholder: { color: 'fg.subtle' },
  _hover: { borderColor: 'fg.subtle' },
  _focusVisible: { borderColor: 'brand.solid', boxShadow: '0 0 0 1px var(--chakra-colors-brand-solid)' },
  _invalid: { borderColor: 'danger.solid', _focusVisible: { boxShadow: '0 0 0 1px var(--chakra-colors-danger-solid)' } },
  _disabled: { opacity: '0.6', cursor: 'not-allowed' },
} as const;

export const Input = chakra('input', { base: control });
export type InputProps = ComponentProps<typeof Input>;

/** A native select: the phone's own picker, the keyboard's own behaviour. */
export const Select = chakra('select', { base: { ...control, pe: '9', cursor: 'pointer', '& option': { bg: 'bg.panel', color: 'fg' } } });
