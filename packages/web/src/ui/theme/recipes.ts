import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react';

// How Chakra's controls look here. Heights: 44 px for a finger, less for a mouse (`md` and wider).

const xs = { h: { base: '11', md: '8' }, minW: { base: '11', md: '8' }, px: '2.5', gap: '1', fontSize: '12px' } as const;
const button = defineRecipe({
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
      xs,
      chip: xs,
      sm: { h: { base: '11', md: '9' }, minW: { base: '11', md: '9' }, px: '3.5', fontSize: '14px' },
      md: { h: { base: '11', md: '10' }, minW: { base: '11', md: '10' }, px: '4', fontSize: '14px' },
      lg: { h: '11', minW: '11', px: '5', gap: '3', fontSize: '16px' },
    },
  },
  defaultVariants: { variant: 'solid', size: 'md' },
});

const control = {
  width: '100%',
  minWidth: '0',
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
const line = { ...control, height: { base: '11', md: '10' } } as const;

const badge = defineRecipe({
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    px: '2',
    py: '2px',
    borderRadius: 'full',
    fontSize: '12px',
    fontWeight: '600',
    whiteSpace: 'nowrap',
    bg: 'colorPalette.muted',
    color: 'colorPalette.fg',
  },
});

export const recipes = {
  button,
  badge,
  input: defineRecipe({ base: line }),
  textarea: defineRecipe({ base: { ...control, py: '3', resize: 'vertical' } }),
};

const edges = {
  px: '2.5',
  whiteSpace: 'nowrap',
  borderBottomWidth: '1px',
  borderColor: 'border.subtle',
  _first: { ps: '4' },
  _last: { pe: '4' },
} as const;

/** What hangs from a button, over everything else. */
const hung = {
  maxH: 'var(--available-height)',
  overflowY: 'auto',
  zIndex: '1100',
  outline: '0',
  p: '1.5',
  bg: 'bg.panel',
  color: 'fg',
  borderWidth: '1px',
  borderColor: 'border',
  borderRadius: 'panel',
  boxShadow: '0 12px 32px rgb(0 0 0 / 35%)',
  textAlign: 'start',
  whiteSpace: 'normal',
} as const;

export const slotRecipes = {
  field: defineSlotRecipe({
    slots: ['root', 'label', 'helperText', 'errorText'],
    base: {
      root: { display: 'flex', flexDirection: 'column', gap: '1.5', minW: '0' },
      label: { textStyle: 'label' },
      helperText: { display: 'flex', flexDirection: 'column', gap: '1.5', color: 'fg.muted', fontSize: '13px' },
      errorText: { display: 'flex', gap: '1.5', alignItems: 'flex-start', color: 'danger.fg' },
    },
  }),
  nativeSelect: defineSlotRecipe({
    slots: ['root', 'field', 'indicator'],
    base: {
      root: { display: 'flex', alignItems: 'center', position: 'relative', width: '100%', minW: '0' },
      field: { ...line, cursor: 'pointer', textOverflow: 'ellipsis', '& option': { bg: 'bg.panel', color: 'fg' } },
      indicator: { position: 'absolute', color: 'fg.muted', pointerEvents: 'none' },
    },
    variants: {
      size: {
        xs: { field: { height: xs.h, ps: '2.5', pe: '7', fontSize: '12px' }, indicator: { insetEnd: '2' } },
        md: { field: { pe: '9' }, indicator: { insetEnd: '3' } },
      },
    },
    defaultVariants: { size: 'md' },
  }),
  table: defineSlotRecipe({
    slots: ['root', 'columnHeader', 'cell'],
    base: {
      root: { w: '100%', fontSize: '13px', fontVariantNumeric: 'tabular-nums' },
      columnHeader: {
        ...edges,
        py: '7px',
        textAlign: 'start',
        fontSize: '12px',
        lineHeight: '16px',
        fontWeight: '520',
        color: 'fg.muted',
      },
      cell: { ...edges, h: '50px', lineHeight: '16px', 'tr:last-child > &': { borderBottomWidth: '0' } },
    },
  }),
  pinInput: defineSlotRecipe({
    slots: ['root', 'label', 'control', 'input'],
    base: {
      root: { display: 'flex', flexDirection: 'column', gap: '2' },
      label: { textStyle: 'label' },
      control: { display: 'flex', gap: { base: '1.5', sm: '2' } },
      input: { ...control, flex: '1', px: '0', h: '14', textAlign: 'center', fontSize: '20px', fontWeight: '600' },
    },
  }),
  switch: defineSlotRecipe({
    slots: ['root', 'label', 'control', 'thumb'],
    base: {
      root: {
        display: 'inline-flex',
        alignItems: 'center',
        gap: '3',
        minH: { base: '11', md: 'auto' },
        position: 'relative',
        cursor: 'pointer',
        _disabled: { opacity: '0.5', cursor: 'not-allowed' },
      },
      label: { textStyle: 'label', py: '2px' },
      control: {
        flexShrink: '0',
        w: '38px',
        h: '22px',
        p: '2px',
        borderRadius: 'full',
        borderWidth: '1px',
        borderColor: 'border.control',
        bg: 'bg.raised',
        transition: 'background 120ms',
        _checked: { bg: 'brand.solid', borderColor: 'brand.solid' },
        _focusVisible: { outline: '2px solid var(--chakra-colors-brand-solid)', outlineOffset: '2px' },
      },
      thumb: {
        display: 'block',
        w: '16px',
        h: '16px',
        borderRadius: 'full',
        bg: 'fg.muted',
        transition: 'transform 120ms',
        _checked: { transform: 'translateX(16px)', bg: 'brand.contrast' },
      },
    },
  }),
  menu: defineSlotRecipe({
    slots: ['content', 'item', 'separator'],
    base: {
      content: { ...hung, w: 'min(220px, calc(100vw - 8px))' },
      item: {
        display: 'block',
        w: '100%',
        px: '2.5',
        py: { base: '3', md: '1.5' },
        borderRadius: 'control',
        textAlign: 'start',
        fontSize: '13px',
        lineHeight: '20px',
        cursor: 'pointer',
        _highlighted: { bg: 'bg.raised' },
        _disabled: { opacity: '0.5', cursor: 'not-allowed' },
      },
      separator: { my: '1', borderTopWidth: '1px', borderColor: 'border.subtle' },
    },
  }),
  popover: defineSlotRecipe({ slots: ['content'], base: { content: hung } }),
};
