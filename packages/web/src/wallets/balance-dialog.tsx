import { chakra, Text } from '@chakra-ui/react';
import { add, decimal, isNegative, subtract, toText } from '@pilotfish/core/money/decimal';
import { completeDecimal } from '@pilotfish/core/money/decimal-input';
import { formatCurrency } from '@pilotfish/core/money/format';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useAction } from '../platform/use-action.ts';
import { useOnce } from '../platform/use-once.ts';
import { Notice, Segments, TextField } from '../ui/controls.tsx';
import { Dialog, FormEnd } from '../ui/dialogs/dialog.tsx';
import { DecimalField } from '../ui/fields/decimal-field.tsx';
import { useFirstWrong } from '../ui/fields/use-first-wrong.ts';
import { problemHeadline } from '../ui/toasts.ts';

/** Adds to a budget, or takes from its free part; says what will be free before it is done. */
export function BalanceDialog({ open, wallet, onClose }: { open: boolean; wallet: Wallet; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} title={t('wallets.changeOf', { name: wallet.name })} onClose={onClose} width={480}>
      <BalanceForm wallet={wallet} onClose={onClose} />
    </Dialog>
  );
}

function BalanceForm({ wallet, onClose }: { wallet: Wallet; onClose: () => void }) {
  const { t } = useTranslation();
  const { client } = useApp();
  const [fields, setFields] = useState({ way: 'add' as 'add' | 'take', amount: '', note: '' });
  const { busy, problem, run } = useAction();
  const [asked, setAsked] = useState(false);
  const { form, showWrong } = useFirstWrong<HTMLFormElement>();
  // One key for one change: a second press must not move money twice.
  const once = useOnce();
  const amount = completeDecimal(fields.amount);
  const isGiven = /[1-9]/.test(amount);
  const left = isGiven ? (fields.way === 'add' ? add : subtract)(decimal(wallet.free), decimal(amount)) : undefined;
  const tooMuch = left !== undefined && fields.way === 'take' && isNegative(left);
  const save = () => {
    const call = {
      params: { id: wallet.id },
      body: {
        amount: fields.way === 'add' ? amount : `-${amount}`,
        ...(fields.note.trim() === '' ? {} : { note: fields.note.trim() }),
      },
    };
    void run(() => once(call, (idempotencyKey) => client.addWalletBalance(call, { quiet: true, idempotencyKey })), {
      stale: ['wallets'],
      said: t('wallets.changed', { name: wallet.name }),
      onDone: onClose,
      onFailed: showWrong,
    });
  };
  return (
    <chakra.form
      ref={form}
      display="flex"
      flexDirection="column"
      gap="4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        if (isGiven && !tooMuch) return save();
        setAsked(true);
        showWrong();
      }}
    >
      <Segments
        label={t('wallets.change')}
        size="sm"
        value={fields.way}
        options={(['add', 'take'] as const).map((value) => ({ value, label: t(`wallets.way.${value}`) }))}
        onChange={(way) => setFields({ ...fields, way })}
      />
      <DecimalField
        label={t('wallets.line.amount')}
        unit={wallet.currency}
        value={fields.amount}
        error={
          tooMuch
            ? t('wallets.onlyFree', { free: formatCurrency(wallet.free, wallet.currency) })
            : asked && !isGiven
              ? t('validation.required')
              : problem?.fields?.[0]?.message
        }
        onChange={(next) => setFields({ ...fields, amount: next })}
      />
      <TextField
        label={t('wallets.note')}
        value={fields.note}
        maxLength={200}
        onChange={(event) => setFields({ ...fields, note: event.currentTarget.value })}
      />
      <Text fontSize="13px" color="fg.muted" role="status">
        {left && !tooMuch
          ? t('wallets.freeAfter', { free: formatCurrency(toText(left), wallet.currency) })
          : t('wallets.freeNow', { free: formatCurrency(wallet.free, wallet.currency) })}
      </Text>
      {problem && !problem.fields?.length && <Notice tone="error">{problemHeadline(problem, t)}</Notice>}
      <FormEnd confirm={t(`wallets.way.${fields.way}`)} disabled={busy} onCancel={onClose} />
    </chakra.form>
  );
}
