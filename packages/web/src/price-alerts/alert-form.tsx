import { Box, chakra, Grid, Heading, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAutoTrades } from '../auto-trades/use-auto-trades.ts';
import { useCoinFilters } from '../coin-filters/use-coin-filters.ts';
import { Notice } from '../ui/controls.tsx';
import { DecimalField, WholeField } from '../ui/fields/decimal-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { useFirstWrong } from '../ui/fields/use-first-wrong.ts';
import { problemText } from '../ui/toasts.ts';
import { KIND_NAMES, parametersOf, subjectField, withKind } from './alert-draft.ts';
import { AlertSettingFields } from './alert-setting-fields.tsx';
import { PairField } from './pair-field.tsx';
import type { AlertEditor } from './use-alert-editor.ts';

/** Every kind and every parameter of an alert, made from the table of kinds. Its buttons are given. */
export function AlertForm({ editor, children }: { editor: AlertEditor; children: ReactNode }) {
  const { t } = useTranslation();
  const { draft, change, problem } = editor;
  const { form, showWrong } = useFirstWrong<HTMLFormElement>();
  const named = problem?.fields?.some(({ path }) => path !== '');
  const save = async () => {
    if (!(await editor.save())) showWrong();
  };
  return (
    <chakra.form
      ref={form}
      noValidate
      display="flex"
      flexDirection="column"
      gap="5"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) minmax(0, 1fr)' }} gap="4">
        <SelectField
          label={t('alerts.form.kind')}
          value={draft.kind}
          hint={t(`alerts.kindHint.${draft.kind}`)}
          options={KIND_NAMES.map((kind) => ({ value: kind, label: t(`alerts.kind.${kind}`) }))}
          onChange={(kind) => change(withKind(draft, kind as typeof draft.kind))}
        />
        <Subject editor={editor} />
      </Grid>
      <Parameters editor={editor} />
      <AlertSettingFields editor={editor} />
      {problem && !named && (
        <Notice tone="error" title={problem.title}>
          {problem.fields?.length ? problem.fields.map(({ message }) => message).join(' ') : problemText(problem, t)}
        </Notice>
      )}
      {children}
    </chakra.form>
  );
}

/** What the alert is about: a pair, a filter, a bot, or nothing in particular. */
function Subject({ editor }: { editor: AlertEditor }) {
  const { t } = useTranslation();
  const { draft, change, errorOf } = editor;
  const about = subjectField(draft.kind);
  if (about === undefined) return <Box />;
  if (about.name === 'symbol')
    return (
      <PairField
        label={t('alerts.form.pair')}
        value={draft.symbol}
        pairs={editor.pairs}
        error={errorOf('symbol')}
        onChange={(symbol) => change({ ...draft, symbol })}
      />
    );
  return about.name === 'coinFilterId' ? <FilterField editor={editor} /> : <BotField editor={editor} />;
}

