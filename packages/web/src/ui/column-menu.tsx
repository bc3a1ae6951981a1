import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { DropDown } from './drop-down.tsx';
import { Icon } from './icons.tsx';
import { Button } from './primitives.tsx';

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
    <DropDown
      button={(props) => (
        <Button size="xs" variant="outline" color="fg" {...props}>
          <Icon name="columns" size={15} />
          {t('ui.columns')}
        </Button>
      )}
    >
      {() => (
        <>
          <Flex as="ul" direction="column" listStyleType="none">
            {columns.map(({ key, label }) => (
              <li key={key}>
                <chakra.label
                  display="flex"
                  alignItems="center"
                  gap="2.5"
                  px="2"
                  minH="8"
                  fontSize="13px"
                  cursor="pointer"
                  borderRadius="control"
                  _hover={{ bg: 'bg.raised' }}
                >
                  <chakra.input
                    type="checkbox"
                    w="4"
                    h="4"
                    accentColor="brand.solid"
                    checked={shown.includes(key)}
                    onChange={(event) => {
                      const on = event.currentTarget.checked;
                      onChange(columns.map((each) => each.key).filter((each) => (each === key ? on : shown.includes(each))));
                    }}
                  />
                  {label}
                </chakra.label>
              </li>
            ))}
          </Flex>
          <Button size="xs" variant="ghost" color="fg.muted" w="100%" mt="1" onClick={onReset}>
            {t('prices.columnsReset')}
          </Button>
        </>
      )}
    </DropDown>
  );
}
