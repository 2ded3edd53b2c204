// The todo list: only what is new in it, because it is told whole each time; and how much of it is done.

import type { EventOf } from '@tailrace/core';
import { type Palette, Style } from './palette.ts';
import type { Sheet } from './sheet.ts';
import { fitTo, widthOf } from './width.ts';

const MARKS = { pending: '○', in_progress: '●', completed: '✓', cancelled: '–' } as const;
const STYLES = { pending: Style.none, in_progress: Style.bold, completed: Style.dim, cancelled: Style.dim } as const;

export interface Todos {
  /** Rows for the entries that are new or stand otherwise than before. */
  changed(event: EventOf<'todo-update'>, indent: number): string[];
}

export function createTodos(sheet: Sheet): Todos {
  let states = new Map<string, string>();

  return {
    changed({ entries }, indent) {
      const fresh = entries.filter(({ content, status }) => states.get(content) !== status);
      states = new Map(entries.map(({ content, status }) => [content, status]));
      const done = entries.filter(({ status }) => status === 'completed' || status === 'cancelled').length;
      const count = `${done}/${entries.length}`;
      const room = Math.max(8, sheet.columns - indent - 2);
      return fresh.map(({ content, status }, at) => {
        const isLast = at === fresh.length - 1;
        const text = fitTo(sheet.gate.line(content, 1_000), room - (isLast ? count.length + 2 : 0));
        const row = `${' '.repeat(indent)}${mark(sheet.palette, status)} ${sheet.palette.paint(STYLES[status], text)}`;
        return isLast ? `${row}${' '.repeat(room - widthOf(text) - count.length)}${sheet.palette.dim(count)}` : row;
      });
    },
  };
}

function mark(palette: Palette, status: keyof typeof MARKS): string {
  return status === 'completed' ? palette.good(MARKS[status]) : MARKS[status];
}
