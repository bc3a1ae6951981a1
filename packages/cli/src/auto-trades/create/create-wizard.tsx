import { randomUUID } from 'node:crypto';
import type { BotDraft } from '@pilotfish/core/auto-trades/config/bot-draft';
import type { BotDraftContext, botDraftMachine } from '@pilotfish/core/auto-trades/config/bot-draft-machine';
import { planText, settingName } from '@pilotfish/core/auto-trades/config/setting-words';
import { useActor } from '@xstate/react';
import { useEffect, useRef, useState } from 'react';
import { waitFor } from 'xstate';
import type { Context } from '../../app/context.ts';
import { UsageError } from '../../app/failure.ts';
import { problemText } from '../../app/show-error.ts';
import { ChoiceQuestion } from '../../ui/choice-question.tsx';
import { type Ending, printingAbove, type Tools, useTools } from '../../ui/prompt-screen.tsx';
import { TextQuestion, Waiting } from '../../ui/questions.tsx';
import { widthOf } from '../../ui/terminal-size.ts';
import { hanging } from '../../ui/wrap.ts';
import type { MadeBot } from './ask-for-bot.tsx';
import {
  answerNow,
  complaintsAbout,
  type Facts,
  QUESTIONS,
  type QuestionId,
  questionAbout,
  questionOf,
  type Taken,
} from './create-questions.ts';
import { printLadder } from './print-ladder.ts';

const SAVE = { type: 'save.asked', sellNow: false, start: false } as const;

type Props = Ending<MadeBot | undefined> & {
  readonly context: Context;
  readonly machine: typeof botDraftMachine;
  readonly initial: BotDraft;
  readonly facts: Facts;
  /** Nothing is saved: the bot that is answered is undefined. */
  readonly isDryRun: boolean;
};

/** A question that was answered, and how everything stood before. */
type Step = { readonly left: readonly QuestionId[]; readonly draft: BotDraft };
type Way = {
  /** Questions that are still to be asked; none: the review. */
  readonly left: readonly QuestionId[];
  readonly back: readonly Step[];
  /** An answer was given, and the server looks at it. */
  readonly isJudged?: true;
  readonly error?: string | undefined;
};

/** Question by question to a bot, as the form of the browser does step by step. The bot-draft machine has each answer judged, and saves. */
export function CreateBotWizard({ context, machine, initial, facts, isDryRun, answer, fail }: Props) {
  const { t } = useTools();
  const [snapshot, send, actor] = useActor(machine, {
    input: { newId: randomUUID, draft: initial, editing: undefined },
    clock: context.timers,
  });
  const [{ left, back, isJudged, error }, go] = useState<Way>({ left: QUESTIONS, back: [] });
  const { draft } = snapshot.context;
  const isUnsettled = snapshot.hasTag('unsettled');
  const [asked] = left;
  const change = (next: BotDraft) => {
    send({ type: 'draft.changed', draft: next, editing: undefined });
    send({ type: 'check.asked' });
  };
  // What is asked before a bot may trade is asked by the command that enables it, below this one.
  const starts = useRef(false);
  const save = (start: boolean) => {
    starts.current = start;
    send(SAVE);
  };
  useEffect(() => {
    const saved = actor.on('bot.saved', ({ bot }) => answer({ bot, start: starts.current }));
    return () => saved.unsubscribe();
  }, [actor, answer]);
  /** Asks on once the server has judged the answer: the same question where that has something against it. */
  const take = async (id: QuestionId, taken: Extract<Taken, { draft: BotDraft }>) => {
    go({ left, back, isJudged: true });
    change(taken.draft);
    const { context: judged } = await waitFor(actor, (now) => !now.hasTag('unsettled'));
    const complaint = complaintsAbout(questionOf(id, judged.draft, facts, t), judged.errors);
    // Who gives the same answer again means it: the review names what is wrong.
    const isNew = JSON.stringify(judged.draft) !== JSON.stringify(draft);
    go(
      complaint !== undefined && isNew
        ? { left, back, error: complaint }
        : { left: [...(taken.ask ?? []), ...left.slice(1)], back: [...back, { left, draft }] },
    );
  };
  const leave = () => {
    const before = back.at(-1);
    if (!before) return fail(new UsageError('cancelled'));
    change(before.draft);
    go({ left: before.left, back: back.slice(0, -1) });
  };
  if (snapshot.hasTag('busy') || isJudged) return <Waiting label={t(isJudged ? 'autoTrades.form.checking' : 'cli.prompt.working')} />;
  if (asked === undefined)
    return (
      <Review
        context={context}
        facts={facts}
        isDryRun={isDryRun}
        settled={isUnsettled ? undefined : snapshot.context}
        canSave={snapshot.can(SAVE)}
        onSave={(start) => (isDryRun ? answer(undefined) : save(start))}
        onRetry={() => send({ type: 'check.asked' })}
        onChange={(id) => go({ left: [id], back: [...back, { left: [], draft }] })}
        onCancel={() => fail(new UsageError('cancelled'))}
      />
    );
  return (
    <OneQuestion
      key={`${asked} ${back.length} ${error ?? ''}`}
      {...{ id: asked, draft, facts, error }}
      onTaken={(taken) => void take(asked, taken).catch(fail)}
      onCancel={leave}
    />
  );
}

