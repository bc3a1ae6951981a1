const channels = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** WCAG 2.2 contrast ratio of two #rrggbb colours. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
function luminance(color: string): number {
  const [r, g, b] = channels(color).map((each) => {
    const channel = each / 255;
    return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** What `color-mix(in srgb, color percent%, ground)` is, as #rrggbb. */
export function mixed(color: string, ground: string, percent: number): string {
  const under = channels(ground);
  const each = channels(color).map((channel, at) => Math.round((channel * percent + under[at]! * (100 - percent)) / 100));
  return `#${each.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
