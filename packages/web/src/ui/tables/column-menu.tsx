import { useTranslation } from 'react-i18next';
import { Icon } from '../icons.tsx';
import { DropMenu, MenuButton, MenuCheck } from '../kit/menu.tsx';
import { Button } from '../primitives.tsx';

/** Which columns of a table are shown; they keep their order. */
export function ColumnMenu<Key extends string>({
  columns,
  shown,
  onChange,
  onReset,
}: {
  columns: readonly { key: Key; label: string }[];
  shown: readonly Key[];
  onChange: (shown: Key[]) => void;
  onReset: () => void;
}) {
  const { t } = useTranslation();
  return (
    <DropMenu
      button={
        <Button size="xs" variant="outline" color="fg">
          <Icon name="columns" size={15} />
          {t('ui.columns')}
        </Button>
      }
    >
      {() => (
        <>
          {columns.map(({ key, label }) => (
            <MenuCheck
              key={key}
              checked={shown.includes(key)}
              onChange={(on) => onChange(columns.map((each) => each.key).filter((each) => (each === key ? on : shown.includes(each))))}
            >
              {label}
            </MenuCheck>
          ))}
          <MenuButton color="fg.muted" onClick={onReset}>
            {t('prices.columnsReset')}
          </MenuButton>
        </>
      )}
    </DropMenu>
  );
}
