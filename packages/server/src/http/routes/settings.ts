import { personSettings, settingsChange } from '@tailrace/protocol';
import { ProblemError } from '../../problem-error.ts';
import type { SettingsSource } from '../context.ts';
import { defineRoute, type Route } from '../route.ts';

/** What the person has set: no program reads or changes it. */
export const settingsRoutes: readonly Route[] = [
  defineRoute({
    name: 'getSettings',
    method: 'GET',
    path: '/api/settings',
    says: 'What the person has set for this machine; not found where the server is part of another program.',
    entry: 'person',
    reply: personSettings,
    handle: async (_, { settings }) => ({ body: given(settings).read() }),
  }),
  defineRoute({
    name: 'changeSettings',
    method: 'PATCH',
    path: '/api/settings',
    says: 'Sets what is named, and leaves the rest as it is.',
    entry: 'person',
    body: settingsChange,
    reply: personSettings,
    async handle({ caller, body }, { settings, audit }) {
      const source = given(settings);
      source.change(body);
      audit.write({ action: 'change-settings', caller: caller.id, result: 'done', detail: JSON.stringify(body) });
      return { body: source.read() };
    },
  }),
];

function given(settings: SettingsSource | undefined): SettingsSource {
  if (!settings) throw new ProblemError('not-found', 'this server keeps no settings');
  return settings;
}
