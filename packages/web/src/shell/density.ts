// How close things stand: comfortable, or compact for whoever wants to see more at once. public/theme.js reads it before anything is drawn.

import { useEffect } from 'react';
import { createKeptChoice, type KeptChoice, useKeptChoice } from '../ui/kept-choice.ts';

export type Density = 'comfortable' | 'compact';

export const density: KeptChoice<Density> = createKeptChoice('tailrace-density', ['comfortable', 'compact']);

/** Shows the choice on the whole page. */
export function useDensityShown(): void {
  const chosen = useKeptChoice(density);
  useEffect(() => {
    if (chosen === 'compact') document.documentElement.dataset['density'] = chosen;
    else delete document.documentElement.dataset['density'];
  }, [chosen]);
}
