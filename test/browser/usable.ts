// What holds for every page: axe finds nothing in light and dark, and a phone shows it without scrolling sideways.

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What axe finds in what is on the screen now. The other theme has other colours and nothing else, so only these are looked at again. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    // What comes in comes in at once.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const axe = new AxeBuilder({ page }).setLegacyMode();
    const { violations } = await (colorScheme === 'light' ? axe : axe.withRules('color-contrast')).analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any.map(({ message }) => message).join('; ')}`),
    );
    expect.soft(found, `${where} in ${colorScheme}`).toEqual([]);
  }
}

/** Looks at what is on the screen now, and leaves it as it was. */
export async function expectUsable(page: Page, where: string): Promise<void> {
  await expectAccessible(page, where);
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
