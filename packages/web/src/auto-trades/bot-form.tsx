import { chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { PRESETS } from '@pilotfish/core/auto-trades/presets';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice, Panel } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/primitives.tsx';
import { problemText } from '../ui/toasts.ts';
import { applyPreset, type BotDraft, STEPS, type Step, setField, stepOf } from './bot-draft.ts';
import { BasicsStep } from './bot-form-basics.tsx';
import { EntryStep } from './bot-form-entry.tsx';
import { ExitStep } from './bot-form-exit.tsx';
import { ReviewStep } from './bot-form-review.tsx';
import { LadderPreview } from './ladder-preview.tsx';
import { useBotForm } from './use-bot-form.ts';

export type StepProps = {
  draft: BotDraft;
  /** Sets a field by its path and marks it as touched. */
  set: (path: string, value: unknown) => void;
  /** What is wrong with a field; only what was touched or every field once saving was tried. */
  errorOf: (path: string) => string | undefined;
};

type Props = { initial: BotDraft; existing?: AutoTrade; onSaved: (bot: AutoTrade) => void };

/** Four steps over one draft; the server's rules are checked as one types and stand at their fields. */
export function BotForm({ initial, existing, onSaved }: Props) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(initial);
  const [step, setStep] = useState<Step>('basics');
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [seen, setSeen] = useState<ReadonlySet<Step>>(new Set(existing ? STEPS : []));
  const heading = useRef<HTMLHeadingElement>(null);
  const { validation, saving, save } = useBotForm(draft, existing);

  const set = (path: string, value: unknown) => {
    setDraft((before) => setField(before, path, value));
    setTouched((before) => new Set(before).add(path));
  };
  const isShown = (path: string) => seen.has(stepOf(path)) || [...touched].some((field) => path === field || path.startsWith(`${field}.`));
  const errorOf = (path: string) => (isShown(path) ? validation.errors.get(path)?.message : undefined);
  const go = (next: Step) => {
    setSeen((before) => new Set(before).add(step));
    setStep(next);
    requestAnimationFrame(() => heading.current?.focus());
  };
  const index = STEPS.indexOf(step);
  const problemsOf = (each: Step) => [...validation.errors.keys()].filter((path) => stepOf(path) === each).length;
  const onSave = async () => {
    setSeen(new Set(STEPS));
    const saved = await save();
    if (saved) onSaved(saved);
    else {
      const [first] = [...validation.errors.keys()];
      if (first) setStep(stepOf(first));
    }
  };
  const props: StepProps = { draft, set, errorOf };

  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1.7fr) minmax(300px, 1fr)' }} gap="5" alignItems="start">
      <Panel>
        <Flex as="ol" listStyleType="none" gap="2" mb="5" wrap="wrap" aria-label={t('autoTrades.form.steps')}>
          {STEPS.map((each, position) => {
            const wrong = seen.has(each) ? problemsOf(each) : 0;
            return (
              <chakra.li key={each} flex="1" minW="110px">
                <chakra.button
                  type="button"
                  aria-current={each === step ? 'step' : undefined}
                  onClick={() => go(each)}
                  w="100%"
                  textAlign="start"
                  py="2"
                  cursor="pointer"
                  borderTopWidth="3px"
                  borderColor={
                    each === step ? 'brand.solid' : wrong > 0 ? 'danger.solid' : position < index ? 'brand.muted' : 'border.subtle'
                  }
                  color={each === step ? 'fg' : 'fg.muted'}
                  fontWeight="600"
                  fontSize="13px"
                >
                  {position + 1}. {t(`autoTrades.form.step.${each}`)}
                  {wrong > 0 && (
                    <Text as="span" color="danger.fg" ms="1.5">
                      {t('autoTrades.form.wrong', { count: wrong })}
                    </Text>
                  )}
                </chakra.button>
              </chakra.li>
            );
          })}
        </Flex>
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
          {step === 'basics' && !existing && (
            <Flex direction="column" gap="2" mb="5">
              <Text textStyle="label">{t('autoTrades.form.presets')}</Text>
              <Grid templateColumns={{ base: '1fr', sm: 'repeat(3, 1fr)' }} gap="2">
                {PRESETS.map((preset) => (
                  <chakra.button
                    key={preset}
                    type="button"
                    onClick={() => {
                      setDraft((before) => applyPreset(before, preset));
                      setTouched(new Set());
                    }}
                    display="flex"
                    flexDirection="column"
                    alignItems="flex-start"
                    textAlign="start"
                    p="3"
                    borderWidth="1px"
                    borderColor="border"
                    borderRadius="panel"
                    cursor="pointer"
                    _hover={{ borderColor: 'brand.fg', bg: 'bg.raised' }}
                  >
                    <Text fontWeight="600">{t(`autoTrades.preset.${preset}.name`)}</Text>
                    <Text fontSize="13px" color="fg.muted">
                      {t(`autoTrades.preset.${preset}.lead`)}
                    </Text>
                  </chakra.button>
                ))}
              </Grid>
            </Flex>
          )}
          {step === 'basics' && <BasicsStep {...props} locked={existing !== undefined} />}
          {step === 'entry' && <EntryStep {...props} />}
          {step === 'exit' && <ExitStep {...props} />}
          {step === 'review' && <ReviewStep {...props} errors={validation.errors} />}
          {validation.problem && (
            <Flex mt="5">
              <Notice tone="error" title={validation.problem.title ?? t(`errors.${validation.problem.code}.title`)}>
                {problemText(validation.problem, t)}
              </Notice>
            </Flex>
          )}
          <Flex justify="space-between" gap="3" mt="6">
            <Button
              type="button"
              variant="outline"
              color="fg"
              visibility={index === 0 ? 'hidden' : undefined}
              onClick={() => go(STEPS[index - 1] ?? 'basics')}
            >
              {t('ui.previous')}
            </Button>
            {step === 'review' ? (
              <Button type="submit" colorPalette="brand" disabled={saving || (validation.settled && !validation.valid)}>
                <Icon name="check" size={18} />
                {t(existing ? 'autoTrades.form.saveVersion' : 'autoTrades.form.save')}
              </Button>
            ) : (
              <Button type="submit" colorPalette="brand">
                {t('ui.next')}
              </Button>
            )}
          </Flex>
        </form>
      </Panel>
      <LadderPreview validation={validation} />
    </Grid>
  );
}
