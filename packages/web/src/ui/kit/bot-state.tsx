import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** What a bot does, as far as it concerns its owner. */
export type StateShape = 'running' | 'paused' | 'needs' | 'stopped' | 'off';

const COLOURS = { running: 'gain', paused: 'warning', needs: 'secondary.fg', stopped: 'danger.fg', off: 'fg.subtle' } as const;

const SHAPES: Readonly<Record<StateShape, ReactNode>> = {
  running: <circle cx="4" cy="4" r="4" fill="currentColor" />,
  paused: <path d="M0 0h3v8H0zM5 0h3v8H5z" fill="currentColor" />,
  needs: <path d="M4 0l4 8H0z" fill="currentColor" />,
  stopped: <rect width="8" height="8" rx="1" fill="currentColor" />,
  off: <circle cx="4" cy="4" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />,
};

/** The state of a bot: a shape and a word, and a colour that says the same. */
export const BotState = ({ shape, children }: { shape: StateShape; children: ReactNode }) => (
  <chakra.span
    display="inline-flex"
    alignItems="center"
    gap="1.5"
    fontSize="12px"
    lineHeight="16px"
    fontWeight="550"
    whiteSpace="nowrap"
    color={COLOURS[shape]}
  >
    <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true" focusable="false" data-shape={shape}>
      {SHAPES[shape]}
    </svg>
    {children}
  </chakra.span>
);
