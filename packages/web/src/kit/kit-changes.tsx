import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { ChangeBar } from '../ui/kit/change-bar.tsx';
import { Result } from '../ui/kit/result.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';

const usdt = { currency: 'USDT', reason: 'No price yet' } as const;

/** A change that waits for Enter: to be confirmed, refused, and gone. */
export function Changes() {
  const [typed, setTyped] = useState('95900.00');
  const effect = {
    label: 'Worst case',
    before: <Result value="-30.75" {...usdt} />,
    after: <Result value="-9.25" {...usdt} />,
    isOld: false,
  };
  const shared = { title: 'Move stop', before: '94,484.25', spoken: '', onConfirm: () => undefined, onDiscard: () => undefined };
  const after = { label: 'New price', value: typed, onTyped: setTyped };
  return (
    <TitledPanel title="A change that is not confirmed" count="Enter, Esc">
      <Flex direction="column" gap="3">
        <ChangeBar {...shared} after={after} effect={effect} scope="This position only" confirm={{ label: 'Move stop', isOff: false }} />
        <ChangeBar
          {...shared}
          title="Move take profit 1"
          after={{ ...after, error: 'Take profit 1: The price is below one tick (0.01).' }}
          effect={{ ...effect, isOld: true }}
          confirm={{ label: 'Try again', isOff: true }}
        />
        <ChangeBar
          {...shared}
          title="Move trailing start"
          after={{ label: 'New price', value: '95,900.00' }}
          note="This level is gone: it has sold. Nothing was moved."
          confirm={undefined}
        />
      </Flex>
    </TitledPanel>
  );
}
