// What the person has set: most of it for this browser, some of it for the machine.

import type { ReactElement } from 'react';
import { density } from '../shell/density.ts';
import { setTheme, THEMES, useTheme } from '../shell/theme.ts';
import { useTitle } from '../shell/title.ts';
import { redaction } from '../text/shown.tsx';
import { Choice } from '../ui/choice.tsx';
import { useKeptChoice } from '../ui/kept-choice.ts';
import { Switch } from '../ui/switch.tsx';
import { NotifySetting } from './notify-setting.tsx';
import { ProgramsSetting } from './programs-setting.tsx';
import { RetentionSetting } from './retention-setting.tsx';
import { Setting, SettingsPart } from './setting.tsx';

const THEME_WORDS = { system: 'Like the system', light: 'Light', dark: 'Dark' };

export function SettingsPage(): ReactElement {
  const theme = useTheme();
  const chosenDensity = useKeptChoice(density);
  const isRedacting = useKeptChoice(redaction) === 'on';
  useTitle('Settings');
  return (
    <main className="mx-auto flex max-w-3xl flex-col gap-10 px-4 py-6">
      <h1 className="text-xl font-semibold">Settings</h1>
      <SettingsPart title="This browser" says="Kept in this browser; other browsers have their own.">
        <Setting
          title="Theme"
          control={
            <Choice
              label="Theme"
              value={theme}
              options={THEMES.map((value) => ({ value, label: THEME_WORDS[value] }))}
              onChange={setTheme}
            />
          }
        />
        <Setting
          title="Density"
          says="How close things stand."
          control={
            <Choice
              label="Density"
              value={chosenDensity}
              options={[
                { value: 'comfortable', label: 'Comfortable' },
                { value: 'compact', label: 'Compact' },
              ]}
              onChange={density.set}
            />
          }
        />
        <Setting
          title="Redact secrets"
          id="redaction-says"
          says="Tokens, keys and passwords are shown as marks that say what they are. What you are asked to allow is never redacted: you see what you allow."
          control={
            <Switch
              label="Redact secrets"
              describedBy="redaction-says"
              isOn={isRedacting}
              onChange={(isOn) => redaction.set(isOn ? 'on' : 'off')}
            />
          }
        />
        <NotifySetting />
      </SettingsPart>
      <RetentionSetting />
      <ProgramsSetting />
    </main>
  );
}
