import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandOf } from './telegram-dispatch.ts';
import { bold, escapeHtml, lines, markup } from './telegram-markup.ts';

test('whatever is filled in is text, never a tag', () => {
  const hostile = '<a href="tg://user?id=1">x</a> & </b>';
  expect(markup`<b>${hostile}</b>`.html).toBe('<b>&lt;a href=&quot;tg://user?id=1&quot;&gt;x&lt;/a&gt; &amp; &lt;/b&gt;</b>');
  expect(lines(bold('A'), hostile, markup`${1}`).html).toContain('\n&lt;a');
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(lines(text).html.replace(/&(amp|lt|gt|quot);/g, '')).not.toMatch(/[<>"&]/);
    }),
  );
  expect(escapeHtml('&lt;')).toBe('&amp;lt;');
});

test('a long answer ends at a whole line', () => {
  const { html } = lines(...Array.from({ length: 500 }, (_, index) => `${index} ${'&'.repeat(20)}`));
  expect(html.length).toBeLessThan(4096);
  expect(html.endsWith('\n…')).toBe(true);
  expect(html.replace(/&amp;/g, '')).not.toContain('&');
});

test('commands are read with the bot’s name, in any case, and nothing else is one', () => {
  expect(commandOf('/Sell@pilotfish_bot  BTC   1 ')).toEqual({ name: 'sell', line: 'BTC   1', args: ['BTC', '1'] });
  expect(commandOf('/stopall')).toEqual({ name: 'stopall', line: '', args: [] });
  for (const text of ['sell BTC', '/', '// x', '/sell\u0000', '/sell-all', '']) expect(commandOf(text), text).toBeUndefined();
});
