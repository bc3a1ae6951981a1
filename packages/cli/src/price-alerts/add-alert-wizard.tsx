import type { PriceAlertInput } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { useState } from 'react';
import { UsageError } from '../app/failure.ts';
import { tell } from '../app/show-error.ts';
import { type Ending, useTools } from '../ui/prompt-screen.tsx';
import { ConfirmQuestion, TextQuestion, Waiting } from '../ui/questions.tsx';

/** A line as an alert, and that alert in words. */
type Understood = { readonly body: PriceAlertInput; readonly said: string };

type Given = {
  /** Rejects with the reason where the line is not understood. */
  readonly read: (line: string) => Promise<Understood>;
  /** What was understood is taken unasked. */
  readonly isSure: boolean;
};

/** One line, asked for until it is understood; nothing is set before a yes to what was understood. */
function AddAlertWizard({ read, isSure, answer, fail }: Given & Ending<PriceAlertInput>) {
  const { t } = useTools();
  const [isReading, setReading] = useState(false);
  const [error, refuse] = useState<string>();
  const [tries, setTries] = useState(0);
  const [understood, understand] = useState<Understood>();
  const leave = () => fail(new UsageError('cancelled'));
  const take = async (line: string) => {
    setReading(true);
    setTries((before) => before + 1);
    refuse(undefined);
    try {
      const found = await read(line);
      if (isSure) answer(found.body);
      else understand(found);
    } catch (reason) {
      refuse(tell(reason, t).sentence);
    }
    setReading(false);
  };
  if (isReading) return <Waiting onCancel={leave} />;
  if (understood)
    return (
      <ConfirmQuestion
        label={t('cli.alerts.set', { alert: understood.said })}
        onAnswer={(isAgreed) => (isAgreed ? answer(understood.body) : understand(undefined))}
        onCancel={leave}
      />
    );
  return (
    <TextQuestion
      // A question that was answered takes no more keys, also where nothing was drawn between it and the next one.
      key={tries}
      label={t('cli.dashboard.newAlert')}
      hint={t('cli.dashboard.alertHint')}
      error={error}
      check={(line) => (line.trim() === '' ? t('alerts.grammar.empty') : undefined)}
      onAnswer={(line) => void take(line)}
      onCancel={leave}
    />
  );
}

/** The wizard as `ask` draws it. */
export const addAlertWizard = (given: Given) => (ending: Ending<PriceAlertInput>) => <AddAlertWizard {...ending} {...given} />;
