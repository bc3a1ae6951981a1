import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** The page's name with a figure before it, where only the tab is seen; the frame puts the name of the next page there. */
export function useTabTitle(name: string, figure: string | undefined): void {
  const { i18n } = useTranslation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another language the frame has written it again
  useEffect(() => {
    document.title = [...(figure === undefined ? [] : [figure]), name, 'Pilotfish'].join(' · ');
  }, [figure, name, i18n.language]);
}
