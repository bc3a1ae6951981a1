import { chakra } from '@chakra-ui/react';

/** A small line without axes. Its meaning is said by `label`; its direction also by the figure beside it. */
export const Sparkline = ({
  values,
  label,
  width = 96,
  height = 28,
}: {
  values: readonly number[];
  label: string;
  width?: number;
  height?: number;
}) => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = width / Math.max(1, values.length - 1);
  const points = values
    .map((value, index) => `${(index * step).toFixed(1)},${(height - 2 - ((value - low) / (high - low || 1)) * (height - 4)).toFixed(1)}`)
    .join(' ');
  const rising = (values.at(-1) ?? 0) >= (values[0] ?? 0);
  return (
    <chakra.svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      color={rising ? 'gain' : 'loss'}
      flexShrink="0"
    >
      {values.length > 1 && <polyline points={points} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />}
    </chakra.svg>
  );
};
