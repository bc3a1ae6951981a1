import { Box, Flex, Grid } from '@chakra-ui/react';
import { getField } from '@pilotfish/core/auto-trades/config/bot-draft';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/primitives.tsx';
import { DecimalAt, FieldProblem, type StepProps } from './form-fields.tsx';

/** Levels of a ladder, two figures each: rows that can be added to and taken out. */
export function LevelRows({
  form,
  path,
  fields,
  most,
  fresh,
}: {
  form: StepProps;
  path: 'takeProfit.levels' | 'rebuys.levels';
  fields: readonly [{ name: string; unit: string }, { name: string; unit: string }];
  most: number;
  /** The next level, made from the last one. */
  fresh: (last: Readonly<Record<string, string>> | undefined) => Readonly<Record<string, string>>;
}) {
  const { t } = useTranslation();
  const levels = getField(form.draft, path) as Record<string, string>[];
  const rows = useRef<HTMLDivElement>(null);
  // A new level is there to be written.
  const added = useRef(false);
  useEffect(() => {
    if (added.current) rows.current?.querySelector<HTMLElement>(`[role=group]:nth-of-type(${levels.length}) input`)?.focus();
    added.current = false;
  }, [levels.length]);
  return (
    <Flex ref={rows} direction="column" gap="3">
      {levels.map((_, index) => (
        <Grid
          // biome-ignore lint/suspicious/noArrayIndexKey: levels are known by their position
          key={index}
          templateColumns="minmax(0, 1fr) minmax(0, 1fr) auto"
          gap="3"
          alignItems="start"
          role="group"
          aria-label={t('autoTrades.form.level', { level: index + 1 })}
        >
          {fields.map(({ name, unit }) => (
            <DecimalAt key={name} form={form} path={`${path}.${index}.${name}`} unit={unit} />
          ))}
          <Box pt="24px">
            <IconButton
              icon="close"
              label={t('autoTrades.form.removeLevel', { level: index + 1 })}
              type="button"
              onClick={() =>
                form.set(
                  path,
                  levels.filter((__, other) => other !== index),
                )
              }
            />
          </Box>
        </Grid>
      ))}
      <FieldProblem>{form.errorOf(path)}</FieldProblem>
      {levels.length < most && (
        <Button
          type="button"
          size="xs"
          variant="outline"
          color="fg"
          alignSelf="flex-start"
          onClick={() => {
            added.current = true;
            form.set(path, [...levels, fresh(levels.at(-1))]);
          }}
        >
          <Icon name="plus" size={14} />
          {t('autoTrades.form.addLevel')}
        </Button>
      )}
    </Flex>
  );
}
