import { Flex } from '@chakra-ui/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fold } from '../prices/pair-search.ts';
import { useCurrencyNames, useOfferedPairs } from '../prices/use-prices.ts';
import { Field } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button, Input } from '../ui/primitives.tsx';

const SUGGESTIONS = 8;

/** Pairs of one currency, picked by typing. */
export function CoinPicker({
  symbols,
  quote,
  onChange,
  error,
  label,
}: {
  symbols: readonly string[];
  quote: string;
  onChange: (symbols: string[]) => void;
  error?: string | undefined;
  label?: string;
}) {
  const { t } = useTranslation();
  const pairs = useOfferedPairs();
  const names = useCurrencyNames();
  const [search, setSearch] = useState('');
  const found = useMemo(() => {
    const wanted = fold(search.trim());
    if (wanted === '' || !pairs) return undefined;
    return [...pairs.values()]
      .filter(
        (pair) =>
          pair.status === 'TRADING' &&
          pair.quoteAsset === quote &&
          [pair.symbol, names?.get(pair.baseAsset) ?? ''].some((text) => fold(text).includes(wanted)),
      )
      .sort(
        (a, b) =>
          Number(fold(b.baseAsset).startsWith(wanted)) - Number(fold(a.baseAsset).startsWith(wanted)) || a.symbol.length - b.symbol.length,
      );
  }, [pairs, names, search, quote]);
  const matches = (found ?? []).filter(({ symbol }) => !symbols.includes(symbol)).slice(0, SUGGESTIONS);
  const isUnknown = found?.length === 0;
  const add = (symbol: string) => {
    onChange([...symbols, symbol]);
    setSearch('');
  };
  /** What Enter was pressed for before there were pairs to find it in. */
  const early = useRef<string>(undefined);
  useEffect(() => {
    const asked = early.current;
    if (asked === undefined || !pairs) return;
    early.current = undefined;
    if (asked === search && matches[0]) add(matches[0].symbol);
  });
  const name = label ?? t('autoTrades.form.coins');
  return (
    <Flex direction="column" gap="2">
      <Field
        label={name}
        error={isUnknown ? t('validation.unknown_pair', { limit: `${search.trim()} / ${quote}` }) : error}
        hint={t('autoTrades.form.coinsHint', { quote })}
      >
        {(control) => (
          <Input
            {...control}
            value={search}
            maxLength={30}
            autoComplete="off"
            spellCheck={false}
            placeholder={t('prices.search')}
            onChange={(event) => setSearch(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              const [first] = matches;
              if (first) add(first.symbol);
              else if (!pairs && search.trim() !== '') early.current = search;
            }}
          />
        )}
      </Field>
      {matches.length > 0 && (
        <Flex gap="1.5" wrap="wrap" role="group" aria-label={t('autoTrades.form.suggestions')}>
          {matches.map((pair) => (
            <Button
              key={pair.symbol}
              type="button"
              size="xs"
              variant="outline"
              color="fg"
              lang="en"
              translate="no"
              onClick={() => add(pair.symbol)}
            >
              <Icon name="plus" size={12} />
              {pair.symbol}
            </Button>
          ))}
        </Flex>
      )}
      {symbols.length > 0 && (
        <Flex as="ul" listStyleType="none" gap="1.5" wrap="wrap" aria-label={`${name}: ${t('autoTrades.form.chosen')}`}>
          {symbols.map((symbol) => (
            <li key={symbol}>
              <Button
                type="button"
                size="xs"
                variant="solid"
                bg="brand.muted"
                color="fg"
                lang="en"
                translate="no"
                aria-label={t('autoTrades.form.remove', { symbol })}
                onClick={() => onChange(symbols.filter((other) => other !== symbol))}
              >
                {symbol}
                <Icon name="close" size={12} />
              </Button>
            </li>
          ))}
        </Flex>
      )}
    </Flex>
  );
}
