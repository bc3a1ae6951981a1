import { expect, test } from 'vitest';
import { alertLevels } from './use-own-activity.ts';

test('the levels that alerts of a pair wait at, each once; nothing of what is over or has no level', () => {
  const alert = (symbol: string, condition: object, state = 'Armed') => ({ symbol, state, condition }) as never;
  const alerts = [
    alert('BTCUSDT', { kind: 'above', level: '70000' }),
    alert('BTCUSDT', { kind: 'crosses', direction: 'up', level: '70000' }, 'Cooldown'),
    alert('BTCUSDT', { kind: 'channel', event: 'exit', lower: '50000', upper: '60000' }),
    alert('BTCUSDT', { kind: 'below', level: '1' }, 'Disabled'),
    alert('BTCUSDT', { kind: 'rsi', relation: 'above', value: '70' }),
    alert('ETHUSDT', { kind: 'above', level: '5' }),
  ];
  expect(alertLevels(alerts, 'BTCUSDT')).toEqual(['70000', '50000', '60000']);
});
