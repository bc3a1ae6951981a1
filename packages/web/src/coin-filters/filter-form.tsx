import { chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { digits } from '@pilotfish/core/money/figure';
import type { CoinFilter, CoinFilterBody, FilterGroup } from '@pilotfish/core/prices/screener-contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useAction } from '../platform/use-action.ts';
import { useOnce } from '../platform/use-once.ts';
import { FilterInput } from '../prices/screener/filter-input.tsx';
import { useFilterOptions, useScreener } from '../prices/screener/use-screener.ts';
import { useOfferedPairs } from '../prices/use-prices.ts';
import { Notice, TextField } from '../ui/controls.tsx';
import { FormEnd } from '../ui/dialogs/dialog.tsx';
import { DecimalField, WholeField } from '../ui/fields/decimal-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { useFirstWrong } from '../ui/fields/use-first-wrong.ts';
import { problemHeadline, showToast } from '../ui/toasts.ts';
import { CoinPicker } from './coin-picker.tsx';
import { saveFilter, withoutId } from './filter-saving.ts';

type Fields = Omit<CoinFilterBody, 'maxCoins' | 'minAgeDays' | 'refreshMinutes' | 'conditions'> & {
  maxCoins: number | '';
  minAgeDays: number | '';
  refreshMinutes: number | '';
  conditions: FilterGroup | undefined;
};
const FRESH: Fields = {
  name: '',
  quoteAsset: 'USDT',
  include: [],
  exclude: [],
  conditions: undefined,
  sort: [],
  maxCoins: 20,
  minAgeDays: 30,
  minQuoteVolume24h: '1000000',
  maxSpreadPct: '0.3',
  refreshMinutes: 60,
  onError: 'keepLast',
};

/** Without these there is nothing to save. */
const NEEDED: ReadonlySet<string> = new Set(['name', 'minQuoteVolume24h', 'maxSpreadPct', 'minAgeDays', 'maxCoins', 'refreshMinutes']);

const fieldsOf = (filter: CoinFilter): Fields => ({ ...FRESH, ...withoutId(filter), conditions: filter.conditions });

/** The fields as the server is sent them; undefined while a number is missing. */
function bodyOf({ conditions, maxCoins, minAgeDays, refreshMinutes, ...fields }: Fields): CoinFilterBody | undefined {
  if (maxCoins === '' || minAgeDays === '' || refreshMinutes === '') return undefined;
  return { ...fields, name: fields.name.trim(), maxCoins, minAgeDays, refreshMinutes, ...(conditions ? { conditions } : {}) };
}

/** Which coins bots may enter: limits that keep them away from thin and new coins, rules, and names in or out. */
export function FilterForm({ old, onSaved, onCancel }: { old: CoinFilter | undefined; onSaved: () => void; onCancel: () => void }) {
  const { t } = useTranslation();
  const { client } = useApp();
  const pairs = useOfferedPairs();
  const options = useFilterOptions();
  const [fields, setFields] = useState<Fields>(old ? fieldsOf(old) : FRESH);
  const { busy, problem, run } = useAction();
  const { form, showWrong } = useFirstWrong<HTMLFormElement>();
  const once = useOnce();
  const edit = (change: Partial<Fields>) => setFields((before) => ({ ...before, ...change }));
  const quotes = useMemo(
    () => [...new Set([fields.quoteAsset, ...(pairs ? [...pairs.values()].map(({ quoteAsset }) => quoteAsset) : [])])],
    [pairs, fields.quoteAsset],
  );
  const matching = useScreener(
    'screener:coin-filter',
    fields.conditions ? { filter: fields.conditions, sort: [], columns: [] } : undefined,
  );
  const [asked, setAsked] = useState(false);
  const isMissing = (path: string) => {
    const value = fields[path as keyof Fields];
    return typeof value === 'string' && value.trim() === '' && NEEDED.has(path);
  };
  const errorOf = (path: string) =>
    asked && isMissing(path)
      ? t('validation.required')
      : problem?.fields?.find((field) => field.path === path || field.path.startsWith(`${path}.`))?.message;
  const ruleErrors = useMemo(
    () =>
      new Map(
        [...(problem?.fields ?? []), ...(matching.problem?.fields ?? [])].flatMap(({ path, message }): [string, string][] =>
          /^(conditions|filter)\./.test(path) ? [[path.replace(/^(conditions|filter)\./, ''), message]] : [],
        ),
      ),
    [problem, matching.problem],
  );
  const body = bodyOf(fields);
  const sort = fields.sort[0];
  const sortKey = sort ? [sort.key, sort.timeframe ?? '', sort.direction].join('|') : '';
  const save = () =>
    body &&
    run(() => once(body, (key) => saveFilter(client, body, old, key)), {
      stale: ['coin-filters', 'coin-filter-coins'],
      onDone: ({ filter, kept }) => {
        const said = t(kept ? 'coinFilters.savedBeside' : 'prices.saved.done', { name: filter.name, old: old?.name });
        void showToast(kept ? 'warning' : 'success', said);
        onSaved();
      },
      onFailed: showWrong,
    });
  return (
    <chakra.form
      ref={form}
      display="flex"
      flexDirection="column"
      gap="5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        if (![...NEEDED].some(isMissing)) return void save();
        setAsked(true);
        showWrong();
      }}
    >
      {old && <Text color="fg.muted">{t('coinFilters.editLead')}</Text>}
      <Grid templateColumns={{ base: '1fr', sm: '2fr 1fr' }} gap="4" alignItems="start">
        <TextField
          label={t('prices.saved.name')}
          value={fields.name}
          maxLength={64}
          error={errorOf('name')}
          onChange={(event) => edit({ name: event.currentTarget.value })}
        />
        <SelectField
          label={t('prices.quote')}
          value={fields.quoteAsset}
          error={errorOf('quoteAsset')}
          options={quotes.map((value) => ({ value, label: value }))}
          onChange={(quoteAsset) => edit({ quoteAsset, include: [], exclude: [] })}
        />
      </Grid>
      <Flex direction="column" gap="2">
        <Text textStyle="label">{t('coinFilters.conditions')}</Text>
        <FilterInput value={fields.conditions} errors={ruleErrors} onChange={(conditions) => edit({ conditions })} />
        {fields.conditions && matching.answer && !matching.problem && (
          <Text role="status" fontSize="13px" color="fg.muted">
            {t('screener.builder.matches', { count: matching.answer.total })}
          </Text>
        )}
      </Flex>
      <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4" alignItems="start">
        <DecimalField
          label={t('prices.saved.minVolume')}
          unit={fields.quoteAsset}
          value={digits(fields.minQuoteVolume24h)}
          error={errorOf('minQuoteVolume24h')}
          onChange={(minQuoteVolume24h) => edit({ minQuoteVolume24h })}
        />
        <DecimalField
          label={t('prices.saved.maxSpread')}
          unit="%"
          value={digits(fields.maxSpreadPct)}
          error={errorOf('maxSpreadPct')}
          onChange={(maxSpreadPct) => edit({ maxSpreadPct })}
        />
        <WholeField
          label={t('prices.saved.minAgeDays')}
          unit={t('screener.unit.days')}
          value={fields.minAgeDays}
          error={errorOf('minAgeDays')}
          onChange={(minAgeDays) => edit({ minAgeDays })}
        />
        <WholeField
          label={t('prices.saved.maxCoins')}
          value={fields.maxCoins}
          error={errorOf('maxCoins')}
          onChange={(maxCoins) => edit({ maxCoins })}
        />
        <SelectField
          label={t('coinFilters.order')}
          value={sortKey}
          error={errorOf('sort')}
          options={[
            { value: '', label: t('coinFilters.byVolume') },
            ...(options.data?.sort ?? []).flatMap(({ key: by, label, timeframes }) =>
              (['desc', 'asc'] as const).map((direction) => ({
                value: [by, timeframes?.includes('1h') ? '1h' : (timeframes?.[0] ?? ''), direction].join('|'),
                label: `${label}${timeframes ? ` ${timeframes.includes('1h') ? '1h' : timeframes[0]}` : ''} ${direction === 'desc' ? '↓' : '↑'}`,
              })),
            ),
          ]}
          onChange={(value) => {
            const [by = '', timeframe = '', direction] = value.split('|');
            edit({
              sort:
                by === '' ? [] : [{ key: by, direction: direction === 'asc' ? 'asc' : 'desc', ...(timeframe === '' ? {} : { timeframe }) }],
            });
          }}
        />
        <WholeField
          label={t('coinFilters.refresh')}
          unit={t('autoTrades.form.minutes')}
          value={fields.refreshMinutes}
          error={errorOf('refreshMinutes')}
          onChange={(refreshMinutes) => edit({ refreshMinutes })}
        />
        <SelectField
          label={t('coinFilters.onError')}
          value={fields.onError}
          options={(['keepLast', 'empty'] as const).map((value) => ({ value, label: t(`coinFilters.onErrorKind.${value}`) }))}
          onChange={(onError) => edit({ onError: onError === 'empty' ? 'empty' : 'keepLast' })}
        />
      </Grid>
      <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4" alignItems="start">
        <CoinPicker
          label={t('coinFilters.include')}
          quote={fields.quoteAsset}
          symbols={fields.include}
          error={errorOf('include')}
          onChange={(include) => edit({ include })}
        />
        <CoinPicker
          label={t('coinFilters.exclude')}
          quote={fields.quoteAsset}
          symbols={fields.exclude}
          error={errorOf('exclude')}
          onChange={(exclude) => edit({ exclude })}
        />
      </Grid>
      {problem && (!problem.fields?.length || problem.code === 'in-use') && (
        <Notice tone="error">
          {problemHeadline(problem, t)}
          {problem.code === 'in-use' && <Text mt="1">{t('coinFilters.otherName')}</Text>}
        </Notice>
      )}
      <FormEnd confirm={t('prices.saved.submit')} disabled={busy} onCancel={onCancel} />
    </chakra.form>
  );
}
