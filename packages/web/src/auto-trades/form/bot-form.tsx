import { Box, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { BotTemplate } from '@pilotfish/core/auto-trades/bot-templates-contract';
import type { AutoTradeConfigInput } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { askable, type BotDraft, STEPS, type Step, setField, stepOf } from '@pilotfish/core/auto-trades/config/bot-draft';
import { takesForeignAmounts } from '@pilotfish/core/auto-trades/config/bot-settings';
import type { Words } from '@pilotfish/core/auto-trades/config/setting-words';
import type { FieldError, ShownProblem } from '@pilotfish/core/http/problem';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NotPermitted } from '../../platform/use-trading.tsx';
import { Notice, Panel } from '../../ui/controls.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { useFirstWrong } from '../../ui/fields/use-first-wrong.ts';
import { Button } from '../../ui/primitives.tsx';
import { problemText } from '../../ui/toasts.ts';
import { SaveTemplateDialog } from '../templates/template-dialogs.tsx';
import { useWallets } from '../use-auto-trades.ts';
import { useWords } from '../use-words.ts';
import { BasicsStep } from './bot-form-basics.tsx';
import { EntryStep } from './bot-form-entry.tsx';
import { ExitStep } from './bot-form-exit.tsx';
import { RebuysStep } from './bot-form-rebuys.tsx';
import { ReviewStep } from './bot-form-review.tsx';
import { SafetyStep } from './bot-form-safety.tsx';
import { ConflictPanel } from './conflict-panel.tsx';
import { FormButtons } from './form-buttons.tsx';
import type { StepProps } from './form-fields.tsx';
import { FormSteps } from './form-steps.tsx';
import { LadderPreview } from './ladder-preview.tsx';
import { PresetPicker } from './preset-picker.tsx';
import { StartDialog } from './start-dialog.tsx';
import { useBotForm } from './use-bot-form.ts';
import { useKeptDraft } from './use-kept-draft.ts';

/** What every step is given. */
export type FormPart = { form: StepProps; words: Words; errors: ReadonlyMap<string, FieldError>; currency: string };
export type ConditionsProps = {
  form: StepProps;
  path: 'entry.trigger.rules' | 'exit.conditions';
  errors: ReadonlyMap<string, FieldError>;
  /** What no condition at all is written as. */
  empty: 'group' | 'null';
};

type Props = {
  initial: BotDraft;
  /** What the draft was filled in with. */
  template?: BotTemplate | undefined;
  existing?: AutoTrade;
  /** Whose draft it is, and what it was begun with: drafts of others are never shown. */
  begun: string;
  /** @param notStarted why it could not be started as was asked; it is saved all the same */
  onSaved: (bot: AutoTrade, notStarted: ShownProblem | undefined) => void;
};

/** A bot that does not run, and that its owner may let trade without another question than that of the form. */
const isToStart = (bot: AutoTrade | undefined): boolean =>
  bot === undefined || (bot.state === 'Disabled' && bot.allowed.includes('enable') && !bot.mustAcknowledge);