function FilterField({ editor: { draft, change, errorOf } }: { editor: AlertEditor }) {
  const { t } = useTranslation();
  const { data } = useCoinFilters();
  return (
    <SelectField
      label={t('alerts.form.filter')}
      value={draft.coinFilterId}
      error={errorOf('coinFilterId')}
      hint={data?.length === 0 ? t('alerts.form.noFilters') : undefined}
      options={[{ value: '', label: t('alerts.form.choose') }, ...(data ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
      onChange={(coinFilterId) => change({ ...draft, coinFilterId })}
    />
  );
}

function BotField({ editor: { draft, change, errorOf } }: { editor: AlertEditor }) {
  const { t } = useTranslation();
  const { data } = useAutoTrades();
  return (
    <SelectField
      label={t('alerts.form.bot')}
      value={draft.autoTradeId}
      error={errorOf('autoTradeId')}
      options={[{ value: '', label: t('alerts.form.anyBot') }, ...(data ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
      onChange={(autoTradeId) => change({ ...draft, autoTradeId })}
    />
  );
}

function Parameters({ editor }: { editor: AlertEditor }) {
  const { t } = useTranslation();
  const { draft, change, errorOf, pairs } = editor;
  const parameters = parametersOf(draft.kind);
  if (parameters.length === 0) return null;
  const set = (name: string) => (value: string) => change({ ...draft, parameters: { ...draft.parameters, [name]: value } });
  const quote = pairs?.get(draft.symbol)?.quoteAsset ?? '';
  const quotes = [...new Set([...(pairs?.values() ?? [])].map(({ quoteAsset }) => quoteAsset))].sort((a, b) => (a < b ? -1 : 1));
  return (
    <Box as="fieldset" border="0" p="0" m="0">
      <Heading as="h2" fontSize="13px" fontWeight="600" color="fg.muted" mb="3">
        {t('alerts.form.condition')}
      </Heading>
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(auto-fill, minmax(180px, 1fr))' }} gap="4">
        {parameters.map(([name, parameter]) => {
          const label = t(`alerts.parameter.${name}`);
          const value = draft.parameters[name] ?? '';
          const error = errorOf(`condition.${name}`);
          const range = parameter.min !== undefined ? t('alerts.form.range', { min: parameter.min, max: parameter.max ?? '' }) : undefined;
          const usual = parameter.default !== undefined ? t('alerts.form.usual', { value: String(parameter.default) }) : undefined;
          const hint = [parameter.optional ? t('alerts.form.optional') : usual, range].filter(Boolean).join(' ') || undefined;
          if (parameter.type === 'choice') {
            const choices = parameter.choices ?? quotes;
            const none = parameter.optional ? [{ value: '', label: t('alerts.form.any') }] : [];
            return (
              <SelectField
                key={name}
                label={label}
                error={error}
                value={value === '' && !parameter.optional ? String(parameter.default ?? choices[0] ?? '') : value}
                options={[
                  ...none,
                  ...choices.map((choice) => ({ value: choice, label: t(`alerts.choice.${choice}`, { defaultValue: choice }) })),
                ]}
                onChange={set(name)}
              />
            );
          }
          if (parameter.type === 'integer')
            return (
              <WholeField
                key={name}
                name={name}
                label={label}
                error={error}
                hint={hint}
                value={value === '' ? '' : Number(value)}
                onChange={(next) => set(name)(String(next))}
              />
            );
          const unit = parameter.type === 'percent' ? '%' : parameter.type === 'price' || parameter.type === 'amount' ? quote : '';
          return (
            <SignedField
              key={name}
              name={name}
              label={label}
              error={error}
              hint={hint}
              value={value}
              signed={parameter.min?.startsWith('-') === true}
              unit={unit}
              onChange={set(name)}
            />
          );
        })}
      </Grid>
      {draft.kind === 'step' && (
        <Text color="fg.muted" fontSize="13px" mt="2">
          {t('alerts.form.stepHint')}
        </Text>
      )}
    </Box>
  );
}

/** A decimal that may be below zero: the sign is chosen, the figure typed. */
function SignedField({
  signed,
  value,
  onChange,
  unit,
  ...props
}: {
  signed: boolean;
  label: string;
  name: string;
  value: string;
  error: string | undefined;
  hint: string | undefined;
  unit: string;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  const minus = value.startsWith('-');
  const field = (
    <DecimalField
      {...props}
      {...(unit === '' ? {} : { unit })}
      value={minus ? value.slice(1) : value}
      onChange={(text) => onChange(minus ? `-${text}` : text)}
    />
  );
  if (!signed) return field;
  return (
    <Grid templateColumns="92px minmax(0, 1fr)" gap="2" alignItems="start">
      <SelectField
        label={t('alerts.form.sign')}
        value={minus ? '-' : '+'}
        options={[
          { value: '+', label: t('alerts.form.gain') },
          { value: '-', label: t('alerts.form.loss') },
        ]}
        onChange={(sign) => onChange(`${sign === '-' ? '-' : ''}${minus ? value.slice(1) : value}`)}
      />
      {field}
    </Grid>
  );
}
