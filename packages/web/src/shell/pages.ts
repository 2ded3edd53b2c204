// The pages that the header and the palette name.

export interface NamedPage {
  readonly to: '/' | '/usage' | '/search' | '/start' | '/compare' | '/settings' | '/about';
  readonly label: string;
  /** Stands in the header; others only in the menu. */
  readonly isMain?: true;
}

export const PAGES: readonly NamedPage[] = [
  { to: '/', label: 'Sessions', isMain: true },
  { to: '/usage', label: 'Usage', isMain: true },
  { to: '/search', label: 'Search', isMain: true },
  { to: '/start', label: 'New run' },
  { to: '/compare', label: 'Compare' },
  { to: '/settings', label: 'Settings' },
  { to: '/about', label: 'About' },
];
