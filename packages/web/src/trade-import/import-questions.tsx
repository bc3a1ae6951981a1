import { chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { guessColumns, NEEDED_FIELDS, ZONES } from '@pilotfish/core/trade-import/import-questions';
import {
  IMPORT_FIELDS,
  type ImportAnswer,
  type ImportField,
  OPERATION_MEANINGS,
  type OperationMeaning,
} from '@pilotfish/core/trade-import/trade-import-contract';
import type { ImportMapping, ImportMeanings } from '@pilotfish/core/trade-import/trade-import-machine';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/controls.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Button } from '../ui/primitives.tsx';

/** Asked once, never guessed: an hour too far puts a trade on the wrong day. */
export function ZoneForm({ onZone, children }: { onZone: (zone: string) => void; children: ReactNode }) {
  const { t } = useTranslation();
  const [zone, setZone] = useState('');
  return (
    <Flex
      as="form"
      direction="column"
      gap="4"
      onSubmit={(event) => {
        event.preventDefault();
        if (zone !== '') onZone(zone);
      }}
    >
      <Notice tone="info" title={t('imports.zone.title')}>
        <Text color="fg.muted">{t('imports.zone.lead')}</Text>
      </Notice>
      <SelectField
        label={t('imports.zone.name')}
        value={zone}
        options={[{ value: '', label: t('imports.zone.choose') }, ...ZONES.map((each) => ({ value: each, label: each }))]}
        onChange={setZone}
      />
      <Flex gap="2" justify="flex-end" wrap="wrap">
        {children}
        <Button type="submit" colorPalette="brand" disabled={zone === ''}>
          {t('imports.goOn')}
        </Button>
      </Flex>
    </Flex>
  );
}

/** Which column holds what, for a file nobody knows. */
export function MappingForm({
  columns,
  onMapping,
  children,
}: {
  columns: readonly string[];
  onMapping: (mapping: ImportMapping) => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Partial<Record<ImportField, string>>>(() => guessColumns(columns));
  const missing = NEEDED_FIELDS.filter((field) => !chosen[field]);
  const twice = Object.values(chosen).filter((column, index, all) => column && all.indexOf(column) !== index);
  return (
    <Flex
      as="form"
      direction="column"
      gap="4"
      onSubmit={(event) => {
        event.preventDefault();
        const mapping: Record<string, ImportField> = {};
        for (const field of IMPORT_FIELDS) {
          const column = chosen[field];
          if (column) mapping[column] = field;
        }
        onMapping(mapping);
      }}
    >
      <Notice tone="info" title={t('imports.mapping.title')}>
        <Text color="fg.muted">{t('imports.mapping.lead')}</Text>
      </Notice>
      <Grid
        as="fieldset"
        templateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(3, minmax(0, 1fr))' }}
        gap="3"
      >
        <chakra.legend className="visually-hidden">{t('imports.mapping.title')}</chakra.legend>
        {IMPORT_FIELDS.map((field) => (
          <SelectField
            key={field}
            label={`${t(`imports.field.${field}`)}${NEEDED_FIELDS.includes(field) ? ' *' : ''}`}
            value={chosen[field] ?? ''}
            options={[{ value: '', label: t('imports.mapping.none') }, ...columns.map((column) => ({ value: column, label: column }))]}
            onChange={(column) => setChosen({ ...chosen, [field]: column })}
          />
        ))}
      </Grid>
      <Text role="status" fontSize="13px" color={missing.length + twice.length > 0 ? 'warning' : 'fg.muted'}>
        {missing.length > 0
          ? t('imports.mapping.missing', { fields: missing.map((field) => t(`imports.field.${field}`)).join(', ') })
          : twice.length > 0
            ? t('imports.mapping.twice', { column: twice[0] })
            : t('imports.mapping.ready')}
      </Text>
      <Flex gap="2" justify="flex-end" wrap="wrap">
        {children}
        <Button type="submit" colorPalette="brand" disabled={missing.length + twice.length > 0}>
          {t('imports.goOn')}
        </Button>
      </Flex>
    </Flex>
  );
}

/** What operations are that nobody knows: one answer for all rows of each. */
export function OperationsForm({
  operations,
  onMeanings,
  children,
}: {
  operations: ImportAnswer['operations'];
  onMeanings: (meanings: ImportMeanings) => void;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Partial<Record<string, OperationMeaning>>>(() =>
    Object.fromEntries(operations.flatMap(({ name, meaning }) => (meaning === null ? [] : [[name, meaning] as const]))),
  );
  // By its own keys: an operation can be called `constructor`.
  const of = (name: string) => (Object.hasOwn(chosen, name) ? chosen[name] : undefined);
  const missing = operations.filter(({ name }) => of(name) === undefined).length;
  const isAsked = operations.some(({ meaning }) => meaning === null);
  return (
    <Flex
      as="form"
      direction="column"
      gap="4"
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === 0) onMeanings(chosen as ImportMeanings);
      }}
    >
      {isAsked && (
        <Notice tone="info" title={t('imports.operations.title')}>
          <Text color="fg.muted">{t('imports.operations.lead')}</Text>
        </Notice>
      )}
      <Grid as="fieldset" templateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }} gap="3">
        <chakra.legend className="visually-hidden">{t('imports.operations.title')}</chakra.legend>
        {operations.map(({ name, rows, assets }) => (
          <SelectField
            key={name}
            label={name}
            hint={t('imports.operations.rows', { count: rows, assets: assets.join(', ') })}
            value={of(name) ?? ''}
            options={[
              { value: '', label: t('imports.operations.choose') },
              ...OPERATION_MEANINGS.map((meaning) => ({ value: meaning, label: t(`imports.operations.meaning.${meaning}`) })),
            ]}
            onChange={(value) => setChosen({ ...chosen, [name]: OPERATION_MEANINGS.find((each) => each === value) })}
          />
        ))}
      </Grid>
      <Flex gap="2" justify="flex-end" align="center" wrap="wrap">
        {missing > 0 && (
          <Text role="status" fontSize="13px" color="warning" me="auto">
            {t('imports.operations.missing', { count: missing })}
          </Text>
        )}
        {children}
        <Button type="submit" {...(isAsked ? { colorPalette: 'brand' } : { variant: 'outline', color: 'fg' })} disabled={missing > 0}>
          {t(isAsked ? 'imports.goOn' : 'imports.operations.again')}
        </Button>
      </Flex>
    </Flex>
  );
}
