import { Monitor, Moon, Sun } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import { Menu, MenuChoice } from '../ui/menu.tsx';
import { setTheme, THEMES, useTheme } from './theme.ts';

const ICONS = { system: Monitor, light: Sun, dark: Moon };
const LABELS = { system: 'Like the system', light: 'Light', dark: 'Dark' };

export function ThemeMenu(): ReactElement {
  const theme = useTheme();
  const Icon = ICONS[theme];
  return (
    <Menu
      label="Theme"
      trigger={
        <Button kind="quiet" size="sm" aria-label={`Theme: ${theme}`} title="Light or dark">
          <Icon className="size-4" aria-hidden="true" />
        </Button>
      }
    >
      <MenuChoice
        value={theme}
        options={THEMES.map((value) => ({ value, label: LABELS[value] }))}
        onChange={setTheme}
      />
    </Menu>
  );
}
