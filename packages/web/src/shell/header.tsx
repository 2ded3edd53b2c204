import { useClient, useStatus } from '@tailrace/client/react';
import { Link, useNavigate } from '@tanstack/react-router';
import { Ellipsis, Plus } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { ConnectionWord } from './connection-word.tsx';
import { FindField } from './find-field.tsx';
import { PAGES } from './pages.ts';
import { signOut } from './sign-out.ts';
import { ThemeMenu } from './theme-menu.tsx';

export interface HeaderProps {
  readonly isSignedIn: boolean;
  readonly onKeys: () => void;
}

export function Header({ isSignedIn, onKeys }: HeaderProps): ReactElement {
  return (
    <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line bg-surface px-4">
      <Link to="/" className="flex shrink-0 items-center gap-2 rounded-sm text-base font-semibold">
        <img src="/icon.svg" alt="" className="size-5" />
        <span className={isSignedIn ? 'max-sm:sr-only' : undefined}>Tailrace</span>
      </Link>
      {isSignedIn && <Pages />}
      <div className="flex min-w-0 flex-1">{isSignedIn && <FindField />}</div>
      <ConnectionWord />
      {isSignedIn && (
        <Link
          to="/start"
          title="Start a run (n)"
          aria-label="New run"
          className="flex h-7 shrink-0 items-center gap-1.5 rounded-md border border-line bg-raised px-2 text-xs font-medium hover:border-strong-line"
        >
          <Plus className="size-3.5" aria-hidden="true" />
          <span className="max-lg:hidden">New run</span>
        </Link>
      )}
      <div className="-mr-2 flex shrink-0 items-center">
        <ThemeMenu />
        <Button kind="quiet" size="sm" aria-label="Keys" title="Keys (?)" className="max-sm:hidden" onClick={onKeys}>
          <span aria-hidden="true" className="w-4 text-sm">
            ?
          </span>
        </Button>
        {isSignedIn && <MoreMenu onKeys={onKeys} />}
      </div>
    </header>
  );
}

/** Where there is no room for them they stand in the menu. */
function Pages(): ReactElement {
  return (
    <nav aria-label="Pages" className="flex shrink-0 items-center gap-1 text-sm max-md:hidden">
      {PAGES.map(
        ({ to, label, isMain }) =>
          isMain && (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              className="rounded-md px-2 py-1 text-muted hover:bg-sunken hover:text-text aria-[current=page]:font-medium aria-[current=page]:text-text"
            >
              {label}
            </Link>
          ),
      )}
    </nav>
  );
}

function MoreMenu({ onKeys }: { readonly onKeys: () => void }): ReactElement {
  const client = useClient();
  const status = useStatus();
  const navigate = useNavigate();
  return (
    <Menu
      label="More"
      trigger={
        <Button kind="quiet" size="sm" aria-label="More" title="More">
          <Ellipsis className="size-4" aria-hidden="true" />
        </Button>
      }
    >
      {PAGES.map(({ to, label, isMain }) => (
        <MenuItem key={to} onSelect={() => void navigate({ to })} {...(isMain && { className: 'md:hidden' })}>
          {label}
        </MenuItem>
      ))}
      <MenuItem onSelect={onKeys}>Keys</MenuItem>
      {status.state === 'open' && <MenuItem onSelect={() => void signOut(client)}>Sign out</MenuItem>}
    </Menu>
  );
}
