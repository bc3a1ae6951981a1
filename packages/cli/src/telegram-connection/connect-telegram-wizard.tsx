import { isConnectivity } from '@pilotfish/core/http/problem';
import type { TelegramLink, telegramLinkMachine } from '@pilotfish/core/telegram-connection/telegram-link-machine';
import { useActor } from '@xstate/react';
import { useEffect, useState } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure, ShownFailure, UsageError } from '../app/failure.ts';
import { problemText } from '../app/show-error.ts';
import { ChoiceQuestion } from '../ui/choice-question.tsx';
import { type Ending, useTools } from '../ui/prompt-screen.tsx';
import { qrCode } from '../ui/qr-code.ts';
import { TextQuestion, Waiting } from '../ui/questions.tsx';
import { codeIn, whyUnavailable } from './telegram-words.ts';

type LinkActor = ActorRefFrom<typeof telegramLinkMachine>;

type Props = Ending<void> & {
  readonly context: Context;
  readonly machine: typeof telegramLinkMachine;
  /** The bot's code, where the command line brings it; it is sent before anything is asked. */
  readonly code: string | undefined;
  /** Tells when a chat was linked elsewhere; answers how to stop. */
  readonly watch: (onLinked: () => void) => () => void;
};

/** The link to the bot above, its code asked for below; it ends by itself where the chat is linked in a browser. The machine of the link decides what comes next. */
export function ConnectTelegramWizard({ context, machine, code, watch, answer, fail }: Props) {
  const { t } = useTools();
  const [snapshot, send, actor] = useActor(machine, { input: { now: context.now, code }, clock: context.timers });
  const [isTyping, setTyping] = useState(false);
  const { link, problem } = snapshot.context;
  const isShown = useShownLink(context, link);
  useEnding(actor, { answer, fail });
  useLinkedElsewhere(actor, watch);
  const leave = () => fail(new UsageError('cancelled'));
  const again = () => send({ type: 'link.asked' });
  const error = problem && problemText(t, problem);
  const bring = (text: string) => {
    setTyping(false);
    send({ type: 'code.brought', code: codeIn(text) });
  };
  switch (snapshot.value) {
    case 'offered':
      return isShown ? <CodeQuestion key={link?.code} error={error} onCode={bring} onCancel={leave} /> : <Waiting onCancel={leave} />;
    case 'over':
      return isTyping ? (
        <CodeQuestion error={undefined} onCode={bring} onCancel={() => setTyping(false)} />
      ) : (
        <OverQuestion onAgain={again} onCode={() => setTyping(true)} onCancel={leave} />
      );
    case 'unavailable': {
      const why = whyUnavailable(t, link);
      const failure = new LocalFailure('telegramUnavailable', { reason: why });
      // A code that was brought and refused has its own reason.
      return <AfterFailure error={error ?? why} onRetry={again} onLeave={() => fail(failure)} onCancel={leave} />;
    }
    case 'unknown':
      return (
        <AfterFailure
          error={error}
          onRetry={again}
          onLeave={() => fail(new ShownFailure(problem ?? { code: 'internal' }))}
          onCancel={leave}
        />
      );
    case 'connecting':
      // What is on its way cannot be called back.
      return <Waiting label={t('cli.prompt.working')} />;
    default:
      return <Waiting onCancel={leave} />;
  }
}

/** Prints a new link three ways: a code to scan, a link to open, the words to type. True once it stands there. */
function useShownLink(context: Context, link: TelegramLink | undefined): boolean {
  const { t, print } = useTools();
  const [shown, show] = useState<string>();
  const { link: address, code, botName = '' } = link ?? {};
  useEffect(() => {
    if (address === undefined || address === shown) return;
    void qrCode(context, address).then((drawn) => {
      print(`${t('cli.telegram.open', { bot: `@${botName}` })}\n\n${drawn}`);
      print(`${address}\n${t('cli.telegram.orType', { code: code ?? '' })}\n\n`);
      show(address);
    });
  }, [context, address, code, botName, shown, t, print]);
  return address === undefined || address === shown;
}

/** A chat that is linked ends the wizard: with success where it was not linked when this began. */
function useEnding(actor: LinkActor, { answer, fail }: Ending<void>): void {
  const { t, print } = useTools();
  useEffect(() => {
    let wasOffered = false;
    const changed = actor.on('link.changed', () => answer());
    const seen = actor.subscribe((snapshot) => {
      if (snapshot.matches('offered')) wasOffered = true;
      if (!snapshot.matches('linked')) return;
      if (wasOffered) return answer();
      const { problem } = snapshot.context;
      // A chat may have been linked before: what became of a code that was brought at once, only its own answer tells.
      if (problem && isConnectivity(problem)) print(`${t('cli.unheard')}\n`);
      fail(problem ? new ShownFailure(problem) : new LocalFailure('telegramConnected', {}, { exit: EXIT.conflict }));
    });
    return () => {
      changed.unsubscribe();
      seen.unsubscribe();
    };
  }, [actor, answer, fail, t, print]);
}

/** What is told while a question or a code is under way waits until the machine takes it. */
function useLinkedElsewhere(actor: LinkActor, watch: Props['watch']): void {
  useEffect(() => {
    let isTold = false;
    const askIfTold = () => {
      if (!isTold || !actor.getSnapshot().can({ type: 'link.asked' })) return;
      isTold = false;
      actor.send({ type: 'link.asked' });
    };
    const waiting = actor.subscribe(askIfTold);
    const stop = watch(() => {
      isTold = true;
      askIfTold();
    });
    return () => {
      waiting.unsubscribe();
      stop();
    };
  }, [actor, watch]);
}

type CodeProps = { error: string | undefined; onCode: (text: string) => void; onCancel: () => void };
function CodeQuestion({ error, onCode, onCancel }: CodeProps) {
  const { t } = useTools();
  return (
    <TextQuestion
      label={t('cli.telegram.code')}
      error={error}
      check={(text) => (text.trim() === '' ? t('cli.prompt.empty') : undefined)}
      onAnswer={onCode}
      onCancel={onCancel}
    />
  );
}

/** The bot may have answered before the time was over. */
function OverQuestion({ onAgain, onCode, onCancel }: { onAgain: () => void; onCode: () => void; onCancel: () => void }) {
  const { t } = useTools();
  return (
    <ChoiceQuestion
      label={t('telegramConnect.over')}
      options={[
        { value: onAgain, label: t('telegramConnect.again') },
        { value: onCode, label: t('cli.telegram.enterCode') },
        { value: onCancel, label: t('cli.prompt.leave') },
      ]}
      onAnswer={(next) => next()}
      onCancel={onCancel}
    />
  );
}

type FailureProps = { error: string | undefined; onRetry: () => void; onLeave: () => void; onCancel: () => void };
function AfterFailure({ error, onRetry, onLeave, onCancel }: FailureProps) {
  const { t } = useTools();
  return (
    <ChoiceQuestion
      label={t('cli.prompt.whatNow')}
      options={[
        { value: onRetry, label: t('ui.retry') },
        { value: onLeave, label: t('cli.prompt.leave') },
      ]}
      error={error}
      onAnswer={(next) => next()}
      onCancel={onCancel}
    />
  );
}
