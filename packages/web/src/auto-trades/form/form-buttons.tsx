import { Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useRefusal } from '../../app/use-trading.tsx';
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

/** Back and on; at the review what becomes of the draft. */
export function FormButtons({ onBack, review }: { onBack: (() => void) | undefined; review: Review | undefined }) {
  const { t } = useTranslation();
  return (
    <Flex justify="space-between" gap="2" mt="6" wrap={{ sm: 'wrap' }} direction={review ? { base: 'column', sm: 'row' } : 'row'}>
      <Button type="button" variant="outline" color="fg" visibility={onBack ? undefined : 'hidden'} onClick={onBack}>
        {t('ui.previous')}
      </Button>
      {review ? (
        <ReviewButtons {...review} />
      ) : (
        <Button type="submit" colorPalette="brand">
          {t('ui.next')}
        </Button>
      )}
    </Flex>
  );
}

function ReviewButtons({ isNew, canKeep, canSave, canStart, onKeep, onStart }: Review) {
  const { t } = useTranslation();
  const refusal = useRefusal('bots');
  const isMain = canStart === undefined;
  return (
    <Flex gap="2" wrap={{ sm: 'wrap' }} direction={{ base: 'column', sm: 'row' }} justify="flex-end" ms={{ sm: 'auto' }}>
      <Button type="button" variant="outline" color="fg" disabled={!canKeep} {...refusal} onClick={onKeep}>
        {t('autoTrades.templates.save')}
      </Button>
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
