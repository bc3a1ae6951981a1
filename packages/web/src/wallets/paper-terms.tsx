import { chakra, Grid, Text } from '@chakra-ui/react';
import { completeDecimal } from '@pilotfish/core/money/decimal-input';
import { digits } from '@pilotfish/core/money/figure';
import { PAPER_TERMS } from '@pilotfish/core/money/trading-terms';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useAction } from '../platform/use-action.ts';
import { Notice } from '../ui/controls.tsx';
import { Dialog, FormEnd } from '../ui/dialogs/dialog.tsx';
import { DecimalField } from '../ui/fields/decimal-field.tsx';
import { useFirstWrong } from '../ui/fields/use-first-wrong.ts';
import { problemHeadline } from '../ui/toasts.ts';

type Term = (typeof PAPER_TERMS)[number];
/** What the fields hold: per cents, and ms. */
export type TermsDraft = Readonly<Record<Term, string>>;
type Terms = Pick<Wallet, Term>;

export const draftOf = ({ makerFeePct, takerFeePct, latencyMs }: Terms): TermsDraft => ({
  makerFeePct: digits(makerFeePct ?? ''),
  takerFeePct: digits(takerFeePct ?? ''),
  latencyMs: String(latencyMs ?? ''),
});

/** Those that are another, as a call takes them: what is not sent stays, and an older server is asked nothing that it does not know. */
export function changedTerms(draft: TermsDraft, before: TermsDraft): { makerFeePct?: string; takerFeePct?: string; latencyMs?: number } {
  const { makerFeePct, takerFeePct, latencyMs } = draft;
  return {
    ...(completeDecimal(makerFeePct) === before.makerFeePct ? {} : { makerFeePct: completeDecimal(makerFeePct) }),
    ...(completeDecimal(takerFeePct) === before.takerFeePct ? {} : { takerFeePct: completeDecimal(takerFeePct) }),
    ...(completeDecimal(latencyMs) === before.latencyMs ? {} : { latencyMs: Number(latencyMs) }),
  };
}

/** The text of what is wrong with a field before it is sent: nothing in it, or a part of a millisecond. */
export const wrongTerm = (draft: TermsDraft, term: Term): 'validation.required' | 'wallets.terms.whole' | undefined =>
  completeDecimal(draft[term]) === ''
    ? 'validation.required'
    : term === 'latencyMs' && !Number.isInteger(Number(draft.latencyMs))
      ? 'wallets.terms.whole'
      : undefined;
export const areWhole = (draft: TermsDraft): boolean => PAPER_TERMS.every((term) => wrongTerm(draft, term) === undefined);

const NAMES = { makerFeePct: 'maker', takerFeePct: 'taker', latencyMs: 'latency' } as const;

/** Fees and latency of a paper wallet. */
export function TermFields({
  draft,
  errorOf,
  onChange,
}: {
  draft: TermsDraft;
  errorOf: (term: Term) => string | undefined;
  onChange: (draft: TermsDraft) => void;
}) {
  const { t } = useTranslation();
  return (
    <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr 1fr' }} gap="4" alignItems="start">
      {PAPER_TERMS.map((term) => (
        <DecimalField
          key={term}
          label={t(`wallets.terms.${NAMES[term]}`)}
          unit={term === 'latencyMs' ? 'ms' : '%'}
          value={draft[term]}
          error={errorOf(term)}
          hint={t(`wallets.terms.${NAMES[term]}Hint`)}
          onChange={(value) => onChange({ ...draft, [term]: value })}
        />
      ))}
    </Grid>
  );
}

/** Changes what a paper wallet pays and how far it is from the exchange. */
export function TermsDialog({ open, wallet, onClose }: { open: boolean; wallet: Wallet; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} title={t('wallets.terms.of', { name: wallet.name })} onClose={onClose} width={600}>
      <TermsForm wallet={wallet} onClose={onClose} />
    </Dialog>
  );
}

function TermsForm({ wallet, onClose }: { wallet: Wallet; onClose: () => void }) {
  const { t } = useTranslation();
  const { client } = useApp();
  const before = draftOf(wallet);
  const [draft, setDraft] = useState(before);
  const { busy, problem, run } = useAction();
  const [asked, setAsked] = useState(false);
  const { form, showWrong } = useFirstWrong<HTMLFormElement>();
  const errorOf = (term: Term) => {
    const wrong = asked ? wrongTerm(draft, term) : undefined;
    return wrong ? t(wrong) : problem?.fields?.find(({ path }) => path === term)?.message;
  };
  const save = () =>
    run(() => client.updateWallet({ params: { id: wallet.id }, body: changedTerms(draft, before) }, { quiet: true }), {
      stale: ['wallets'],
      said: t('wallets.terms.saved', { name: wallet.name }),
      onDone: onClose,
      onFailed: showWrong,
    });
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
        setAsked(true);
        if (areWhole(draft)) return void save();
        showWrong();
      }}
    >
      <Text color="fg.muted">{t('wallets.terms.lead')}</Text>
      <TermFields draft={draft} errorOf={errorOf} onChange={setDraft} />
      {problem && !problem.fields?.length && <Notice tone="error">{problemHeadline(problem, t)}</Notice>}
      <FormEnd confirm={t('wallets.terms.save')} disabled={busy} onCancel={onClose} />
    </chakra.form>
  );
}
