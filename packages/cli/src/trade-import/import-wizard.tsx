import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import type { Client } from '@pilotfish/core/http/client';
import { guessColumns, NEEDED_FIELDS, ZONES } from '@pilotfish/core/trade-import/import-questions';
import { tradeImportActors } from '@pilotfish/core/trade-import/trade-import-api';
import {
  IMPORT_FIELDS,
  type ImportAnswer,
  type ImportField,
  OPERATION_MEANINGS,
  type OperationMeaning,
  type tradeImportContract,
} from '@pilotfish/core/trade-import/trade-import-contract';
import {
  type ImportFile,
  type ImportMapping,
  type ImportMeanings,
  type TradeImportEvent,
  tradeImportMachine,
} from '@pilotfish/core/trade-import/trade-import-machine';
import { useActor } from '@xstate/react';
import { useEffect, useRef, useState } from 'react';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { problemText } from '../app/show-error.ts';
import { ChoiceQuestion } from '../ui/choice-question.tsx';
import { type Ending, printingAbove, useTools } from '../ui/prompt-screen.tsx';
import { ConfirmQuestion, TextQuestion, Waiting } from '../ui/questions.tsx';
import { printAnswer, sayWarnings } from './import-answer.ts';

/** A file on this machine; it is opened when it is sent. */
export type LocalFile = ImportFile & { readonly path: string };

type Props = Ending<ImportAnswer> & {
  readonly context: Context;
  readonly machine: typeof tradeImportMachine;
  readonly newId: () => string;
  readonly file: LocalFile | undefined;
  /** What the flags say of the file, for the first time it is asked. */
  readonly zone: string | undefined;
  readonly mapping: ImportMapping | undefined;
  readonly operations: ImportMeanings | undefined;
};

/** Reads, asks what the file does not say, shows what it would bring, and stores it after a yes. The import machine decides what comes next. */
export function ImportWizard({ context, machine, newId, file, zone, mapping, operations, answer, fail }: Props) {
  const { t } = useTools();
  const [snapshot, send, actor] = useActor(machine, { input: { newId }, clock: context.timers });
  const [isChoosing, setChoosing] = useState(false);
  const { problem, answer: read } = snapshot.context;
  useEffect(() => {
    const given: Partial<Record<string, TradeImportEvent>> = {
      ...(zone !== undefined && { zone: { type: 'zone.given', zone } }),
      ...(mapping !== undefined && { mapping: { type: 'mapping.given', mapping } }),
      ...(operations !== undefined && { operations: { type: 'operations.given', operations } }),
    };
    const subscription = actor.subscribe(({ value }) => {
      const event = given[String(value)];
      delete given[String(value)];
      if (event) actor.send(event);
    });
    return () => subscription.unsubscribe();
  }, [actor, zone, mapping, operations]);
  useUndone(String(snapshot.value), read?.counts.imported ?? 0);
  useEffect(() => {
    if (file) send({ type: 'file.chosen', file });
  }, [file, send]);
  const isRead = snapshot.matches('preview') || snapshot.matches('done');
  const isShown = useShownAnswer(context, isRead ? read : undefined);
  const error = problem && problemText(t, problem);
  const leave = () => send({ type: 'import.left' });
  const choose = (chosen: LocalFile) => {
    setChoosing(false);
    send({ type: 'file.chosen', file: chosen });
  };
  if (isChoosing) return <FileQuestion error={undefined} onFile={choose} onCancel={() => setChoosing(false)} />;
  switch (snapshot.value) {
    case 'idle':
      return <FileQuestion error={error} onFile={choose} onCancel={() => fail(new UsageError('cancelled'))} />;
    case 'zone':
      return <ZoneQuestion onZone={(given) => send({ type: 'zone.given', zone: given })} onCancel={leave} />;
    case 'mapping':
      return (
        <MappingQuestions
          columns={read?.columns ?? []}
          onMapping={(given) => send({ type: 'mapping.given', mapping: given })}
          onCancel={leave}
        />
      );
    case 'operations':
      return (
        <OperationQuestions
          operations={(read?.operations ?? []).filter(({ meaning }) => meaning === null)}
          onMeanings={(given) => send({ type: 'operations.given', operations: given })}
          onPass={() => send({ type: 'operations.passed' })}
          onCancel={leave}
        />
      );
    case 'preview':
      return isShown && read ? (
        <CommitQuestion
          answer={read}
          error={error}
          onCommit={(acceptPartial) => send({ type: 'commit.asked', acceptPartial })}
          onCancel={leave}
        />
      ) : (
        <Waiting onCancel={leave} />
      );
    case 'notCommitted':
    case 'failed': {
      const said = snapshot.value === 'failed' ? error : `${error ?? ''}\n${t('imports.notStored')}. ${t('imports.retrySafe')}`;
      return (
        <AfterFailure
          error={said}
          isRead={snapshot.can({ type: 'file.chosen', file: { name: '', size: 0 } })}
          onRetry={() => send({ type: 'retry.asked' })}
          onOther={() => setChoosing(true)}
          onCancel={leave}
        />
      );
    }
    case 'done':
      return isShown && read ? (
        <AfterImport
          error={error}
          canUndo={snapshot.can({ type: 'undo.asked' })}
          onFinish={() => answer(read)}
          onOther={() => setChoosing(true)}
          onUndo={() => send({ type: 'undo.asked' })}
          onCancel={leave}
        />
      ) : (
        <Waiting />
      );
    case 'reading':
      return <Waiting label={t('cli.import.reading', { file: snapshot.context.file?.name ?? '' })} onCancel={leave} />;
    default:
      // What is on its way cannot be called back.
      return <Waiting label={t('cli.prompt.working')} />;
  }
}

