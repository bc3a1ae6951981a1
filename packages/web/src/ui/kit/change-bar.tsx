import { chakra, Flex } from '@chakra-ui/react';
import { completeDecimal } from '@pilotfish/core/money/decimal-input';
import { type ReactNode, type Ref, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useDecimalEdit } from '../fields/decimal-field.tsx';
import { Button, Input } from '../primitives.tsx';

const Key = chakra('kbd', {
  base: {
    display: { base: 'none', md: 'inline' },
    px: '1',
    borderWidth: '1px',
    borderColor: 'currentColor',
    borderRadius: '4px',
    fontSize: '11px',
    lineHeight: '16px',
    fontFamily: 'inherit',
    opacity: '0.75',
  },
});

type Props = {
  /** What it would do: `Move stop`. */
  title: string;
  before: ReactNode;
  /** What it would be; can be typed where `onTyped` is given. */
  after: { label: string; value: string; onTyped?: (value: string) => void; error?: string | undefined };
  /** A figure before and after; `isOld` while that of the present draft is awaited. */
  effect?: { label: string; before: ReactNode; after: ReactNode; isOld: boolean };
  /** What it is about: this position only. */
  scope?: string;
  /** What to know before it is confirmed. */
  note?: ReactNode;
  /** Said once a draft has come to rest, not while it moves. */
  spoken: string;
  /** Undefined where nothing can be confirmed. */
  confirm: { label: string; isOff: boolean } | undefined;
  /** Other ways to go on. */
  children?: ReactNode;
  onConfirm: () => void;
  onDiscard: () => void;
  ref?: Ref<HTMLFormElement>;
};

/**
 * A change that is not confirmed: what it is now, what it would be, and the worst of it. Enter confirms, Esc discards; the
 * page behind it shows the old state until the change is made.
 */
export function ChangeBar({ title, before, after, effect, scope, note, spoken, confirm, children, onConfirm, onDiscard, ref }: Props) {
  const { t } = useTranslation();
  return (
    <chakra.form
      ref={ref}
      noValidate
      aria-label={title}
      display="flex"
      flexDirection="column"
      gap="1.5"
      ps="3.5"
      pe="2"
      py="2"
      borderRadius="panel"
      borderWidth="1px"
      css={{
        borderColor: 'color-mix(in srgb, var(--chakra-colors-secondary-solid) 55%, var(--chakra-colors-border))',
        background: 'color-mix(in srgb, var(--chakra-colors-secondary-solid) 9%, var(--chakra-colors-bg-panel))',
        fontVariantNumeric: 'tabular-nums',
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (confirm && !confirm.isOff) onConfirm();
      }}
      onKeyDown={(event) => {
        // A key that is held down says yes only once.
        if (event.key === 'Enter' && event.repeat) event.preventDefault();
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onDiscard();
      }}
    >
      <Flex align="center" gapX="3.5" gapY="1.5" wrap="wrap">
        <chakra.span fontWeight="600">{title}</chakra.span>
        <Flex as="span" align="center" gap="1.5">
          <chakra.s color="fg.muted">{before}</chakra.s>
          <span aria-hidden="true">→</span>
          {after.onTyped ? <PriceField {...after} onTyped={after.onTyped} /> : <chakra.b fontWeight="620">{after.value}</chakra.b>}
        </Flex>
        {effect && (
          <chakra.span color="fg.muted" whiteSpace="nowrap">
            {effect.label} <s>{effect.before}</s> <span aria-hidden="true">→</span>{' '}
            <chakra.b fontWeight="620" className={effect.isOld ? 'stale' : undefined}>
              {effect.after}
            </chakra.b>
          </chakra.span>
        )}
        {scope && (
          <chakra.span fontSize="12px" color="fg.muted">
            {scope}
          </chakra.span>
        )}
        <Flex gap="1.5" ms="auto" w={{ base: '100%', md: 'auto' }} justify="flex-end" wrap="wrap">
          {children}
          <Button size="sm" variant="ghost" color="fg" flex={{ base: '1', md: '0 0 auto' }} h={{ base: '11', md: '9' }} onClick={onDiscard}>
            {t('ui.cancel')} <Key aria-hidden="true">Esc</Key>
          </Button>
          {confirm && (
            <Button
              type="submit"
              size="sm"
              colorPalette="brand"
              flex={{ base: '2', md: '0 0 auto' }}
              h={{ base: '11', md: '9' }}
              aria-disabled={confirm.isOff || undefined}
              opacity={confirm.isOff ? '0.5' : undefined}
            >
              {confirm.label} <Key aria-hidden="true">↵</Key>
            </Button>
          )}
        </Flex>
      </Flex>
      {note !== undefined && (
        <chakra.span fontSize="13px" color="warning">
          {note}
        </chakra.span>
      )}
      <span className="visually-hidden" aria-live="polite">
        {spoken}
      </span>
    </chakra.form>
  );
}

/** A price as text, without separators: it is edited. */
function PriceField({ label, value, onTyped, error }: Omit<Props['after'], 'onTyped'> & { onTyped: (value: string) => void }) {
  const { refusal, edited, answers } = useDecimalEdit();
  const id = useId();
  const wrong = refusal ?? error;
  return (
    <>
      <Input
        {...answers(value)}
        aria-label={label}
        aria-invalid={wrong !== undefined || undefined}
        aria-describedby={wrong === undefined ? undefined : id}
        value={value}
        inputMode="decimal"
        autoComplete="off"
        w="124px"
        h={{ base: '11', md: '8' }}
        px="2"
        textAlign="end"
        fontWeight="620"
        onChange={(event) => {
          const text = edited(value, event.currentTarget.value, event.nativeEvent);
          if (text !== value) onTyped(text);
        }}
        onBlur={() => {
          const complete = completeDecimal(value);
          if (complete !== value) onTyped(complete);
        }}
      />
      {wrong !== undefined && (
        <chakra.span id={id} role="alert" fontSize="13px" color="danger.fg" whiteSpace="normal">
          {wrong}
        </chakra.span>
      )}
    </>
  );
}
