import { Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useRefusal } from '../../platform/use-trading.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/primitives.tsx';

type Review = {
  isNew: boolean;
  canKeep: boolean;
  canSave: boolean;
  /** Undefined where a bot that runs already is changed. */
  canStart: boolean | undefined;
  onKeep: () => void;
  onStart: () => void;
};

/** Buttons that have no room in one row break in pairs: none stands alone. */
const GROUP = { gap: '2', wrap: { sm: 'wrap' }, direction: { base: 'column', sm: 'row' } } as const;

/** Back and on; at the review what becomes of the draft. */
export function FormButtons({ onBack, review }: { onBack: (() => void) | undefined; review: Review | undefined }) {
  const { t } = useTranslation();
  return (
    <Flex justify="space-between" gap="2" mt="6" {...(review && GROUP)}>
      <Flex {...GROUP}>
        <Button type="button" variant="outline" color="fg" visibility={onBack ? undefined : 'hidden'} onClick={onBack}>
          {t('ui.previous')}
        </Button>
        {review && <KeepButton {...review} />}
      </Flex>
      {review ? (
        <SaveButtons {...review} />
      ) : (
        <Button type="submit" colorPalette="brand">
          {t('ui.next')}
        </Button>
      )}
    </Flex>
  );
}

function KeepButton({ canKeep, onKeep }: Review) {
  const { t } = useTranslation();
  const refusal = useRefusal('bots');
  return (
    <Button type="button" variant="outline" color="fg" disabled={!canKeep} {...refusal} onClick={onKeep}>
      {t('autoTrades.templates.save')}
    </Button>
  );
}

function SaveButtons({ isNew, canSave, canStart, onStart }: Review) {
  const { t } = useTranslation();
  const refusal = useRefusal('bots');
  const isMain = canStart === undefined;
  return (
    <Flex {...GROUP} justify="flex-end" ms={{ sm: 'auto' }}>
      <Button
        type="submit"
        {...(isMain ? { colorPalette: 'brand' } : { variant: 'outline', color: 'fg' })}
        disabled={!canSave}
        {...refusal}
      >
        {isMain && <Icon name="check" size={18} />}
        {t(isNew ? 'autoTrades.form.save' : 'autoTrades.form.saveVersion')}
      </Button>
      {!isMain && (
        <Button type="button" colorPalette="brand" disabled={!canStart} {...refusal} onClick={onStart}>
          <Icon name="check" size={18} />
          {t('autoTrades.form.saveStart')}
        </Button>
      )}
    </Flex>
  );
}