type OneProps = {
  id: QuestionId;
  draft: BotDraft;
  facts: Facts;
  error: string | undefined;
  onTaken: (taken: Extract<Taken, { draft: BotDraft }>) => void;
  onCancel: () => void;
};
function OneQuestion({ id, draft, facts, error, onTaken, onCancel }: OneProps) {
  const { t } = useTools();
  const { label, options, initial, take } = questionOf(id, draft, facts, t);
  const given = (text: string) => take(text.trim() === '' ? (initial ?? '') : text.trim());
  const onAnswer = (text: string) => {
    const taken = given(text);
    if ('draft' in taken) onTaken(taken);
  };
  if (options)
    return (
      <ChoiceQuestion
        label={label}
        options={options}
        startAt={Math.max(
          0,
          options.findIndex(({ value }) => value === initial),
        )}
        error={error}
        onAnswer={onAnswer}
        onCancel={onCancel}
      />
    );
  const check = (text: string) => {
    if (text.trim() === '' && initial === undefined) return t('cli.prompt.empty');
    const taken = given(text);
    return 'refusal' in taken ? taken.refusal : undefined;
  };
  return (
    <TextQuestion
      label={initial === undefined ? `${label}:` : `${label} [${initial}]:`}
      error={error}
      check={check}
      onAnswer={onAnswer}
      onCancel={onCancel}
    />
  );
}

type ReviewProps = {
  context: Context;
  facts: Facts;
  isDryRun: boolean;
  /** The draft with what the server says of it, once it does. */
  settled: BotDraftContext | undefined;
  canSave: boolean;
  onSave: (start: boolean) => void;
  onRetry: () => void;
  onChange: (id: QuestionId) => void;
  onCancel: () => void;
};
/** What the bot will do, what it would buy at present prices, what is wrong; then one saves, changes or leaves. */
function Review({ context, facts, isDryRun, settled, canSave, onSave, onRetry, onChange, onCancel }: ReviewProps) {
  const { t } = useTools();
  const isShown = useShownPlan(context, facts, settled);
  if (!settled || !isShown) return <Waiting label={t('autoTrades.form.checking')} onCancel={onCancel} />;
  const { draft, errors, problem } = settled;
  const wrong = new Set(errors.flatMap(({ path }) => questionAbout(path, draft, facts, t) ?? []));
  const labelled = (key: string, id: QuestionId) => ({
    value: () => onChange(id),
    label: t(`cli.bots.wizard.${key}`, { what: answerNow(id, draft, facts, t) }),
  });
  return (
    <ChoiceQuestion
      label={t('cli.bots.wizard.next')}
      error={problem && problemText(t, problem)}
      options={[
        ...(canSave ? [{ value: () => onSave(false), label: t(isDryRun ? 'cli.bots.wizard.checked' : 'autoTrades.form.save') }] : []),
        ...(canSave && !isDryRun ? [{ value: () => onSave(true), label: t('autoTrades.form.saveStart') }] : []),
        ...(problem ? [{ value: onRetry, label: t('ui.retry') }] : []),
        ...[...wrong].map((id) => labelled('correct', id)),
        ...QUESTIONS.filter((id) => !wrong.has(id)).map((id) => labelled('change', id)),
        { value: onCancel, label: t('cli.prompt.leave') },
      ]}
      onAnswer={(next) => next()}
      onCancel={onCancel}
    />
  );
}

/** Prints the plan, once for each judgement of it. True when it stands there. */
function useShownPlan(context: Context, facts: Facts, settled: BotDraftContext | undefined): boolean {
  const tools = useTools();
  const shown = useRef<string>(undefined);
  const [printed, setPrinted] = useState<string>();
  const key = settled && JSON.stringify([settled.draft, settled.errors, settled.ladder, settled.problem]);
  useEffect(() => {
    if (!settled || key === undefined || shown.current === key) return;
    shown.current = key;
    void printPlan(context, tools, facts, settled).then(() => setPrinted(key));
  }, [context, tools, facts, settled, key]);
  return key !== undefined && printed === key;
}

async function printPlan(
  context: Context,
  tools: Tools,
  facts: Facts,
  { draft, errors, ladder, isLadderOld }: BotDraftContext,
): Promise<void> {
  const { t, paint, print } = tools;
  const currency = facts.wallets.find(({ id }) => id === draft.walletId)?.currency;
  print('\n');
  for (const [step, text] of Object.entries(planText(draft, { ...facts.words, t, currency })))
    print(`${hanging(`${paint.bold(t(`autoTrades.form.step.${step}`))}  `, text, widthOf(context))}\n`);
  const above = printingAbove(context, tools);
  // Above the question, for the person: what the command answers is the bot alone.
  const told = {
    ...above,
    stdout: { ...above.stdout, write: print },
    globals: { ...context.globals, json: false, jsonl: false, csv: false },
  };
  if (ladder && !isLadderOld) await printLadder(told, ladder);
  if (errors.length > 0) print(`\n${paint.red(t('autoTrades.form.mustFix'))}\n`);
  if (errors.some(({ path }) => questionAbout(path, draft, facts, t) === undefined)) print(`${t('cli.bots.wizard.elsewhere')}\n`);
  for (const { path, message } of errors) print(`${hanging('  ', `${settingName(path, t)}: ${message}`, widthOf(context))}\n`);
  print('\n');
}
