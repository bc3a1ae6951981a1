import { useState } from 'react';
import { HeatTiles } from '../markets/heat-map.tsx';
import { Segments } from '../ui/controls.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { KIT_HEAT } from './kit-samples.ts';

const COINS = KIT_HEAT.map(([base, volume, change]) => ({
  symbol: `${base}USDT`,
  base,
  quote: 'USDT',
  volume,
  turnover: volume.toFixed(2),
  change,
}));
const HEIGHTS = ['186', '430'] as const;

/** Tiles of the heat map, those too small for their texts and one without a change among them; grey once their figures are old. */
export function Heat() {
  const [height, setHeight] = useState<(typeof HEIGHTS)[number]>('186');
  const [chosen, setChosen] = useState<string>();
  return (
    <TitledPanel
      title="Heat map"
      actions={
        <Segments label="Height" options={HEIGHTS.map((value) => ({ value, label: `${value} px` }))} value={height} onChange={setHeight} />
      }
    >
      <HeatTiles coins={COINS} span="24h" chosen={chosen} onOpen={setChosen} box={{ h: `${height}px` }} />
    </TitledPanel>
  );
}
