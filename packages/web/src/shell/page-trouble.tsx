import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import { Trouble } from '../ui/states.tsx';

/** Something could not be drawn. It is told in words, and the rest of the page stays. */
export function PageTrouble({ error }: ErrorComponentProps): ReactElement {
  return (
    <main>
      <Trouble title="This cannot be shown" action={<Button onClick={() => location.reload()}>Reload</Button>}>
        {error instanceof Error ? error.message : String(error)}
      </Trouble>
    </main>
  );
}
