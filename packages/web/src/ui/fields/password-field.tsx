import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field, type FieldProps } from '../controls.tsx';
import { Button, Input, type InputProps } from '../primitives.tsx';

/** A secret that is typed; it can be shown. */
export function PasswordField({ label, error, hint, aside, ...props }: InputProps & Omit<FieldProps, 'children'>) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} error={error} hint={hint} aside={aside}>
      {(control) => (
        <Flex position="relative" align="center">
          <Input {...control} pe="20" {...props} type={shown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
          <Button
            type="button"
            variant="ghost"
            size="xs"
            position="absolute"
            insetEnd="1"
            zIndex="1"
            color="fg.muted"
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? t('ui.hide') : t('ui.show')}
          </Button>
        </Flex>
      )}
    </Field>
  );
}
