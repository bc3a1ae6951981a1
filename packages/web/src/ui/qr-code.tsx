import { Box } from '@chakra-ui/react';
import { create } from 'qrcode';
import { useMemo } from 'react';

/** A QR code as one SVG path: dark on white in both themes, because cameras expect that. */
export function QrCode({ text, label, size = 184 }: { text: string; label: string; size?: number }) {
  const { path, side } = useMemo(() => {
    const { modules } = create(text, { errorCorrectionLevel: 'M' });
    const cells: string[] = [];
    for (let row = 0; row < modules.size; row += 1)
      for (let column = 0; column < modules.size; column += 1)
        if (modules.get(row, column)) cells.push(`M${column + 4} ${row + 4}h1v1h-1z`);
    return { path: cells.join(''), side: modules.size + 8 };
  }, [text]);
  return (
    <Box bg="#ffffff" borderRadius="panel" w={`${size}px`} h={`${size}px`} flexShrink="0">
      <svg viewBox={`0 0 ${side} ${side}`} width={size} height={size} role="img" aria-label={label} shapeRendering="crispEdges">
        <path d={path} fill="#000000" />
      </svg>
    </Box>
  );
}
