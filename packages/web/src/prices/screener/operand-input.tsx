import { chakra, Flex, Text } from '@chakra-ui/react';
import { masked } from '@pilotfish/core/fields/input-masks';
import { completeDecimal } from '@pilotfish/core/money/decimal-input';
import type { FilterFieldRef, FilterOption } from '@pilotfish/core/prices/screener-contract';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Segments } from '../../ui/controls.tsx';
import { useDecimalEdit } from '../../ui/fields/decimal-field.tsx';
import { fieldMoment, fieldTime } from '../../ui/fields/field-time.ts';
import { Button, Input, type InputProps } from '../../ui/primitives.tsx';
import { CompactSelect } from './compact-select.tsx';
import { type DraftRule, operandOf } from './filter-draft.ts';

type Props = {
  rule: DraftRule;
  option: FilterOption;
  options: ReadonlyMap<string, FilterOption>;
  tag: (key: string) => string;
  onChange: (changes: Partial<DraftRule>) => void;
  describedBy: string | undefined;
};

const UNIT_TEXT: Readonly<Record<string, string>> = { days: 'screener.unit.days', quote: 'screener.unit.quote' };

/** The input for what a rule compares with, by the operation and the type of its field. */
export function OperandInput({ rule, option, options, tag, onChange, describedBy }: Props) {
  const { t } = useTranslation();
  const operand = operandOf(option.type, rule.operation);
  const unit = option.unit === undefined ? undefined : UNIT_TEXT[option.unit] ? t(UNIT_TEXT[option.unit]!) : option.unit;
  const shared = { 'aria-describedby': describedBy };
  switch (operand) {
    case 'none':
      return null;
    case 'number':
      return (
        <Flex gap="2" align="center" minW="0" wrap="wrap">
          <Segments
            label={t('screener.builder.compareWith')}
            value={rule.of ? 'field' : 'value'}
            options={[
              { value: 'value', label: t('screener.builder.value') },
              { value: 'field', label: t('screener.builder.field') },
            ]}
            onChange={(kind) => onChange({ of: kind === 'field' ? (rule.of ?? firstNumber(options)) : undefined })}
          />
          {rule.of ? (
            <FieldPicker value={rule.of} options={options} onChange={(of) => onChange({ of })} />
          ) : (
            <SignedDecimal
              {...shared}
              label={t('screener.builder.value')}
              unit={unit}
              value={rule.value}
              onChange={(value) => onChange({ value })}
            />
          )}
        </Flex>
      );
    case 'percentOver':
      return (
        <Flex gap="2" align="center" minW="0" wrap="wrap">
          <SignedDecimal
            {...shared}
            label={t('screener.builder.percent')}
            unit="%"
            value={rule.value}
            onChange={(value) => onChange({ value })}
          />
          <FieldPicker value={rule.of ?? firstNumber(options)} options={options} onChange={(of) => onChange({ of })} />
        </Flex>
      );
    case 'count':
      return (
        <SmallInput
          {...shared}
          aria-label={t('screener.builder.count')}
          inputMode="numeric"
          value={rule.value}
          onChange={(event) => onChange({ value: masked('digits', event.currentTarget.value).slice(0, 5) })}
        />
      );
    case 'range':
      return (
        <Flex gap="2" align="center">
          <SignedDecimal {...shared} label={t('screener.builder.from')} value={rule.value} onChange={(value) => onChange({ value })} />
          <Text as="span" color="fg.muted" aria-hidden="true">
            –
          </Text>
          <SignedDecimal {...shared} label={t('screener.builder.to')} unit={unit} value={rule.to} onChange={(to) => onChange({ to })} />
        </Flex>
      );
    case 'words':
      return <WordToggles option={option} rule={rule} tag={tag} onChange={onChange} describedBy={describedBy} />;
    case 'yesNo':
      return (
        <Segments
          label={t('screener.builder.value')}
          value={rule.flag ? 'yes' : 'no'}
          options={[
            { value: 'yes', label: t('ui.yes') },
            { value: 'no', label: t('ui.no') },
          ]}
          onChange={(value) => onChange({ flag: value === 'yes' })}
        />
      );
    case 'time':
      return <TimeInput {...shared} label={t('screener.builder.value')} value={rule.value} onChange={(value) => onChange({ value })} />;
    case 'timeRange':
      return (
        <Flex gap="2" align="center" wrap="wrap">
          <TimeInput {...shared} label={t('screener.builder.from')} value={rule.value} onChange={(value) => onChange({ value })} />
          <TimeInput {...shared} label={t('screener.builder.to')} value={rule.to} onChange={(to) => onChange({ to })} />
        </Flex>
      );
    case 'text':
      return (
        <SmallInput
          {...shared}
          aria-label={t('screener.builder.value')}
          value={rule.value}
          maxLength={100}
          autoCapitalize="characters"
          w="100%"
          onChange={(event) => onChange({ value: event.currentTarget.value })}
        />
      );
  }
}

const firstNumber = (options: ReadonlyMap<string, FilterOption>): FilterFieldRef => {
  const option = [...options.values()].find(({ type }) => type === 'number');
  return { key: option?.key ?? '', ...(option?.timeframes?.[0] ? { timeframe: option.timeframes[0] } : {}) };
};

