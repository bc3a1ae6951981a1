import { Box, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { formatCurrency } from '@pilotfish/core/money/format';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../app/app-context.tsx';
import { fold } from '../prices/pair-search.ts';
import { usePairs } from '../prices/use-prices.ts';
import { Field, SelectField, TextField } from '../ui/controls.tsx';
import { DecimalField } from '../ui/decimal-field.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button, Input } from '../ui/primitives.tsx';
import type { StepProps } from './bot-form.tsx';
import { useWallets } from './use-auto-trades.ts';

const SUGGESTIONS = 8;

export function BasicsStep({ draft, set, errorOf, locked }: StepProps & { locked: boolean }) {
  const { t } = useTranslation();
  const wallets = useWallets();
  const wallet = wallets.data?.find(({ id }) => id === draft.walletId);
  const [opening, setOpening] = useState(false);
  const walletError = errorOf('walletId') && (draft.walletId === '' ? t('rules.WALLET_UNKNOWN') : errorOf('walletId'));
  return (
    <Flex direction="column" gap="5">
      <TextField
        label={t('autoTrades.form.name')}
        value={draft.name}
        maxLength={64}
        onChange={(event) => set('name', event.currentTarget.value)}
        error={errorOf('name')}
      />
      {wallets.data && wallets.data.length > 0 && !opening ? (
        <Flex direction="column" gap="2">
          <SelectField
            label={t('autoTrades.form.wallet')}
            value={draft.walletId}
            onChange={(id) => set('walletId', id)}
            error={walletError}
            hint={wallet && t(`autoTrades.form.walletHint.${wallet.mode}`)}
            options={wallets.data.map((each) => ({
              value: each.id,
              label: `${each.name} · ${t(`autoTrades.mode.${each.mode}`)} · ${formatCurrency(each.free, each.currency)}`,
            }))}
          />
          {!locked && (
            <Button type="button" size="xs" variant="ghost" color="brand.fg" alignSelf="flex-start" onClick={() => setOpening(true)}>
              <Icon name="plus" size={14} />
              {t('autoTrades.wallet.open')}
            </Button>
          )}
        </Flex>
      ) : (
        wallets.data && (
          <NewWallet
            error={walletError}
            onOpened={(opened) => {
              setOpening(false);
              set('walletId', opened.id);
            }}
            onCancel={wallets.data.length > 0 ? () => setOpening(false) : undefined}
          />
        )
      )}
      <CoinPicker
        symbols={draft.coins.symbols}
        quote={wallet?.currency ?? 'USDT'}
        onChange={(symbols) => set('coins.symbols', symbols)}
        error={errorOf('coins.symbols') ?? draft.coins.symbols.map((_, index) => errorOf(`coins.symbols.${index}`)).find(Boolean)}
      />
    </Flex>
  );
}

/** A budget for bots; paper ones start with play money. */
function NewWallet({
  onOpened,
  onCancel,
  error,
}: {
  onOpened: (wallet: Wallet) => void;
  onCancel: (() => void) | undefined;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  const app = useApp();
  const [fields, setFields] = useState({
    name: t('autoTrades.wallet.defaultName'),
    mode: 'paper' as 'paper' | 'live',
    initialBalance: '1000',
  });
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    try {
      const wallet = await app.busy.during(
        app.client.createWallet(
          { body: { ...fields, name: fields.name.trim(), currency: 'USDT' } },
          { idempotencyKey: crypto.randomUUID() },
        ),
      );
      app.queries.invalidate('wallets');
      onOpened(wallet);
    } catch {
      // The client has said it in a toast; the fields stay as typed.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Box as="fieldset" p="4" borderWidth="1px" borderColor="border" borderRadius="panel">
      <chakra.legend px="2" textStyle="label">
        {t('autoTrades.wallet.title')}
      </chakra.legend>
      <Grid templateColumns={{ base: '1fr', sm: '1.4fr 1fr 1fr' }} gap="3">
        <TextField
          label={t('autoTrades.wallet.name')}
          value={fields.name}
          maxLength={40}
          onChange={(event) => setFields({ ...fields, name: event.currentTarget.value })}
        />
        <SelectField
          label={t('autoTrades.wallet.mode')}
          value={fields.mode}
          onChange={(mode) => setFields({ ...fields, mode: mode === 'live' ? 'live' : 'paper' })}
          options={(['paper', 'live'] as const).map((value) => ({ value, label: t(`autoTrades.mode.${value}`) }))}
        />
        <DecimalField
          label={t('autoTrades.wallet.balance')}
          unit="USDT"
          value={fields.initialBalance}
          onChange={(initialBalance) => setFields({ ...fields, initialBalance })}
        />
      </Grid>
      <Text fontSize="13px" color="fg.muted" mt="2">
        {t(`autoTrades.form.walletHint.${fields.mode}`)}
      </Text>
      {error && (
        <Text role="alert" color="danger.fg" fontSize="13px" mt="2">
          {error}
        </Text>
      )}
      <Flex gap="2" mt="3">
        <Button
          type="button"
          size="sm"
          colorPalette="brand"
          disabled={busy || fields.name.trim() === '' || fields.initialBalance === ''}
          onClick={() => void open()}
        >
          {t('autoTrades.wallet.open')}
        </Button>
        {onCancel && (
          <Button type="button" size="sm" variant="ghost" color="fg" onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
        )}
      </Flex>
    </Box>
  );
}

/** Pairs of the wallet's currency, picked by typing. */
function CoinPicker({
  symbols,
  quote,
  onChange,
  error,
}: {
  symbols: readonly string[];
  quote: string;
  onChange: (symbols: string[]) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const [search, setSearch] = useState('');
  const matches = useMemo(() => {
    const wanted = fold(search.trim());
    if (wanted === '' || !pairs) return [];
    return [...pairs.values()]
      .filter(
        (pair) =>
          pair.status === 'TRADING' && pair.quoteAsset === quote && !symbols.includes(pair.symbol) && fold(pair.symbol).includes(wanted),
      )
      .sort(
        (a, b) =>
          Number(fold(b.baseAsset).startsWith(wanted)) - Number(fold(a.baseAsset).startsWith(wanted)) || a.symbol.length - b.symbol.length,
      )
      .slice(0, SUGGESTIONS);
  }, [pairs, search, quote, symbols]);
  const add = (symbol: string) => {
    onChange([...symbols, symbol]);
    setSearch('');
  };
  return (
    <Flex direction="column" gap="2">
      <Field label={t('autoTrades.form.coins')} error={error} hint={t('autoTrades.form.coinsHint', { quote })}>
        {(control) => (
          <Input
            {...control}
            value={search}
            autoComplete="off"
            spellCheck={false}
            placeholder={t('prices.search')}
            onChange={(event) => setSearch(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              const [first] = matches;
              if (first) add(first.symbol);
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
      <Flex as="ul" listStyleType="none" gap="1.5" wrap="wrap" aria-label={t('autoTrades.form.chosen')}>
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
    </Flex>
  );
}