/** Says how many rows were taken back: the machine forgets them. */
function useUndone(step: string, rows: number): void {
  const { t, print } = useTools();
  const taken = useRef<number>(undefined);
  useEffect(() => {
    if (step === 'idle' && taken.current !== undefined) print(`${t('cli.import.undone', { count: taken.current })}\n`);
    taken.current = step === 'undoing' ? rows : undefined;
  }, [step, rows, t, print]);
}

/** Prints what was read, once for each answer. True when it stands there. */
function useShownAnswer(context: Context, answer: ImportAnswer | undefined): boolean {
  const tools = useTools();
  const [shown, show] = useState<ImportAnswer>();
  useEffect(() => {
    if (!answer || answer === shown) return;
    const above = printingAbove(context, tools);
    void printAnswer(above, answer)
      .then(() => sayWarnings(above, answer))
      .then(() => show(answer));
  }, [context, tools, answer, shown]);
  return answer !== undefined && answer === shown;
}

/** The wizard as `ask` draws it. */
export const importWizard =
  (context: Context, client: Client<typeof tradeImportContract>, given: Pick<Props, 'file' | 'zone' | 'mapping' | 'operations'>) =>
  (ending: Ending<ImportAnswer>) => {
    const opened = async (file: ImportFile) => new Blob([new Uint8Array(await readFile((file as LocalFile).path))]);
    const machine = tradeImportMachine.provide({ actors: tradeImportActors(client, opened) });
    return <ImportWizard {...ending} {...given} context={context} machine={machine} newId={randomUUID} />;
  };

/** @throws the system's own error where there is no such file */
export function localFile(given: string): LocalFile {
  const path = given.replace(/^~(?=\/)/, homedir());
  const found = statSync(path);
  if (!found.isFile()) throw new Error('EISDIR');
  return { name: basename(path), size: found.size, path };
}

function FileQuestion({ error, onFile, onCancel }: { error: string | undefined; onFile: (file: LocalFile) => void; onCancel: () => void }) {
  const { t } = useTools();
  const check = (text: string) => {
    if (text.trim() === '') return t('cli.prompt.empty');
    try {
      localFile(text.trim());
      return undefined;
    } catch (reason) {
      return t('cli.failures.fileUnreadable', { file: text.trim(), reason: (reason as Error).message });
    }
  };
  return (
    <TextQuestion
      label={t('cli.import.askFile')}
      error={error}
      check={check}
      onAnswer={(text) => onFile(localFile(text.trim()))}
      onCancel={onCancel}
    />
  );
}

function ZoneQuestion({ onZone, onCancel }: { onZone: (zone: string) => void; onCancel: () => void }) {
  const { t } = useTools();
  return (
    <ChoiceQuestion
      label={t('imports.zone.title')}
      options={ZONES.map((zone) => ({ value: zone, label: zone }))}
      startAt={ZONES.indexOf('UTC')}
      onAnswer={onZone}
      onCancel={onCancel}
    />
  );
}

