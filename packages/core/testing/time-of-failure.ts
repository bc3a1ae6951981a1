import { beforeAll, beforeEach } from 'vitest';
import { latestTime, noteClock } from './latest-clock.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What the virtual clock showed when the test had failed and its hooks had run, epoch ms. */
    virtualTime?: number;
  }
}

// `isolate: false`: a clock of the file before would be taken for one of this file.
beforeAll(() => noteClock(undefined));

beforeEach(({ onTestFailed }) => {
  onTestFailed(({ task }) => {
    const time = latestTime();
    if (time !== undefined) task.meta.virtualTime = time;
  });
});
