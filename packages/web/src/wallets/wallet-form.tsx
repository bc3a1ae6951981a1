import { Box, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { STANDARD_PAPER_TERMS } from '@pilotfish/core/money/trading-terms';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useAction } from '../platform/use-action.ts';
import { useOnce } from '../platform/use-once.ts';
import { useRefusal, useTradingDenied, WhyDisabled } from '../platform/use-trading.tsx';
import { useOfferedPairs } from '../prices/use-prices.ts';
import { Notice, TextField } from '../ui/controls.tsx';
import { DecimalField } from '../ui/fields/decimal-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { useFirstWrong } from '../ui/fields/use-first-wrong.ts';
import { Button } from '../ui/primitives.tsx';
import { problemHeadline } from '../ui/toasts.ts';
import { areWhole, changedTerms, draftOf, TermFields, wrongTerm } from './paper-terms.tsx';
import { useMoney } from './use-money.ts';

const MODES = ['paper', 'live'] as const;
const STANDARD = draftOf(STANDARD_PAPER_TERMS);

/** A new budget for bots. What paper and live mean stands beside each, before anything is opened. */
export function WalletForm({
  onOpened,
  onCancel,
  error,
}: {
  onOpened: (wallet: Wallet) => void;
  onCancel?: (() => void) | undefined;
  error?: string | undefined;
}) {
  const { t } = useTranslation();
  const money = useMoney();
  const { client } = useApp();
  const pairs = useOfferedPairs();
  const whyId = useId();
  const refusal = useRefusal('bots');
  const denied = useTradingDenied();
  const [fields, setFields] = useState({
    name: t('autoTrades.wallet.defaultName'),
    mode: 'paper' as 'paper' | 'live',
    currency: 'USDT',
    initialBalance: '1000',
    reservePct: '1',
  });
  const [terms, setTerms] = useState(STANDARD);
  const isPaper = fields.mode === 'paper';
  const { busy, problem, run } = useAction();
  const { form, showWrong } = useFirstWrong<HTMLDivElement>();
  // One key for one thing to open: a second press must not open it twice.
  const once = useOnce();
  const quotes = useMemo(
    () => [...new Set([fields.currency, ...(pairs ? [...pairs.values()].map(({ quoteAsset }) => quoteAsset) : [])])],
    [pairs, fields.currency],
  );
  const [asked, setAsked] = useState(false);
  const told = (path: string) => problem?.fields?.find((field) => field.path === path)?.message;
  const errorOf = (path: keyof typeof fields) => (asked && fields[path].trim() === '' ? t('validation.required') : undefined) ?? told(path);
  const termError = (term: keyof typeof terms) => {
    const wrong = asked ? wrongTerm(terms, term) : undefined;
    return wrong ? t(wrong) : told(term);
  };
  const edit = (change: Partial<typeof fields>) => setFields({ ...fields, ...change });
  const isWhole = Object.values(fields).every((value) => value.trim() !== '') && (!isPaper || areWhole(terms));
  const open = () => {
    setAsked(true);
    if (!isWhole) return showWrong();
    const body = { ...fields, name: fields.name.trim(), ...(isPaper ? changedTerms(terms, STANDARD) : {}) };
    void run(() => once(body, (idempotencyKey) => client.createWallet({ body }, { quiet: true, idempotencyKey })), {
      stale: ['wallets'],
      onDone: onOpened,
      onFailed: showWrong,
    });
  };
  return (
    <Flex
      ref={form}
      direction="column"
      gap="4"
      // It may stand inside a form of its own: Enter opens the wallet and does not send that one.
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        open();
      }}
    >
      <Box as="fieldset">
        <chakra.legend textStyle="label" mb="1.5">
          {t('autoTrades.wallet.mode')}
        </chakra.legend>
        <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="2">
          {MODES.map((mode) => (
            <chakra.label
              key={mode}
              display="flex"
              gap="3"
              p="3"
              borderWidth="1px"
              borderRadius="panel"
              cursor={mode === 'live' && denied ? 'not-allowed' : 'pointer'}
              opacity={mode === 'live' && denied ? '0.6' : undefined}
              borderColor={fields.mode === mode ? (money(mode) === 'live' ? 'danger.solid' : 'brand.solid') : 'border'}
              bg={fields.mode === mode ? 'bg.raised' : undefined}
            >
              <chakra.input
                type="radio"
                name="wallet-mode"
                mt="3px"
                checked={fields.mode === mode}
                disabled={mode === 'live' && denied}
                aria-describedby={mode === 'live' && denied ? whyId : undefined}
                onChange={() => edit({ mode })}
                css={{ accentColor: 'var(--chakra-colors-brand-solid)' }}
              />
              <span>
                <Text as="span" display="block" fontWeight="600">
                  {t(`autoTrades.mode.${money(mode)}`)}
                </Text>
                <Text as="span" display="block" fontSize="13px" color="fg.muted">
                  {t(`wallets.meaning.${money(mode)}`)}
                </Text>
              </span>
            </chakra.label>
          ))}
        </Grid>
        {denied && (
          <Box mt="2">
            <WhyDisabled id={whyId} />
          </Box>
        )}
      </Box>
      <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4" alignItems="start">
        <TextField
          label={t('autoTrades.wallet.name')}
          value={fields.name}
          maxLength={40}
          error={errorOf('name')}
          onChange={(event) => edit({ name: event.currentTarget.value })}
        />
        <SelectField
          label={t('wallets.currency')}
          value={fields.currency}
          error={errorOf('currency')}
          onChange={(currency) => edit({ currency })}
          options={quotes.map((value) => ({ value, label: value }))}
        />
        <DecimalField
          label={t('autoTrades.wallet.balance')}
          unit={fields.currency}
          value={fields.initialBalance}
          error={errorOf('initialBalance')}
          onChange={(initialBalance) => edit({ initialBalance })}
        />
        <DecimalField
          label={t('wallets.reserve')}
          unit="%"
          value={fields.reservePct}
          error={errorOf('reservePct')}
          hint={t('wallets.reserveHint')}
          onChange={(reservePct) => edit({ reservePct })}
        />
      </Grid>
      {isPaper && <TermFields draft={terms} errorOf={termError} onChange={setTerms} />}
      {problem && !problem.fields?.length && <Notice tone="error">{problemHeadline(problem, t)}</Notice>}
      {error && !problem && <Notice tone="error">{error}</Notice>}
      <Flex gap="2" justify="flex-end">
        {onCancel && (
          <Button type="button" size="sm" variant="ghost" color="fg" onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
        )}
        <Button type="button" size="sm" colorPalette="brand" disabled={busy} {...refusal} onClick={open}>
          {t('autoTrades.wallet.open')}
        </Button>
      </Flex>
    </Flex>
  );
}
