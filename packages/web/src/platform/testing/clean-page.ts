import { PATIENCE_MS } from '@pilotfish/core/testing/patience';
import { afterEach, beforeAll, expect } from 'vitest';

// The library looks for a second by default, as Vitest does.
beforeAll(async () => {
  if (!globalThis.document?.body) return;
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: PATIENCE_MS });
});

// Files share the document of their worker. What a test has drawn goes with it, and so do its toasts: their container
// stands beside the app, and where nothing is animated none of them ever leaves by itself.
afterEach(async () => {
  // Some files need no browser; one stubs the little that it uses of a document.
  if (!globalThis.document?.body) return;
  const { cleanup, fireEvent } = await import('@testing-library/react');
  cleanup();
  const toasts = () => document.querySelectorAll('.Toastify__toast');
  if (toasts().length === 0) return;
  const { toast } = await import('../../ui/toast-container.tsx');
  toast.clearWaitingQueue();
  toast.dismiss();
  await expect
    .poll(() => {
      for (const each of toasts()) fireEvent.animationEnd(each);
      return toasts().length;
    })
    .toBe(0);
});
