// What a person has set for everything on this machine; what is only of one browser is kept there.

import { z } from 'zod';

export interface PersonSettings {
  /** Sessions that ended longer ago are forgotten, but those with a star; null: all are kept. */
  readonly retentionDays: number | null;
}

/** What is not named stays as it is. */
export interface SettingsChange {
  readonly retentionDays?: number | null | undefined;
}

/** A hundred years. */
const MAX_DAYS = 36_500;
const retentionDays = z.number().int().min(1).max(MAX_DAYS).nullable();

export const personSettings: z.ZodType<PersonSettings> = z.object({ retentionDays });
export const settingsChange: z.ZodType<SettingsChange> = z.strictObject({ retentionDays: retentionDays.optional() });
