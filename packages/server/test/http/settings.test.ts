// The person's settings: read and changed by persons, where there are any.

import type { PersonSettings } from '@tailrace/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { openPlace, type Place } from './place.ts';

async function open(kept?: { settings: PersonSettings }): Promise<Place> {
  const place = await openPlace({
    parts: kept
      ? {
          settings: {
            read: () => kept.settings,
            change: ({ retentionDays = kept.settings.retentionDays }) => {
              kept.settings = { retentionDays };
            },
          },
        }
      : {},
  });
  onTestFinished(() => place.close());
  return place;
}

test('a setting is read, changed, and told in the log', async () => {
  const kept = { settings: { retentionDays: null } as PersonSettings };
  const place = await open(kept);
  expect((await place.askAsPerson('/api/settings')).json).toEqual({ retentionDays: null });
  const changed = await place.askAsPerson('/api/settings', { method: 'PATCH', body: { retentionDays: 30 } });
  expect(changed.json).toEqual({ retentionDays: 30 });
  expect(kept.settings).toEqual({ retentionDays: 30 });
  const same = await place.askAsPerson('/api/settings', { method: 'PATCH', body: {} });
  expect(same.json).toEqual({ retentionDays: 30 });
  expect(place.auditLines()).toMatchObject([
    { action: 'change-settings', result: 'done', detail: '{"retentionDays":30}' },
    { action: 'change-settings', result: 'done', detail: '{}' },
  ]);
});

test('what is no number of days is refused, and nothing changes', async () => {
  const kept = { settings: { retentionDays: 7 } as PersonSettings };
  const place = await open(kept);
  for (const body of [{ retentionDays: 0 }, { retentionDays: 1.5 }, { retentionDays: '7' }, { other: 1 }, []]) {
    const { status } = await place.askAsPerson('/api/settings', { method: 'PATCH', body });
    expect([body, status]).toEqual([body, 400]);
  }
  expect(kept.settings).toEqual({ retentionDays: 7 });
});

test('a server in another program has none', async () => {
  const place = await open();
  for (const method of ['GET', 'PATCH']) {
    const { status } = await place.askAsPerson('/api/settings', { method, ...(method === 'PATCH' && { body: {} }) });
    expect([method, status]).toEqual([method, 404]);
  }
});
