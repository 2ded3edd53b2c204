// Notifications of the browser: only for whoever switched them on, and where the browser lets the page.

import { createKeptChoice, type KeptChoice } from '../ui/kept-choice.ts';

export const notifications: KeptChoice<'off' | 'on'> = createKeptChoice('tailrace-notifications', ['off', 'on']);

export function canNotify(): boolean {
  return typeof Notification !== 'undefined' && Notification.permission === 'granted';
}

/** Asks the browser, which asks the person. Whether it may. */
export async function askToNotify(): Promise<boolean> {
  if (typeof Notification === 'undefined') return false;
  return (await Notification.requestPermission()) === 'granted';
}

export interface Notice {
  /** The same name again takes the place of the one before, also that of another tab. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly onOpen: () => void;
}

/** Whether it was shown. */
export function showNotification({ name, title, text, onOpen }: Notice): boolean {
  if (!canNotify()) return false;
  try {
    const shown = new Notification(title, { body: text, tag: name, icon: '/icon.svg' });
    shown.onclick = () => {
      window.focus();
      onOpen();
      shown.close();
    };
    return true;
  } catch {
    // Some browsers have the name, and only workers may use it.
    return false;
  }
}
