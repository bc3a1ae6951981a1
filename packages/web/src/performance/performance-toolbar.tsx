import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { BY_HAND } from '@pilotfish/core/auto-trades/exit-reason-contract';
import { shownProblem } from '@pilotfish/core/http/problem';
import type { Performance } from '@pilotfish/core/performance/performance-contract';
import { type FormEvent, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, Segments } from '../ui/controls.tsx';
import { DropDown } from '../ui/dialogs/drop-down.tsx';
import { ChipSelect } from '../ui/fields/chip-select.tsx';
import { Icon } from '../ui/icons.tsx';
import { DropMenu, MenuLink } from '../ui/kit/menu.tsx';
import { Button, Input } from '../ui/primitives.tsx';
import { showToast, toastText } from '../ui/toasts.ts';
import { fileName, type PerformanceAddress, RANGES, type RangeName } from './performance-address.ts';
import { performanceCsv } from './performance-csv.ts';
import type { Words } from './use-words.ts';

type Props = {
  address: PerformanceAddress;
  data: Performance | undefined;
  words: Words;
  today: string;
  onChange: (changes: Partial<PerformanceAddress>) => void;
  /** Around the button of own days, which a key opens, too. */
  own: RefObject<HTMLDivElement | null>;
  isPhone: boolean;
};

/** What the figures are of: whose money, which days, which bots and coins. */
export function PerformanceToolbar({ address, data, words, today, onChange, own, isPhone }: Props) {
  const { t } = useTranslation();
  const { range } = address;
  const named = typeof range === 'object' ? undefined : range;
  // A day of the range that was picked belonged to the range before.
  const onRange = (next: PerformanceAddress['range']) => onChange({ range: next, day: undefined });
  const ranges = RANGES.map((value) => ({ value, label: t(`performance.ranges.${value}`) }));
  const ownDays = <OwnDays address={address} data={data} words={words} today={today} onRange={onRange} own={own} isPhone={isPhone} />;
  return (
    <Flex gap="2" align="center" wrap="wrap">
      <Flex bg="bg.raised" borderRadius="panel" align="center">
        <Segments
          size="chip"
          label={t('overview.money')}
          value={address.mode}
          options={(['live', 'paper'] as const).map((value) => ({ value, label: t(`autoTrades.mode.${value}`) }))}
          // Bots have one money, so those of the other one would show nothing.
          onChange={(mode) => onChange({ mode, bots: [] })}
        />
        <Backtests data={data} bots={address.bots} />
      </Flex>
      {isPhone ? (
        <ChipSelect<RangeName | 'own'>
          label={t('performance.range')}
          value={named ?? 'own'}
          options={[...ranges, ...(named === undefined ? [{ value: 'own' as const, label: t('performance.own') }] : [])]}
          onChange={(value) => value !== 'own' && onRange(value)}
        />
      ) : (
        <Flex bg="bg.raised" borderRadius="panel" align="center">
          <Segments<RangeName | 'own'>
            size="chip"
            label={t('performance.range')}
            value={named ?? 'own'}
            options={ranges}
            onChange={(value) => value !== 'own' && onRange(value)}
          />
          {ownDays}
        </Flex>
      )}
      <Flex gap="2" flex={{ base: '1 1 100%', md: '1 1 0' }} minW="0" align="center">
        {isPhone && ownDays}
        <OneOf
          label={t('performance.bots')}
          all={t('performance.allBots')}
          chosen={address.bots}
          options={(data?.choices.bots ?? []).map(({ id }) => ({ value: id, label: words.bot(id) }))}
          nameOf={words.bot}
          onChange={(bots) => onChange({ bots })}
        />
        <OneOf
          label={t('performance.coins')}
          all={t('performance.allCoins')}
          chosen={address.coins}
          options={(data?.choices.coins ?? []).map((coin) => ({ value: coin, label: coin }))}
          nameOf={String}
          onChange={(coins) => onChange({ coins })}
        />
        <Box ms="auto" flexShrink="0">
          <SaveButton address={address} data={data} words={words} />
        </Box>
      </Flex>
    </Flex>
  );
}

/** Each bot has its own; without any, the way is to the bots. */
function Backtests({ data, bots }: { data: Performance | undefined; bots: readonly string[] }) {
  const { t } = useTranslation();
  const known = (data?.choices.bots ?? []).filter(({ id }) => id !== BY_HAND);
  const offered = known.some(({ id }) => bots.includes(id)) ? known.filter(({ id }) => bots.includes(id)) : known;
  return (
    <DropMenu
      button={
        <Button size="chip" variant="ghost" color="fg.muted">
          {t('performance.backtests')}
        </Button>
      }
    >
      {() => (
        <>
          <Text as="div" px="2.5" py="1.5" fontSize="12px" color="fg.muted">
            {t('performance.backtestsLead')}
          </Text>
          {offered.map(({ id, name }) => (
            <MenuLink key={id} to={`/auto-trade/detail/${id}/backtest`}>
              {name ?? t('performance.goneBot')}
            </MenuLink>
          ))}
          <MenuLink to="/auto-trade">{t('performance.toBots')}</MenuLink>
        </>
      )}
    </DropMenu>
  );
}

