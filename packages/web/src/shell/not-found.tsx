import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Empty } from '../ui/states.tsx';
import { useTitle } from './title.ts';

export function NotFound(): ReactElement {
  useTitle('Nothing here');
  return (
    <Empty
      isPage
      title="There is nothing here"
      action={
        <Link to="/" className="rounded-sm underline">
          All sessions
        </Link>
      }
    >
      The address leads nowhere.
    </Empty>
  );
}
