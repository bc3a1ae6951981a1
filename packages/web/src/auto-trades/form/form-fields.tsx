import { chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { type BotDraft, getField } from '@pilotfish/core/auto-trades/config/bot-draft';
import { labelKey } from '@pilotfish/core/auto-trades/config/setting-fields';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DecimalField, WholeField } from '../../ui/fields/decimal-field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { Icon } from '../../ui/icons.tsx';

export type StepProps = {
  draft: BotDraft;
  /** Sets a field by its path and marks it as touched. */
  set: (path: string, value: unknown) => void;
  /** What is wrong with a field; only what was touched, or every field of a step that was left. */
  errorOf: (path: string) => string | undefined;
  /** Whether something is wrong at a path or below it. */
  isWrong: (path: string) => boolean;
};

type At = { form: StepProps; path: string; unit?: string; hint?: ReactNode; label?: string };

function useLabel(path: string, label: string | undefined): string {
  const { t } = useTranslation();
  const key = labelKey(path);
  return label ?? (key ? t(key) : path);
}

const textAt = (form: StepProps, path: string): string => {
  const value = getField(form.draft, path);
  return typeof value === 'string' ? value : '';
};

/** A decimal of the draft, by its path in the contract. `optional`: empty is null. */
export function DecimalAt({ form, path, unit, hint, label, optional = false }: At & { optional?: boolean }) {
  const name = useLabel(path, label);
  return (
    <DecimalField
      label={name}
      {...(unit === undefined ? {} : { unit })}
      hint={hint}
      name={path}
      value={textAt(form, path)}
      error={form.errorOf(path)}
      onChange={(value) => form.set(path, optional && value === '' ? null : value)}
    />
  );
}

export function WholeAt({ form, path, unit, hint, label }: At) {
  const name = useLabel(path, label);
  return (
    <WholeField
      label={name}
      {...(unit === undefined ? {} : { unit })}
      hint={hint}
      name={path}
      value={getField(form.draft, path) as number | ''}
      error={form.errorOf(path)}
      onChange={(value) => form.set(path, value)}
    />
  );
}

export function ChoiceAt({ form, path, hint, label, options }: At & { options: readonly { value: string; label: string }[] }) {
  const name = useLabel(path, label);
  return (
    <SelectField
      label={name}
      hint={hint}
      name={path}
      value={textAt(form, path)}
      error={form.errorOf(path)}
      options={options}
      onChange={(value) => form.set(path, value)}
    />
  );
}

export function SwitchAt({ form, path, hint, label }: At) {
  const name = useLabel(path.replace(/\.enabled$/, ''), label);
  const error = form.errorOf(path);
  return (
    <Flex direction="column" gap="1.5">
      <SwitchField label={name} hint={hint} checked={getField(form.draft, path) === true} onChange={(value) => form.set(path, value)} />
      <FieldProblem>{error}</FieldProblem>
    </Flex>
  );
}

/** What is wrong with a group of fields rather than with one. */
export const FieldProblem = ({ children }: { children: string | undefined }) =>
  children ? (
    <Flex role="alert" color="danger.fg" fontSize="13px" gap="1.5" align="center">
      <Icon name="warning" size={14} />
      {children}
    </Flex>
  ) : null;

export const Columns = ({ children, three = false }: { children: ReactNode; three?: boolean }) => (
  <Grid
    templateColumns={{ base: 'minmax(0, 1fr)', sm: three ? 'repeat(3, minmax(0, 1fr))' : 'repeat(2, minmax(0, 1fr))' }}
    gap="4"
    alignItems="start"
  >
    {children}
  </Grid>
);

/** Fields that few change: folded, but what they say stands beside their title. Open while something in them is wrong. */
export function Folded({ title, summary, wrong, children }: { title: string; summary: string; wrong: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const isOpen = open || wrong;
  return (
    <chakra.details
      open={isOpen}
      borderWidth="1px"
      borderColor={wrong ? 'danger.solid' : 'border.subtle'}
      borderRadius="panel"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <chakra.summary
        display="flex"
        alignItems="center"
        gap="3"
        px="4"
        py="3"
        cursor="pointer"
        listStyleType="none"
        borderRadius="panel"
        _hover={{ bg: 'bg.raised' }}
        css={{ '&::-webkit-details-marker': { display: 'none' } }}
      >
        <chakra.span color="fg.muted" transition="transform 120ms" transform={isOpen ? 'rotate(180deg)' : undefined} flexShrink="0">
          <Icon name="chevron" size={16} />
        </chakra.span>
        <Flex flex="1" minW="0" gap={{ base: 0, sm: 3 }} direction={{ base: 'column', sm: 'row' }} justify="space-between">
          <Text as="span" fontWeight="600" flexShrink="0">
            {title}
          </Text>
          <Text as="span" color="fg.muted" fontSize="13px" textAlign={{ base: 'start', sm: 'end' }} overflowWrap="anywhere">
            {summary}
          </Text>
        </Flex>
      </chakra.summary>
      <Flex direction="column" gap="4" px="4" pb="4" pt="2">
        {children}
      </Flex>
    </chakra.details>
  );
}

/** A part of a step that everybody reads. */
export const Section = ({ title, lead, children }: { title?: string; lead?: string; children: ReactNode }) => (
  <Flex as="section" direction="column" gap="3">
    <Flex direction="column">
      {title && (
        <Text as="h3" fontSize="14px" fontWeight="600">
          {title}
        </Text>
      )}
      {lead && (
        <Text color="fg.muted" fontSize="13px">
          {lead}
        </Text>
      )}
    </Flex>
    {children}
  </Flex>
);
