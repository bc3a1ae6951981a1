import { Box, chakra, Flex } from '@chakra-ui/react';
import { BOT_TIMEFRAMES } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { isolated } from '@pilotfish/core/fields/isolated';
import { formatCurrency } from '@pilotfish/core/money/format';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../ui/controls.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/primitives.tsx';
import { useMoney } from '../../wallets/use-money.ts';
import { WalletForm } from '../../wallets/wallet-form.tsx';
import { useWallets } from '../use-auto-trades.ts';
import type { FormPart } from './bot-form.tsx';
import { CoinChoice } from './coin-choice.tsx';
import { ChoiceAt, Columns, DecimalAt, Folded, Section, WholeAt } from './form-fields.tsx';

export function BasicsStep({ form, currency }: FormPart) {
  const { t } = useTranslation();
  const money = useMoney();
  const wallets = useWallets();
  const { draft, set, errorOf } = form;
  const wallet = wallets.data?.find(({ id }) => id === draft.walletId);
  const [opening, setOpening] = useState(false);
  const walletError = errorOf('walletId') && (draft.walletId === '' ? t('rules.WALLET_UNKNOWN') : errorOf('walletId'));
  return (
    <Flex direction="column" gap="6">
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
            hint={wallet && t(`autoTrades.form.walletHint.${money(wallet.mode)}`)}
            options={[
              ...(wallet ? [] : [{ value: draft.walletId, label: t('autoTrades.form.chooseWallet') }]),
              ...wallets.data.map((each) => ({
                value: each.id,
                label: `${isolated(each.name)} · ${t(`autoTrades.mode.${money(each.mode)}`)} · ${formatCurrency(each.free, each.currency)}`,
              })),
            ]}
          />
          <Button type="button" size="xs" variant="ghost" color="brand.fg" alignSelf="flex-start" onClick={() => setOpening(true)}>
            <Icon name="plus" size={14} />
            {t('autoTrades.wallet.open')}
          </Button>
        </Flex>
      ) : (
        wallets.data && (
          <Box as="fieldset" p="4" borderWidth="1px" borderColor="border" borderRadius="panel">
            <chakra.legend px="2" textStyle="label">
              {t('autoTrades.wallet.title')}
            </chakra.legend>
            <WalletForm
              error={walletError}
              onOpened={(opened) => {
                setOpening(false);
                set('walletId', opened.id);
              }}
              onCancel={wallets.data.length > 0 ? () => setOpening(false) : undefined}
            />
          </Box>
        )
      )}
      <Section title={t('autoTrades.form.whichCoins')}>
        <CoinChoice form={form} quote={currency} />
      </Section>
      <Folded
        title={t('autoTrades.form.slots')}
        summary={t('autoTrades.words.slots', {
          count: draft.maxOpenPositions === '' ? 0 : draft.maxOpenPositions,
          timeframe: draft.timeframe,
        })}
        wrong={(['maxOpenPositions', 'maxExposurePerCoin', 'timeframe', 'pickOrder'] as const).some((path) => form.isWrong(path))}
      >
        <Columns>
          <WholeAt form={form} path="maxOpenPositions" hint={t('autoTrades.form.maxOpenHint')} />
          <DecimalAt form={form} path="maxExposurePerCoin" unit={currency} optional hint={t('autoTrades.form.maxExposureHint')} />
          <ChoiceAt
            form={form}
            path="pickOrder"
            hint={t('autoTrades.form.pickOrderHint')}
            options={(['filterOrder', 'volume', 'dropDepth'] as const).map((value) => ({
              value,
              label: t(`autoTrades.form.pick.${value}`),
            }))}
          />
          <ChoiceAt
            form={form}
            path="timeframe"
            hint={t('autoTrades.form.timeframeHint')}
            options={BOT_TIMEFRAMES.map((value) => ({ value, label: value }))}
          />
        </Columns>
      </Folded>
    </Flex>
  );
}
