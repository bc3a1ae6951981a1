import type { SerializedError } from 'vitest';
import type { TestCase, TestSuite } from 'vitest/node';

/** Its suites' names and its own, the outermost first. */
export function namesOf(entity: TestCase | TestSuite): string[] {
  return entity.parent.type === 'module' ? [entity.name] : [...namesOf(entity.parent), entity.name];
}

export const firstLine = (error: Pick<SerializedError, 'message'> | undefined): string => error?.message.split('\n')[0] ?? 'no message';