/** Field by field: which column holds it. A column is offered once. */
function MappingQuestions({
  columns,
  onMapping,
  onCancel,
}: {
  columns: readonly string[];
  onMapping: (mapping: ImportMapping) => void;
  onCancel: () => void;
}) {
  const { t } = useTools();
  const [taken, take] = useState<Readonly<Record<string, ImportField>>>({});
  const [at, goTo] = useState(0);
  const field = IMPORT_FIELDS[at];
  if (field === undefined) return null;
  const left = columns.filter((column) => !(column in taken));
  const none = { value: undefined, label: t('imports.mapping.none') };
  const options = [...(NEEDED_FIELDS.includes(field) ? [] : [none]), ...left.map((column) => ({ value: column, label: column }))];
  const guess = guessColumns(left)[field];
  return (
    <ChoiceQuestion<string | undefined>
      key={field}
      label={t('cli.import.askColumn', { field: t(`imports.field.${field}`) })}
      options={options}
      startAt={Math.max(0, guess === undefined ? 0 : options.findIndex(({ value }) => value === guess))}
      onAnswer={(column) => {
        const next = column === undefined ? taken : { ...taken, [column]: field };
        take(next);
        if (at + 1 < IMPORT_FIELDS.length) goTo(at + 1);
        else onMapping(next);
      }}
      onCancel={onCancel}
    />
  );
}

/** One answer for all rows of an operation that nobody knows. */
function OperationQuestions({
  operations,
  onMeanings,
  onPass,
  onCancel,
}: {
  operations: ImportAnswer['operations'];
  onMeanings: (meanings: ImportMeanings) => void;
  onPass: () => void;
  onCancel: () => void;
}) {
  const { t } = useTools();
  const [said, say] = useState<ImportMeanings>({});
  const asked = operations.find(({ name }) => !Object.hasOwn(said, name));
  if (asked === undefined) return null;
  const { name, rows, assets } = asked;
  return (
    <ChoiceQuestion<OperationMeaning | undefined>
      key={name}
      label={t('cli.import.askOperation', { name, rows: t('imports.operations.rows', { count: rows, assets: assets.join(', ') }) })}
      options={[
        ...OPERATION_MEANINGS.map((meaning) => ({ value: meaning, label: t(`imports.operations.meaning.${meaning}`) })),
        { value: undefined, label: t('imports.operations.pass') },
      ]}
      onAnswer={(meaning) => {
        if (meaning === undefined) {
          onPass();
          return;
        }
        const next = { ...said, [name]: meaning };
        say(next);
        if (operations.every((each) => Object.hasOwn(next, each.name))) onMeanings(next);
      }}
      onCancel={onCancel}
    />
  );
}

type CommitProps = {
  answer: ImportAnswer;
  error: string | undefined;
  onCommit: (acceptPartial: boolean) => void;
  onCancel: () => void;
};
/** Enter alone stores nothing. */
function CommitQuestion({ answer: { counts, needs }, error, onCommit, onCancel }: CommitProps) {
  const { t } = useTools();
  if (counts.imported === 0)
    return (
      <ChoiceQuestion
        label={t(counts.error > 0 ? 'imports.nothingReadable' : 'imports.nothingNew')}
        options={[{ value: 'other', label: t('imports.otherFile') }]}
        error={error}
        onAnswer={onCancel}
        onCancel={onCancel}
      />
    );
  const isPartial = needs !== null;
  return (
    <ConfirmQuestion
      label={t(isPartial ? 'cli.import.commitPartly' : 'cli.import.commit', {
        count: counts.imported,
        left: counts.error + counts.question,
      })}
      error={error}
      onAnswer={(isAgreed) => (isAgreed ? onCommit(isPartial) : onCancel())}
      onCancel={onCancel}
    />
  );
}

type FailureProps = { error: string | undefined; isRead: boolean; onRetry: () => void; onOther: () => void; onCancel: () => void };
function AfterFailure({ error, isRead, onRetry, onOther, onCancel }: FailureProps) {
  const { t } = useTools();
  return (
    <ChoiceQuestion
      label={t('cli.prompt.whatNow')}
      options={[
        { value: onRetry, label: t('ui.retry') },
        ...(isRead ? [{ value: onOther, label: t('imports.otherFile') }] : []),
        { value: onCancel, label: t('cli.prompt.leave') },
      ]}
      error={error}
      onAnswer={(next) => next()}
      onCancel={onCancel}
    />
  );
}

type DoneProps = {
  error: string | undefined;
  canUndo: boolean;
  onFinish: () => void;
  onOther: () => void;
  onUndo: () => void;
  onCancel: () => void;
};
function AfterImport({ error, canUndo, onFinish, onOther, onUndo, onCancel }: DoneProps) {
  const { t } = useTools();
  return (
    <ChoiceQuestion
      label={t('cli.import.afterImport')}
      options={[
        { value: onFinish, label: t('cli.import.finish') },
        { value: onOther, label: t('imports.otherFile') },
        ...(canUndo ? [{ value: onUndo, label: t('cli.import.takeBack') }] : []),
      ]}
      error={error}
      onAnswer={(next) => next()}
      onCancel={onCancel}
    />
  );
}
