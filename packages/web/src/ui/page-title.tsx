import { Flex, Heading } from '@chakra-ui/react';
import { createContext, type ReactNode, use } from 'react';
import { createPortal } from 'react-dom';

/** Where the frame shows the title of a page: `null` until the frame is drawn, `undefined` without a frame. */
export const PageTitlePlace = createContext<HTMLElement | null | undefined>(undefined);

/** The title of a page, in the top bar, with what stands before and after it there. A page that is shown without a frame has it in its own place. */
export function PageTitle({ children, before, after }: { children: ReactNode; before?: ReactNode; after?: ReactNode }) {
  const place = use(PageTitlePlace);
  const title = (
    <Heading as="h1" textStyle="bar" truncate>
      {children}
    </Heading>
  );
  const heading =
    before || after ? (
      <Flex align="center" gap={after ? '3.5' : '0'} minW="0">
        {before}
        {title}
        {after}
      </Flex>
    ) : (
      title
    );
  if (place === undefined) return heading;
  return place && createPortal(heading, place);
}
