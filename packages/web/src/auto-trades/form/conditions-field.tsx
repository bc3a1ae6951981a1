import { Text } from '@chakra-ui/react';
import { CONDITION_LIMITS } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { getField } from '@pilotfish/core/auto-trades/config/bot-draft';
import type { FilterGroup } from '@pilotfish/core/prices/screener-contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterInput } from '../../prices/screener/filter-input.tsx';
import { useScreener } from '../../prices/screener/use-screener.ts';
import type { ConditionsProps } from './bot-form.tsx';
import { FieldProblem } from './form-fields.tsx';

const NOTHING: FilterGroup = { match: 'all', rules: [] };

/** Conditions of an entry or an exit, written with the builder of the prices screen; tells which pairs meet them now. */
export function ConditionsField({ form, path, errors, empty }: ConditionsProps) {
  const { t } = useTranslation();
  const value = getField(form.draft, path) as FilterGroup | null;
  const isEmpty = !value || value.rules.length === 0;
  const below = useMemo(
    () =>
      new Map(
        [...errors].flatMap(([at, { message }]): [string, string][] =>
          at.startsWith(`${path}.`) ? [[at.slice(path.length + 1), message]] : [],
        ),
      ),
    [errors, path],
  );
  const { answer, problem } = useScreener(`screener:bot-${path}`, isEmpty ? undefined : { filter: value, sort: [], columns: [] });
  return (
    <>
      <FilterInput
        value={value ?? undefined}
        limits={CONDITION_LIMITS}
        errors={below}
        onChange={(filter) => form.set(path, filter ?? (empty === 'null' ? null : NOTHING))}
      />
      <FieldProblem>{form.errorOf(path)}</FieldProblem>
      {!isEmpty && answer && !problem && (
        <Text role="status" fontSize="13px" color="fg.muted">
          {t('autoTrades.form.matchesNow', { count: answer.total })}
        </Text>
      )}
    </>
  );
}
