const PATHS = {
  home: 'M4 11.5 12 4l8 7.5M6 10v9h4.5v-5h3v5H18v-9',
  prices: 'M4 19V5M4 19h16M8 15v-4M12 15V8M16 15v-6',
  positions: 'M12 3v9l6.5 6.5M12 3a9 9 0 1 0 9 9h-9',
  bots: 'M7 9h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2zM12 9V5M9.5 13.5v1M14.5 13.5v1M3 13v2M21 13v2',
  trend: 'M4 17l5-6 4 4 7-9M15 6h5v5',
  calendar: 'M5 6h14v14H5zM5 10h14M9 3v5M15 3v5',
  alerts: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4',
  admin: 'M12 3l7 3v5c0 5-3.2 8.2-7 10-3.8-1.8-7-5-7-10V6z',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20c.8-3.5 3.6-5 7-5s6.2 1.5 7 5',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M19 5l-1.4 1.4M6.4 17.6 5 19',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z',
  language: 'M4 6h9M8.5 4v2c0 4-2 7-5 8.5M5.5 9c1 2.5 3.2 4.5 6 5.5M12 20l4-10 4 10M13.5 17h5',
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6 6 18',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5',
  star: 'M12 3.5l2.6 5.3 5.9.9-4.2 4.1 1 5.8-5.3-2.8-5.3 2.8 1-5.8L3.5 9.7l5.9-.9z',
  up: 'M12 19V6M6 12l6-6 6 6',
  down: 'M12 5v13M6 12l6 6 6-6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M7 7l10 10M17 7 7 17',
  warning: 'M12 4 2.5 20h19zM12 10v4.5M12 17.2v.3',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5M12 7.7v.3',
  copy: 'M9 9h10v11H9zM6 15H5V4h10v2',
  plus: 'M12 5v14M5 12h14',
  external: 'M14 4h6v6M20 4l-9 9M18 14v5H5V6h5',
  chevron: 'M6 9l6 6 6-6',
  logout: 'M14 5H6v14h8M11 12h9M17 8.5l3.5 3.5-3.5 3.5',
  key: 'M15.5 3a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM11.4 12.6 3.5 20.5M6.5 17.5l2.5 2.5M16.8 7.2v.1',
  filter: 'M4 6h16M7 12h10M10 18h4',
  columns: 'M4 5h16v14H4zM9.5 5v14M15 5v14',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  rows: 'M4 6h16M4 10h16M4 14h16M4 18h16',
  save: 'M6 4h12v16l-6-4.5L6 20z',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  stop: 'M6 6h12v12H6z',
  pause: 'M8 5v14M16 5v14',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  expand: 'M4 9V4h5M20 15v5h-5M4 4l6 6M20 20l-6-6',
  rail: 'M4 5h16v14H4zM9.5 5v14M13 10l2.5 2-2.5 2',
  refresh: 'M20 11a8 8 0 1 0-1.7 6M20 5v6h-6',
} as const;
export type IconName = keyof typeof PATHS;

/** A decorative line icon; what it means stands beside it in text or in the label of its button. */
export const Icon = ({ name, size = 20, filled = false }: { name: IconName; size?: number; filled?: boolean }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill={filled ? 'currentColor' : 'none'}
    stroke="currentColor"
    strokeWidth={1.7}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={PATHS[name]} />
  </svg>
);

export const BrandMark = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path d="M3 16c4.5-7 13.5-8.5 20-3.2l5-4.3c.8 2.8.8 12.2 0 15l-5-4.3C16.5 24.5 7.5 23 3 16z" fill="var(--chakra-colors-brand-solid)" />
    <path d="M12 10.3v11.4M16.5 9.5v13" stroke="var(--chakra-colors-bg-panel)" strokeWidth="1.8" />
    <circle cx="7.8" cy="15" r="1.3" fill="var(--chakra-colors-bg-panel)" />
  </svg>
);
