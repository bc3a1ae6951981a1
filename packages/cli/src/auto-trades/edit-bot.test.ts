import { expect, test } from 'vitest';
import { annotated, withoutMarks } from './edit-bot.ts';

test('each complaint stands above its line, indented like it, and is gone when the file is read again', () => {
  const text = 'name: Dip\nentry:\n  trailing:\n    reboundPct: 0.01\n# my own words\n';
  const shown = annotated(text, [
    { line: 1, message: 'name: taken' },
    { line: 4, message: 'entry.trailing.reboundPct: too\nlow' },
    { line: 99, message: 'stopLoss: needed' },
  ]);
  expect(shown.split('\n')).toEqual([
    '#! name: taken',
    'name: Dip',
    'entry:',
    '  trailing:',
    '    #! entry.trailing.reboundPct: too low',
    '    reboundPct: 0.01',
    '# my own words',
    '#! stopLoss: needed',
    '',
  ]);
  expect(withoutMarks(shown)).toBe(text);
});
