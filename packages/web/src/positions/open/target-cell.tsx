import { Box, Flex, Text } from '@chakra-ui/react';
import { shownProblem } from '@pilotfish/core/http/problem';
import { completeDecimal } from '@pilotfish/core/money/decimal-input';
import { digits, type Percent, type Price } from '@pilotfish/core/money/figure';
import { formatPrice } from '@pilotfish/core/money/format';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/controls.tsx';
import { useDecimalEdit } from '../../ui/fields/decimal-field.tsx';
import { Distance } from '../../ui/kit/price.tsx';
import { Button, Input } from '../../ui/primitives.tsx';
import { problemText } from '../../ui/toasts.ts';
import { usePositionChange } from '../use-positions.ts';
import { targetProgress } from './live-figures.ts';
import { checkTarget } from './target-price.ts';

/**
 * The target price, edited in its place. What was typed is shown at once; when the server refuses it, the old one is
 * back and the field says why.
 */
export function TargetCell({
  position,
  pair,
  price,
  distancePct,
}: {
  position: OpenPosition;
  pair: Pair | undefined;
  price: Price | null;
  distancePct: Percent | null;
}) {
  const { t } = useTranslation();
  const change = usePositionChange();
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<{ text: string; offers: string[] }>();
  /** What was sent, null clears; once it is answered it stands until the position is told anew. */
  const [sent, setSent] = useState<{ target: Price | null; answeredFor?: OpenPosition }>();
  const isSending = sent !== undefined && sent.answeredFor === undefined;
  const opener = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  const isEditing = typed !== undefined;
  useEffect(() => {
    if (!isEditing && wasEditing.current) opener.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  const target = sent !== undefined && (isSending || sent.answeredFor === position) ? sent.target : position.targetPrice;
  const save = async (text: string) => {
    const check = checkTarget(completeDecimal(text), pair?.filters.tickSize ?? '0');
    if (check.kind === 'not-positive') return setProblem({ text: t('positions.target.positive'), offers: [] });
    if (check.kind === 'off-tick')
      return setProblem({
        text: t('positions.target.offTick', { tick: pair ? formatPrice(pair.filters.tickSize, pair.pricePrecision) : '' }),
        offers: [...new Set([check.below, check.above])],
      });
    const next = check.kind === 'clear' ? null : check.target;
    setTyped(undefined);
    setProblem(undefined);
    if (next === target) return;
    setSent({ target: next });
    try {
      const { targetPrice } = await change((client) =>
        client.setTargetPrice({ params: { id: position.id }, body: { targetPrice: next } }, { quiet: true }),
      );
      setSent({ target: targetPrice, answeredFor: position });
    } catch (error) {
      const shown = shownProblem(error);
      setTyped(next ?? '');
      setProblem({ text: shown.fields?.[0]?.message ?? problemText(shown, t), offers: [] });
      setSent(undefined);
    }
  };
  if (isEditing)
    return (
      <TargetInput
        symbol={position.symbol}
        value={typed}
        problem={problem}
        onChange={(text) => {
          setTyped(text);
          setProblem(undefined);
        }}
        onSave={(text) => void save(text)}
        onClose={() => {
          setTyped(undefined);
          setProblem(undefined);
        }}
      />
    );
  const progress = targetProgress(position.averageCost, target, price);
  if (!position.allowed.includes('target')) return target === null ? null : <Text>{formatPrice(target, pair?.pricePrecision)}</Text>;
  return (
    <Box minW="0">
      <Button
        ref={opener}
        size="xs"
        h="7"
        px="2"
        mx="-2"
        variant="ghost"
        color={target === null ? 'brand.fg' : 'fg'}
        opacity={isSending ? 0.6 : undefined}
        aria-busy={isSending}
        title={t('positions.target.hint')}
        aria-label={t(target === null ? 'positions.target.setOf' : 'positions.target.editOf', {
          symbol: position.symbol,
          target: target === null ? '' : formatPrice(target, pair?.pricePrecision),
        })}
        onClick={() => setTyped(digits(target ?? ''))}
        css={{ fontVariantNumeric: 'tabular-nums' }}
        fontSize="13px"
      >
        {target === null ? t('positions.target.set') : formatPrice(target, pair?.pricePrecision)}
      </Button>
      {target !== null && (
        <Flex align="center" gap="2" fontSize="12px" color="fg.muted" justify="inherit">
          {progress !== undefined && (
            <Box w="48px" h="4px" bg="bg.raised" borderRadius="full" overflow="hidden" aria-hidden="true" flexShrink="0">
              <Box h="100%" bg="brand.solid" style={{ width: `${progress}%` }} />
            </Box>
          )}
          {distancePct !== null && target === position.targetPrice && (
            <Text as="span" title={t('positions.target.distance')}>
              <Distance value={distancePct} reason="" />
            </Text>
          )}
        </Flex>
      )}
    </Box>
  );
}

function TargetInput({
  symbol,
  value,
  problem,
  onChange,
  onSave,
  onClose,
}: {
  symbol: string;
  value: string;
  problem: { text: string; offers: string[] } | undefined;
  onChange: (text: string) => void;
  onSave: (text: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const { refusal, edited, answers } = useDecimalEdit();
  const complaint = refusal ?? problem?.text;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  return (
    <Box minW="148px" onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <Flex
        as="form"
        gap="1"
        onSubmit={(event) => {
          event.preventDefault();
          onSave(value);
        }}
      >
        <Input
          {...answers(value)}
          ref={input}
          name="target"
          h={{ base: '11', md: '8' }}
          px="2"
          fontSize="13px"
          textAlign="end"
          inputMode="decimal"
          autoComplete="off"
          aria-label={t('positions.target.of', { symbol })}
          aria-invalid={complaint ? true : undefined}
          aria-describedby={complaint ? id : undefined}
          value={value}
          onChange={(event) => onChange(edited(value, event.currentTarget.value, event.nativeEvent))}
        />
        <IconButton icon="check" label={t('positions.target.save')} type="submit" size="xs" w="8" />
        <IconButton icon="close" label={t('ui.cancel')} size="xs" w="8" type="button" onClick={onClose} />
      </Flex>
      {complaint && (
        <Text id={id} role="alert" color="danger.fg" fontSize="12px" mt="1" textAlign="start" whiteSpace="normal">
          {complaint}
        </Text>
      )}
      {problem && problem.offers.length > 0 && (
        <Flex gap="1" mt="1">
          {problem.offers.map((offer) => (
            <Button key={offer} size="xs" h="6" variant="outline" color="brand.fg" onClick={() => onSave(offer)}>
              {offer}
            </Button>
          ))}
        </Flex>
      )}
    </Box>
  );
}
