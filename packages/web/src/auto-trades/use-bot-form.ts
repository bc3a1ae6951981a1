import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { type FieldError, type ShownProblem, shownProblem } from '@pilotfish/core/http/problem';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useApp } from '../app/app-context.tsx';
import type { BotDraft } from './bot-draft.ts';

const PAUSE_MS = 400;

export type Validation = {
  /** By path in the contract. */
  errors: ReadonlyMap<string, FieldError>;
  ladder: AutoTradeDetail['ladder'] | null;
  /** False while an answer for the present draft is awaited. */
  settled: boolean;
  valid: boolean;
  /** The server could not be asked. */
  problem: ShownProblem | undefined;
};
const NOTHING_YET = { key: '', errors: new Map<string, FieldError>(), ladder: null, valid: false, problem: undefined };

/** Saves a bot, and until then asks the server at every pause in typing which rules the draft breaks. */
export function useBotForm(draft: BotDraft, existing?: Pick<AutoTrade, 'id' | 'configVersion'>) {
  const app = useApp();
  const [answered, setAnswered] = useState<Omit<Validation, 'settled'> & { key: string }>(NOTHING_YET);
  const [saving, setSaving] = useState(false);
  // One key per form: sending the same form twice makes one bot.
  const idempotencyKey = useRef(crypto.randomUUID());
  const key = JSON.stringify(draft);

  const send = (body: never, validateOnly: boolean, signal?: AbortSignal) => {
    const query = { validateOnly: String(validateOnly) as 'true' | 'false' };
    return existing
      ? app.client.updateAutoTrade(
          { params: { id: existing.id }, query: { ...query, version: existing.configVersion }, body },
          { signal, quiet: true },
        )
      : app.client.createAutoTrade(
          { query, body },
          { signal, quiet: true, ...(validateOnly ? {} : { idempotencyKey: idempotencyKey.current }) },
        );
  };
  const latest = useRef(send);
  useLayoutEffect(() => {
    latest.current = send;
  });

  useEffect(() => {
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const answer = await latest.current(JSON.parse(key) as never, true, leaving.signal);
        setAnswered({ key, errors: byPath(answer.errors), ladder: answer.ladder, valid: answer.valid, problem: undefined });
      } catch (thrown) {
        if (leaving.signal.aborted) return;
        const problem = shownProblem(thrown);
        const errors = byPath(problem.fields ?? []);
        setAnswered((before) => ({ ...before, key, errors, valid: false, problem: errors.size > 0 ? undefined : problem }));
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [key]);

  const save = async (): Promise<AutoTrade | undefined> => {
    setSaving(true);
    try {
      const answer = await app.busy.during(send(JSON.parse(key) as never, false));
      app.queries.invalidate('auto-trades', ...(existing ? [`auto-trade:${existing.id}`] : []));
      if (answer.autoTrade) return answer.autoTrade;
      setAnswered({ key, errors: byPath(answer.errors), ladder: answer.ladder, valid: false, problem: undefined });
    } catch (thrown) {
      const problem = shownProblem(thrown);
      const errors = byPath(problem.fields ?? []);
      setAnswered((before) => ({ ...before, key, errors, valid: false, problem: errors.size > 0 ? undefined : problem }));
      idempotencyKey.current = crypto.randomUUID();
    } finally {
      setSaving(false);
    }
    return undefined;
  };
  const validation: Validation = { ...answered, settled: answered.key === key };
  return { validation, saving, save };
}

const byPath = (errors: readonly FieldError[]): Map<string, FieldError> => new Map(errors.map((error) => [error.path, error]));
