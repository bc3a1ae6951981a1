import type { AutoTrade, AutoTradeDetail, PositionChange } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { askable, type BotDraft } from '@pilotfish/core/auto-trades/config/bot-draft';
import { codeOf, type FieldError, isConnectivity, type ShownProblem, shownProblem } from '@pilotfish/core/http/problem';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../app/app-context.tsx';
import { useOnce } from '../app/use-once.ts';

const PAUSE_MS = 400;
/**
 * When the server is asked again where it could not be asked, or had no price of a coin yet: without it the rules of a draft
 * that rests are never shown.
 */
const AGAIN_MS = 5000;

export type Validation = {
  /** By path in the contract. */
  errors: ReadonlyMap<string, FieldError>;
  ladder: AutoTradeDetail['ladder'] | null;
  /** The ladder belongs to an earlier draft: this one cannot be planned. */
  isLadderOld: boolean;
  /** What open positions would change, when the settings are to apply to them. */
  changes: readonly PositionChange[];
  /** False while an answer for the present draft is awaited. */
  settled: boolean;
  valid: boolean;
  /** The server could not be asked. */
  problem: ShownProblem | undefined;
};
type Answered = Omit<Validation, 'settled'> & { key: string };
const NOTHING_YET: Answered = {
  key: '',
  errors: new Map(),
  ladder: null,
  isLadderOld: false,
  changes: [],
  valid: false,
  problem: undefined,
};

/** What is being edited: the bot, the version the draft began from, and whether open positions take the settings on. */
export type Editing = { id: string; version: number; applyToOpen: boolean };

/** A coin of the draft was planned without a price: none of the rules about sizes has been looked at. */
const lacksPrice = ({ coins }: BotDraft, { errors, ladder }: Pick<Answered, 'errors' | 'ladder'>): boolean =>
  !errors.has('walletId') &&
  coins.symbols.some((symbol, index) => !errors.has(`coins.symbols.${index}`) && !ladder?.rungs.some((rung) => rung.symbol === symbol));

/** Saves a bot, and until then asks the server at every pause in typing which rules the draft breaks. */
export function useBotForm(draft: BotDraft, editing?: Editing) {
  const app = useApp();
  const { t, i18n } = useTranslation();
  const [answered, setAnswered] = useState(NOTHING_YET);
  const [saving, setSaving] = useState(false);
  /** The bot as somebody else saved it after the draft was begun. */
  const [elsewhere, setElsewhere] = useState<AutoTrade>();
  /** What these settings would sell at once: saved only when that is asked for. */
  const [sale, setSale] = useState<string>();
  const once = useOnce();
  const key = JSON.stringify([draft, editing?.applyToOpen ?? false, i18n.language]);

  const send = (body: unknown, validateOnly: boolean, { signal, sellNow = false }: { signal?: AbortSignal; sellNow?: boolean } = {}) => {
    const query = { validateOnly: String(validateOnly) as 'true' | 'false' };
    return editing
      ? app.client.updateAutoTrade(
          {
            params: { id: editing.id },
            query: {
              ...query,
              version: editing.version,
              applyToOpen: String(editing.applyToOpen) as 'true' | 'false',
              sellNow: String(sellNow) as 'true' | 'false',
            },
            body: body as never,
          },
          { signal, quiet: true, check: validateOnly },
        )
      : validateOnly
        ? app.client.createAutoTrade({ query, body: body as never }, { signal, quiet: true, check: true })
        : once(body, (idempotencyKey) => app.client.createAutoTrade({ query, body: body as never }, { quiet: true, idempotencyKey }));
  };
  const latest = useRef({ send, draft, editing });
  useLayoutEffect(() => {
    latest.current = { send, draft, editing };
  });
  /** What only a person can fill in is told in our own words, beside what the server found. */
  const withMissing = (errors: readonly FieldError[], of: BotDraft): Map<string, FieldError> => {
    const found = new Map(errors.map((error) => [error.path, error]));
    for (const path of askable(of).missing) found.set(path, { path, code: 'required', message: t(`autoTrades.form.missing.${path}`) });
    return found;
  };
  const refused = (thrown: unknown, of: BotDraft) => {
    const problem = shownProblem(thrown);
    const hasFields = (problem.fields?.length ?? 0) > 0;
    setAnswered((before) => ({
      ...before,
      key,
      errors: withMissing(problem.fields ?? [], of),
      isLadderOld: true,
      changes: [],
      valid: false,
      problem: hasFields ? undefined : problem,
    }));
  };
  const told = useRef({ withMissing, refused });
  useLayoutEffect(() => {
    told.current = { withMissing, refused };
  });

  useEffect(() => {
    const leaving = new AbortController();
    const ask = async () => {
      const asked = latest.current;
      try {
        const answer = await asked.send(askable(asked.draft).body, true, { signal: leaving.signal });
        if (leaving.signal.aborted) return;
        const errors = told.current.withMissing(answer.errors, asked.draft);
        setAnswered({
          key,
          errors,
          ladder: answer.ladder,
          isLadderOld: false,
          changes: answer.changes,
          valid: answer.valid && errors.size === 0,
          problem: undefined,
        });
        if (lacksPrice(asked.draft, { errors, ladder: answer.ladder })) timer = setTimeout(ask, AGAIN_MS);
        if (answer.autoTrade && asked.editing && answer.autoTrade.configVersion > asked.editing.version) setElsewhere(answer.autoTrade);
      } catch (thrown) {
        if (leaving.signal.aborted) return;
        told.current.refused(thrown, asked.draft);
        if (isConnectivity(thrown)) timer = setTimeout(ask, AGAIN_MS);
      }
    };
    let timer = setTimeout(ask, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [key]);

  const save = async (sellNow = false): Promise<AutoTrade | undefined> => {
    if (askable(draft).missing.length > 0) {
      setAnswered((before) => ({ ...before, errors: withMissing([...before.errors.values()], draft), valid: false }));
      return undefined;
    }
    setSaving(true);
    try {
      const answer = await app.busy.during(send(askable(draft).body, false, { sellNow }));
      setSale(undefined);
      app.queries.invalidate('auto-trades', ...(editing ? [`auto-trade:${editing.id}`, `versions:${editing.id}`] : []));
      return answer.autoTrade ?? undefined;
    } catch (thrown) {
      if (editing && codeOf(thrown) === 'version-conflict') {
        const newest = await app.client.getAutoTrade({ params: { id: editing.id } }).catch(() => undefined);
        if (newest) setElsewhere(newest);
      } else if (codeOf(thrown) === 'would-sell-now') setSale(shownProblem(thrown).detail ?? '');
      else refused(thrown, draft);
    } finally {
      setSaving(false);
    }
    return undefined;
  };
  const settled = answered.key === key;
  // What was missing and is chosen now is no error any more, even before the server was asked again.
  const { missing } = askable(draft);
  const errors = settled
    ? answered.errors
    : new Map([...answered.errors].filter(([path, { code }]) => code !== 'required' || missing.some((each) => each === path)));
  const validation: Validation = { ...answered, errors, settled };
  return { validation, saving, save, elsewhere, clearElsewhere: () => setElsewhere(undefined), sale, clearSale: () => setSale(undefined) };
}
