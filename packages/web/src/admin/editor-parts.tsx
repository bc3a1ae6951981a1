import { useTranslation } from 'react-i18next';
import { Decision } from '../ui/dialogs/dialog.tsx';
import { Button } from '../ui/primitives.tsx';

/** Opens the dialog of one line; `of` names it to who does not see the line. */
export function EditButton({ of, onClick }: { of: string; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Button aria-label={`${t('management.edit')}: ${of}`} size="xs" variant="outline" color="fg" onClick={onClick}>
      {t('management.edit')}
    </Button>
  );
}

/** What a dialog of the management ends with; `undo` takes back what was made or changed. */
export function EditorActions({
  undo,
  ready,
  onSave,
  onClose,
}: {
  undo?: { label: string; onClick: () => void } | undefined;
  ready: boolean;
  onSave: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      {undo && (
        <Button variant="ghost" colorPalette="danger" onClick={undo.onClick}>
          {undo.label}
        </Button>
      )}
      <Decision confirm={t('management.save')} disabled={!ready} onConfirm={onSave} onCancel={onClose} />
    </>
  );
}