/** One of several, or all; that several are chosen can come by a link only. */
function OneOf({
  label,
  all,
  chosen,
  options,
  nameOf,
  onChange,
}: {
  label: string;
  all: string;
  chosen: readonly string[];
  options: readonly { value: string; label: string }[];
  nameOf: (value: string) => string;
  onChange: (chosen: readonly string[]) => void;
}) {
  const { t } = useTranslation();
  const [only] = chosen;
  const several = { value: 'several', label: t('performance.chosen', { count: chosen.length }) };
  const missing = only !== undefined && !options.some(({ value }) => value === only) ? [{ value: only, label: nameOf(only) }] : [];
  return (
    // On a phone they share a row.
    <Box minW="0" flex={{ base: '0 1 auto', md: '0 0 auto' }}>
      <ChipSelect
        label={label}
        value={chosen.length > 1 ? several.value : (only ?? '')}
        options={[{ value: '', label: all }, ...options, ...(chosen.length > 1 ? [several] : missing)]}
        onChange={(value) => onChange(value === '' ? [] : value === several.value ? chosen : [value])}
      />
    </Box>
  );
}

function OwnDays({
  address,
  data,
  words,
  today,
  onRange,
  own,
  isPhone,
}: Omit<Props, 'onChange'> & { onRange: (range: { from: string; to: string }) => void }) {
  const { t } = useTranslation();
  const { range } = address;
  const chosen = typeof range === 'object' ? range : undefined;
  const label = chosen ? words.span(chosen.from, chosen.to) : t('performance.own');
  return (
    <Box ref={own} p={isPhone ? undefined : '2px'}>
      <DropDown
        width={300}
        button={
          <Button
            size="chip"
            variant={isPhone ? 'outline' : 'ghost'}
            color={chosen ? 'fg' : 'fg.muted'}
            borderRadius="5px"
            aria-pressed={chosen !== undefined}
            aria-label={t('performance.own') + (chosen ? `: ${label}` : '')}
            css={{ '&[aria-pressed=true]': { bg: 'bg.panel', borderColor: 'border', fontWeight: '620' } }}
          >
            <Icon name="calendar" size={14} />
            {!isPhone && label}
          </Button>
        }
      >
        {(close) => (
          <OwnForm
            first={chosen ?? { from: data?.from ?? today, to: data?.to ?? today }}
            today={today}
            onRange={(next) => {
              close();
              onRange(next);
            }}
          />
        )}
      </DropDown>
    </Box>
  );
}

function OwnForm({
  first,
  today,
  onRange,
}: {
  first: { from: string; to: string };
  today: string;
  onRange: (range: { from: string; to: string }) => void;
}) {
  const { t } = useTranslation();
  const [days, setDays] = useState(first);
  const isWrong = days.from !== '' && days.to !== '' && days.from > days.to;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWrong && days.from !== '' && days.to !== '') onRange(days);
  };
  const field = (name: 'from' | 'to', error?: string) => (
    <Field label={t(`performance.${name}`)} error={error}>
      {(control) => (
        <Input
          {...control}
          type="date"
          required
          max={today}
          value={days[name]}
          px="2"
          onChange={(event) => setDays({ ...days, [name]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
  return (
    <form onSubmit={submit} noValidate>
      <Grid templateColumns="1fr 1fr" gap="2" p="1.5" alignItems="start">
        {field('from')}
        {field('to', isWrong ? t('performance.order') : undefined)}
        <Button type="submit" size="sm" h={{ base: '11', md: '9' }} colorPalette="brand" gridColumn="span 2">
          {t('performance.apply')}
        </Button>
      </Grid>
    </form>
  );
}

/** The days that are shown, as one file. */
function SaveButton({ address, data, words }: Pick<Props, 'address' | 'data' | 'words'>) {
  const { t } = useTranslation();
  const save = () => {
    if (!data) return;
    try {
      const url = URL.createObjectURL(new Blob([performanceCsv(data.days)], { type: 'text/csv;charset=utf-8' }));
      const link = document.createElement('a');
      link.href = url;
      link.download = fileName(address, data, words.bot);
      link.click();
      URL.revokeObjectURL(url);
      void showToast('success', t('performance.saved', { count: data.days.length }));
    } catch (error) {
      void showToast('error', toastText(shownProblem(error), t));
    }
  };
  return (
    <Button size="chip" variant="outline" color="fg" disabled={!data} onClick={save}>
      <Icon name="down" size={15} />
      {t('performance.csv')}
    </Button>
  );
}
