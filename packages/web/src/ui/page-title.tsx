import { Heading } from '@chakra-ui/react';
import { createContext, type ReactNode, use } from 'react';
import { createPortal } from 'react-dom';

/** Where the frame shows the title of a page: `null` until the frame is drawn, `undefined` without a frame. */
export const PageTitlePlace = createContext<HTMLElement | null | undefined>(undefined);

/** The title of a page, in the top bar. A page that is shown without a frame has it in its own place. */
export function PageTitle({ children }: { children: ReactNode }) {
  const place = use(PageTitlePlace);
  const heading = (
    <Heading as="h1" textStyle="bar" truncate>
      {children}
    </Heading>
  );
  if (place === undefined) return heading;
  return place && createPortal(heading, place);
}
