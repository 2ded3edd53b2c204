// What holds for every page: axe finds nothing in light and dark, and a phone shows it without scrolling sideways.

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Looks at what is on the screen now, and leaves it as it was. */
export async function expectUsable(page: Page, where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
    expect(found, `${where} in ${colorScheme}`).toEqual([]);
  }
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  // Everything that is wider than the screen, beside what scrolls by itself.
  const wide = await page.evaluate(`(() => {
    const content = document.getElementById('content') ?? document.body;
    return [content, document.documentElement].some((one) => one.scrollWidth > one.clientWidth);
  })()`);
  expect(wide, `${where} on a phone`).toBe(false);
  if (size) await page.setViewportSize(size);
}
