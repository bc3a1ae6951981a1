import { useEffect, useRef, useState } from 'react';

/**
 * Takes the focus to the first field that is wrong, or to the first button of a list of what is.
 * @returns a ref for the form, and what to call beside the errors of a refused attempt
 */
export function useFirstWrong<Form extends HTMLElement>() {
  const form = useRef<Form>(null);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert] button')?.focus();
  }, [refusals]);
  return { form, showWrong: () => setRefusals((times) => times + 1) };
}
