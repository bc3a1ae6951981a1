import { Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Segments } from '../../ui/controls.tsx';
import { ChoiceAt, Columns, DecimalAt, type StepProps, WholeAt } from './form-fields.tsx';

/** How an order is placed: its type, how long it waits, and what happens then. */
export function OrderFields({ form, path, title }: { form: StepProps; path: 'entry.order' | 'exit.order'; title: string }) {
  const { t } = useTranslation();
  const { order } = path === 'entry.order' ? form.draft.entry : form.draft.exit;
  return (
    <Flex direction="column" gap="3">
      <Segments
        label={title}
        size="sm"
        value={order.type}
        options={(['Limit', 'Market'] as const).map((value) => ({ value, label: t(`autoTrades.form.orderType.${value}`) }))}
        onChange={(value) => form.set(`${path}.type`, value)}
      />
      {order.type === 'Market' ? (
        <Columns>
          <DecimalAt form={form} path={`${path}.maxSlippagePct`} unit="%" hint={t('autoTrades.form.slippageHint')} />
        </Columns>
      ) : (
        <Columns>
          <DecimalAt form={form} path={`${path}.offsetPct`} unit="%" hint={t('autoTrades.form.offsetHint')} />
          <WholeAt form={form} path={`${path}.timeoutSec`} unit={t('autoTrades.form.seconds')} />
          <ChoiceAt
            form={form}
            path={`${path}.onTimeout`}
            options={(['cancel', 'reprice', 'market'] as const).map((value) => ({
              value,
              label: t(`autoTrades.form.timeoutAction.${value}`),
            }))}
          />
          {order.onTimeout === 'reprice' && <WholeAt form={form} path={`${path}.maxReprices`} />}
          {order.onTimeout === 'market' && (
            <DecimalAt form={form} path={`${path}.maxSlippagePct`} unit="%" hint={t('autoTrades.form.slippageHint')} />
          )}
        </Columns>
      )}
    </Flex>
  );
}
