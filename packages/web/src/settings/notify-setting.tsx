import { type ReactElement, useState } from 'react';
import { askToNotify, canNotify, notifications } from '../notify/notifications.ts';
import { useKeptChoice } from '../ui/kept-choice.ts';
import { Switch } from '../ui/switch.tsx';
import { Setting } from './setting.tsx';

/** The browser is asked when somebody switches it on, and never before. */
export function NotifySetting(): ReactElement {
  const isOn = useKeptChoice(notifications) === 'on';
  const [isRefused, setRefused] = useState(() => !canNotify());
  async function change(wanted: boolean): Promise<void> {
    notifications.set(wanted ? 'on' : 'off');
    if (wanted) setRefused(!(await askToNotify()));
  }
  return (
    <Setting
      title="Notifications"
      id="notify-says"
      says={
        <>
          Says when a run waits for you, and when one ends, unless you look at it.
          {isOn && isRefused && (
            <span role="status" className="block text-text">
              The browser does not allow them for this page, so it is said on the page alone.
            </span>
          )}
        </>
      }
      control={
        <Switch
          label="Notifications"
          describedBy="notify-says"
          isOn={isOn}
          onChange={(wanted) => void change(wanted)}
        />
      }
    />
  );
}
