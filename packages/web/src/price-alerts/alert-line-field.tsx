import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { formatPrice } from '@pilotfish/core/money/format';
import { startOfTrue } from '@pilotfish/core/price-alerts/already-true';
import type { PriceAlertBody } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useRefusal } from '../platform/use-trading.tsx';
import { useCalmPrice, usePairs } from '../prices/use-prices.ts';
import { Icon } from '../ui/icons.tsx';
import { Button, Input } from '../ui/primitives.tsx';
import { acceptSuggestion, aroundError } from './alert-line.ts';
import type { AlertEditor } from './use-alert-editor.ts';
import { useAlertWords } from './use-price-alerts.ts';

/** Suggestions shown as buttons; more would be a list to read. */
const MOST_SUGGESTIONS = 6;

/** As high as a finger needs on phones. */
const COMPACT_BUTTON = { h: { base: '11', md: '8' }, px: '3', fontSize: '13px', flexShrink: '0' } as const;
const COMPACT = { h: { base: '11', md: '8' }, px: '2.5', minW: '0', fontSize: { base: '16px', md: '13px' } } as const;

/** Settings of an alert whose name stands elsewhere than among those of its condition. */
const ALSO_NAMED: Readonly<Record<string, string>> = {
  cooldownMin: 'alerts.form.cooldown',
  hysteresisPct: 'alerts.form.hysteresis',
  expiresAt: 'alerts.form.expiry',
  note: 'alerts.form.note',
};

/** One line that is an alert: says while typing what was understood, or what was not, where, and what could stand there. */
export function AlertLineField({
  editor,
  submit,
  autoFocus = false,
  example,
}: {
  editor: AlertEditor;
  submit: string;
  autoFocus?: boolean;
  /** Where there is little room: stands in the empty line, in place of its label and its hint. */
  example?: string;
}) {
  const { t } = useTranslation();
  const say = useAlertWords();
  const refusal = useRefusal('price-alerts');
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { line, parsed, saving, view, body } = editor;
  const error = view === 'line' && parsed && !parsed.ok ? parsed.error : undefined;
  // Understood, but not possible: what is wrong is a setting, not a place in the line.
  const isOfSetting = error?.code === 'out-of-range';
  const isCompact = example !== undefined;
  const settingName = (name: string): string => t([`alerts.parameter.${name}`, ALSO_NAMED[name] ?? 'alerts.form.condition']);
  const echo = view === 'line' ? (parsed?.ok ? say(parsed.body) : undefined) : body && say(body);
  return (
    <chakra.form
      display="flex"
      flexDirection="column"
      gap="2"
      onSubmit={(event) => {
        event.preventDefault();
        void editor.save();
      }}
    >
      <chakra.label htmlFor={id} textStyle="label" className={isCompact ? 'visually-hidden' : undefined}>
        {t('alerts.page.line')}
      </chakra.label>
      <Flex gap="2" direction={isCompact ? 'row' : { base: 'column', sm: 'row' }}>
        <Input
          ref={input}
          id={id}
          value={line}
          autoFocus={autoFocus}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={400}
          placeholder={example ?? t('alerts.page.linePlaceholder')}
          {...(isCompact ? COMPACT : {})}
          aria-describedby={`${id}-told`}
          aria-invalid={error !== undefined && error.code !== 'empty' ? true : undefined}
          onChange={(event) => editor.typeLine(event.currentTarget.value)}
        />
        <Button
          type="submit"
          colorPalette="brand"
          disabled={saving || (view === 'line' && body === undefined)}
          {...refusal}
          {...(isCompact ? COMPACT_BUTTON : {})}
        >
          {!isCompact && <Icon name="plus" size={18} />}
          {submit}
        </Button>
      </Flex>
      <Box id={`${id}-told`} role="status" minH={isCompact ? undefined : '22px'} fontSize={isCompact ? '12px' : '14px'}>
        {echo !== undefined ? (
          <>
            <Flex gap="2" align="flex-start">
              <Box color="brand.fg" flexShrink="0" pt="2px">
                <Icon name="check" size={16} />
              </Box>
              <Text overflowWrap="anywhere">{t('alerts.page.understood', { alert: echo })}</Text>
            </Flex>
            {body?.symbol !== undefined && <AlreadyTrue body={body} symbol={body.symbol} />}
          </>
        ) : error ? (
          <Flex direction="column" gap="1.5">
            <Flex gap="2" align="flex-start" color="danger.fg">
              <Box flexShrink="0" pt="2px">
                <Icon name="warning" size={16} />
              </Box>
              <Text overflowWrap="anywhere">
                {isOfSetting
                  ? [t('alerts.grammar.out-of-range', { text: settingName(error.text) }), ...error.suggestions].join(' ')
                  : t(`alerts.grammar.${error.code}`, { text: error.text })}
              </Text>
            </Flex>
            {!isOfSetting && <Place line={line} parts={aroundError(line, error)} />}
          </Flex>
        ) : (
          !isCompact && <Text color="fg.muted">{t('alerts.page.lineHint')}</Text>
        )}
      </Box>
      {error && !isOfSetting && error.suggestions.length > 0 && (
        <Flex gap="1.5" wrap="wrap" role="group" aria-label={t('alerts.page.suggestions')}>
          {error.suggestions.slice(0, MOST_SUGGESTIONS).map((suggestion) => (
            <Button
              key={suggestion}
              type="button"
              size="chip"
              variant="outline"
              color="brand.fg"
              onClick={() => {
                editor.typeLine(acceptSuggestion(line, error, suggestion));
                input.current?.focus();
              }}
            >
              {suggestion}
            </Button>
          ))}
        </Flex>
      )}
    </chakra.form>
  );
}

/** Shown before saving: the condition is already true, and whether the alert then fires at once or waits. */
function AlreadyTrue({ body, symbol }: { body: PriceAlertBody; symbol: string }) {
  const { t } = useTranslation();
  const price = useCalmPrice(symbol);
  const pair = usePairs()?.get(symbol);
  const start = startOfTrue(body, price);
  if (start === undefined || price === undefined) return null;
  return (
    <Text mt="1" color="warning">
      {t(`alerts.page.alreadyTrue.${start}`, { price: formatPrice(price, pair?.pricePrecision) })}
    </Text>
  );
}

/** The line once more with the place that was not understood underlined. */
const Place = ({ line, parts: [before, wrong, after] }: { line: string; parts: [string, string, string] }) =>
  wrong === '' || wrong === line ? null : (
    <Text as="code" fontSize="13px" color="fg.muted" overflowWrap="anywhere" whiteSpace="pre-wrap">
      {before}
      <Text as="mark" bg="transparent" color="danger.fg" textDecoration="underline wavy" textUnderlineOffset="4px">
        {wrong}
      </Text>
      {after}
    </Text>
  );