/** Six steps over one draft; the server's rules are checked as one types and stand at their fields. */
export function BotForm({ initial, template: first, existing, begun, onSaved }: Props) {
  const { t } = useTranslation();
  const wallets = useWallets().data;
  // The bot as it was when the draft was begun, or as it was agreed upon after a conflict.
  const [base, setBase] = useState(existing);
  const [began] = useState({ draft: initial, key: `${begun}:${existing ? `${existing.id}:${existing.configVersion}` : 'new'}` });
  const { draft, isKept, setDraft, discard, forget } = useKeptDraft(began.key, began.draft);
  const [step, setStep] = useState<Step>('basics');
  /** Where the focus goes with the step that was chosen last: to the field at this path, or to the heading. */
  const [goal, setGoal] = useState<{ readonly wrong: string | undefined }>();
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [seen, setSeen] = useState<ReadonlySet<Step>>(new Set(existing ? STEPS : []));
  const [applyToOpen, setApplyToOpen] = useState(false);
  const currency = wallets?.find(({ id }) => id === draft.walletId)?.currency ?? 'USDT';
  const words = useWords(currency);
  // Fields with a draft of their own (the filter builder) begin anew when the whole draft is replaced.
  const [round, setRound] = useState(0);
  const [isKeeping, setKeeping] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const [template, setTemplate] = useState(first);
  const heading = useRef<HTMLHeadingElement>(null);
  const { form: box, showWrong } = useFirstWrong<HTMLDivElement>();
  const { validation, saving, save, starts, elsewhere, clearElsewhere, sale, clearSale } = useBotForm(
    draft,
    base && { id: base.id, version: base.configVersion, applyToOpen },
  );

  const isShown = (path: string) => seen.has(stepOf(path)) || [...touched].some((field) => path === field || path.startsWith(`${field}.`));
  const form: StepProps = {
    draft,
    set: (path, value) => {
      setDraft((before) => setField(before, path, value));
      setTouched((before) => new Set(before).add(path));
    },
    errorOf: (path) => (isShown(path) ? validation.errors.get(path)?.message : undefined),
    isWrong: (path) => [...validation.errors.keys()].some((at) => (at === path || at.startsWith(`${path}.`)) && isShown(at)),
  };
  const replace = (next: BotDraft) => {
    setDraft(() => next);
    setTouched(new Set());
    setRound(round + 1);
  };
  // With the step itself, not a frame later: by then somebody may have gone on with the keyboard.
  useLayoutEffect(() => {
    if (!goal) return;
    const { wrong } = goal;
    const at = (selector: string) => (wrong === undefined ? null : box.current?.querySelector<HTMLElement>(selector));
    (at(`[name="${wrong}"]`) ?? at('[aria-invalid=true]') ?? heading.current)?.focus();
  }, [goal, box]);
  /** To the beginning of a step, or to a field of it that is wrong. */
  const go = (next: Step, wrong?: string) => {
    setSeen((before) => new Set(next === 'review' ? STEPS : [...before, step]));
    setStep(next);
    setGoal({ wrong });
  };
  const index = STEPS.indexOf(step);
  const onSave = async (asked: { sellNow?: boolean; start?: boolean } = {}) => {
    setSeen(new Set(STEPS));
    const saved = await save(asked);
    if (!saved) return showWrong();
    forget();
    onSaved(saved.bot, saved.notStarted);
  };
  const canSave = !saving && elsewhere === undefined && (!validation.settled || validation.valid);
  const part: FormPart = { form, words, errors: validation.errors, currency };

  return (
    <Grid ref={box} templateColumns={{ base: 'minmax(0, 1fr)', xl: 'minmax(0, 1fr) minmax(0, 1.2fr)' }} gap="5" alignItems="start">
      <Panel>
        <NotPermitted permission="bots" />
        {isKept && (
          <Flex mb="4" gap="3" align="center" wrap="wrap" justify="space-between">
            <Notice tone="info">{t('autoTrades.form.kept')}</Notice>
            <Button
              type="button"
              size="sm"
              variant="outline"
              color="fg"
              onClick={() => {
                discard();
                setTouched(new Set());
                setRound(round + 1);
              }}
            >
              {t('autoTrades.form.startOver')}
            </Button>
          </Flex>
        )}
        {base && elsewhere && (
          <ConflictPanel
            base={base.config}
            mine={draft}
            theirs={elsewhere}
            words={words}
            onResolved={(next) => {
              setBase(elsewhere);
              clearElsewhere();
              replace(next);
            }}
          />
        )}
        {template && takesForeignAmounts(draft, template, currency) && (
          <Box mb="4">
            <Notice tone="warning">
              {t('autoTrades.templates.otherCurrency', { name: template.name, from: template.currency, currency })}
            </Notice>
          </Box>
        )}
        <FormSteps
          step={step}
          wrongIn={(each) => (seen.has(each) ? [...validation.errors.keys()].filter((path) => stepOf(path) === each).length : 0)}
          onStep={(next) => go(next)}
        />
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (step === 'review') void onSave();
            else go(STEPS[index + 1] ?? 'review');
          }}
        >
          <Heading as="h2" ref={heading} tabIndex={-1} textStyle="title" mb="4" outline="none">
            {t(`autoTrades.form.step.${step}`)}
          </Heading>
          <Flex key={round} direction="column">
            {step === 'basics' && (
              <>
                {!existing && (
                  <PresetPicker
                    draft={draft}
                    words={words}
                    onApply={(next, from) => {
                      replace(next);
                      setTemplate(from);
                    }}
                  />
                )}
                <BasicsStep {...part} />
              </>
            )}
            {step === 'entry' && <EntryStep {...part} />}
            {step === 'rebuys' && <RebuysStep {...part} />}
            {step === 'exit' && <ExitStep {...part} />}
            {step === 'safety' && <SafetyStep {...part} />}
            {step === 'review' && (
              <ReviewStep
                {...part}
                onStep={go}
                before={base?.config}
                openPositions={base?.openPositions ?? 0}
                applyToOpen={applyToOpen}
                onApplyToOpen={setApplyToOpen}
                changes={validation.changes}
                settled={validation.settled}
              />
            )}
          </Flex>
          {validation.problem && (
            <Flex mt="5">
              <Notice tone="error" title={validation.problem.title ?? t(`errors.${validation.problem.code}.title`)}>
                {problemText(validation.problem, t)}
              </Notice>
            </Flex>
          )}
          <FormButtons
            onBack={index === 0 ? undefined : () => go(STEPS[index - 1] ?? 'basics')}
            review={
              step === 'review'
                ? {
                    isNew: !existing,
                    // The stop loss has no default: without a choice the server refuses the settings.
                    canKeep: draft.stopLoss.mode !== '',
                    canSave,
                    // Only what was judged is started: what the question says must be of this draft.
                    canStart: isToStart(base) ? canSave && validation.settled : undefined,
                    onKeep: () => setKeeping(true),
                    onStart: () => setStarting(true),
                  }
                : undefined
            }
          />
        </form>
      </Panel>
      <LadderPreview validation={validation} />
      <StartDialog
        open={isStarting}
        draft={draft}
        words={words}
        ladder={validation.ladder}
        onConfirm={() => onSave({ start: true })}
        onClose={() => setStarting(false)}
      />
      <SaveTemplateDialog
        open={isKeeping}
        config={askable(draft).body as AutoTradeConfigInput}
        currency={currency}
        suggested={draft.name}
        onClose={() => setKeeping(false)}
      />
      <ConfirmDialog
        open={sale !== undefined}
        title={t('autoTrades.form.sellsNow.title')}
        confirm={t('autoTrades.form.sellsNow.confirm')}
        danger
        follows={starts}
        onConfirm={() => onSave({ sellNow: true, start: starts })}
        onClose={clearSale}
      >
        <Text>{sale}</Text>
      </ConfirmDialog>
    </Grid>
  );
}