/** A field to compare with: numbers only, at one of its timeframes. */
function FieldPicker({
  value,
  options,
  onChange,
}: {
  value: FilterFieldRef;
  options: ReadonlyMap<string, FilterOption>;
  onChange: (value: FilterFieldRef) => void;
}) {
  const { t } = useTranslation();
  const timeframes = options.get(value.key)?.timeframes;
  return (
    <Flex gap="2" flex="1" minW="150px">
      <CompactSelect
        label={t('screener.builder.field')}
        value={value.key}
        options={[...options.values()].filter(({ type }) => type === 'number').map(({ key, label }) => ({ value: key, label }))}
        onChange={(key) => {
          const known = options.get(key)?.timeframes;
          const timeframe = value.timeframe !== undefined && known?.includes(value.timeframe) ? value.timeframe : known?.[0];
          onChange({ key, ...(timeframe === undefined ? {} : { timeframe }) });
        }}
      />
      {timeframes && (
        <CompactSelect
          label={t('screener.builder.timeframe')}
          narrow
          value={value.timeframe ?? ''}
          options={timeframes.map((timeframe) => ({ value: timeframe, label: timeframe }))}
          onChange={(timeframe) => onChange({ key: value.key, timeframe })}
        />
      )}
    </Flex>
  );
}

const SmallInput = (props: InputProps) => (
  <Input id={useId()} h={{ base: '11', md: '8' }} px="2" fontSize="13px" w="96px" autoComplete="off" {...props} />
);

/** A decimal that may be below zero: a sign, then the rule of every decimal field. */
export function SignedDecimal({
  label,
  value,
  onChange,
  unit,
  ...props
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  unit?: string | undefined;
  'aria-describedby': string | undefined;
}) {
  const id = useId();
  const { refusal, edited, answers } = useDecimalEdit();
  const split = (text: string): [string, string] => (/^[-−]/.test(text.trim()) ? ['-', text.trim().slice(1)] : ['', text]);
  return (
    <Flex align="center" gap="1.5" wrap="wrap">
      <SmallInput
        {...props}
        {...answers(split(value)[1])}
        {...(refusal ? { 'aria-invalid': true, 'aria-describedby': id } : {})}
        aria-label={unit ? `${label} (${unit})` : label}
        inputMode="text"
        textAlign="end"
        css={{ fontVariantNumeric: 'tabular-nums' }}
        value={value}
        onChange={(event) => {
          const [sign, digits] = split(event.currentTarget.value);
          const held = split(value)[1];
          const text = edited(held, digits, event.nativeEvent);
          // A refused edit leaves the sign as it was too.
          onChange(text === held && digits !== held ? value : sign + text);
        }}
        onBlur={() => {
          const [sign, digits] = split(value);
          const complete = completeDecimal(digits);
          onChange(complete === '' ? '' : sign + complete);
        }}
      />
      {unit && (
        <Text as="span" fontSize="12px" color="fg.muted" aria-hidden="true">
          {unit}
        </Text>
      )}
      {refusal && (
        <Text id={id} role="alert" color="danger.fg" fontSize="12px" flexBasis="100%">
          {refusal}
        </Text>
      )}
    </Flex>
  );
}

const TimeInput = ({
  label,
  value,
  onChange,
  ...props
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  'aria-describedby': string | undefined;
}) => (
  <SmallInput
    {...props}
    type="datetime-local"
    aria-label={label}
    w="190px"
    value={fieldTime(Date.parse(value))}
    onChange={(event) => onChange(fieldMoment(event.currentTarget.value) ?? '')}
  />
);

/** The words a field can hold, as toggles; where any word may come, a line to type them in. */
function WordToggles({
  option,
  rule,
  tag,
  onChange,
  describedBy,
}: Pick<Props, 'option' | 'rule' | 'tag' | 'onChange'> & { describedBy: string | undefined }) {
  const { t } = useTranslation();
  if (!option.values || option.values.length === 0)
    return (
      <SmallInput
        aria-label={t('screener.builder.words')}
        aria-describedby={describedBy}
        placeholder={t('screener.builder.words')}
        w="100%"
        defaultValue={rule.words.join(', ')}
        onChange={(event) => onChange({ words: event.currentTarget.value.split(/[\s,]+/).filter(Boolean) })}
      />
    );
  const label = (word: string) => (option.type === 'tags' ? tag(word) : t(`screener.value.${word}`, { defaultValue: word }));
  // Words of a saved filter that the field no longer knows stay in sight, so that they can be taken out.
  const words = [...option.values, ...rule.words.filter((word) => !option.values?.includes(word))];
  return (
    <chakra.div
      role="group"
      aria-label={t('screener.builder.words')}
      aria-describedby={describedBy}
      display="flex"
      flexWrap="wrap"
      gap="1"
      maxH="132px"
      overflowY="auto"
      py="0.5"
    >
      {words.map((word) => {
        const on = rule.words.includes(word);
        return (
          <Button
            key={word}
            type="button"
            size="xs"
            h="7"
            px="2"
            variant={on ? 'solid' : 'outline'}
            color={on ? undefined : 'fg.muted'}
            colorPalette="brand"
            aria-pressed={on}
            onClick={() => onChange({ words: on ? rule.words.filter((each) => each !== word) : [...rule.words, word] })}
          >
            {label(word)}
          </Button>
        );
      })}
    </chakra.div>
  );
}
