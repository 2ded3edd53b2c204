import { useClient } from '@tailrace/client/react';
import type { MadeProgram, ProgramInfo } from '@tailrace/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import { useIntent } from '../session/intent.ts';
import { PlainText } from '../text/plain-text.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Time } from '../ui/figures.tsx';
import { SureButton } from '../ui/sure-button.tsx';
import { SettingsPart } from './setting.tsx';

const KEY = ['programs'];

type Right = ProgramInfo['rights'][number];

const RIGHTS: readonly { readonly right: Right; readonly says: string }[] = [
  { right: 'read', says: 'see sessions, their events and what they cost' },
  { right: 'run', says: 'start runs, send them messages, stop them' },
  { right: 'answer', says: 'allow or deny what agents ask for' },
];

/** The programs that may come in, each with a token of its own and no more rights than were ticked. */
export function ProgramsSetting(): ReactElement {
  const { http } = useClient();
  const [made, setMade] = useState<MadeProgram | null>(null);
  const { data = [], error } = useQuery({ queryKey: KEY, queryFn: ({ signal }) => http.programs({ signal }) });
  return (
    <SettingsPart title="Programs" says="Programs that may come in, each with a token of its own.">
      {error && (
        <p role="alert" className="border-t border-line py-4 text-sm text-bad">
          The programs cannot be listed: {error.message}.
        </p>
      )}
      {data.length > 0 && (
        <ul>
          {data.map((program) => (
            <ProgramRow key={program.id} program={program} />
          ))}
        </ul>
      )}
      {made && <Token made={made} onDone={() => setMade(null)} />}
      <NewProgram onMade={setMade} />
    </SettingsPart>
  );
}

function ProgramRow({ program: { id, name, rights, madeAt } }: { readonly program: ProgramInfo }): ReactElement {
  const { http } = useClient();
  const queries = useQueryClient();
  const intent = useIntent();
  async function remove(): Promise<void> {
    await intent.run(() => http.removeProgram(id));
    await queries.invalidateQueries({ queryKey: KEY });
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-3">
      <span className="min-w-0 flex-1 font-medium wrap-anywhere">
        <PlainText text={name} />
      </span>
      <span className="text-sm text-muted">{rights.length === 0 ? 'may do nothing' : rights.join(', ')}</span>
      <span className="text-sm text-muted">
        since <Time at={madeAt} />
      </span>
      <SureButton
        size="sm"
        words="Remove"
        question="Really remove?"
        disabled={intent.isBusy}
        onSure={() => void remove()}
      />
      {intent.error && (
        <p role="alert" className="w-full text-sm text-bad">
          {intent.error}
        </p>
      )}
    </li>
  );
}

function Token({ made, onDone }: { readonly made: MadeProgram; readonly onDone: () => void }): ReactElement {
  return (
    <div role="status" className="my-3 flex flex-col gap-2 rounded-md border border-strong-line bg-raised p-4">
      <p className="text-sm">
        The token of <PlainText text={made.program.name} />. It is shown this once: copy it now.
      </p>
      <div className="flex items-center gap-2 rounded-md border border-line bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 py-1 text-sm wrap-anywhere">{made.token}</code>
        <CopyButton text={made.token} label="Copy the token" />
      </div>
      <Button size="sm" className="self-start" onClick={onDone}>
        I have it
      </Button>
    </div>
  );
}

function NewProgram({ onMade }: { readonly onMade: (made: MadeProgram) => void }): ReactElement {
  const { http } = useClient();
  const queries = useQueryClient();
  const intent = useIntent();
  const [name, setName] = useState('');
  const [rights, setRights] = useState<ReadonlySet<Right>>(new Set());
  const fieldId = useId();
  const reasonId = useId();
  const isNamed = name.trim() !== '';
  async function add(): Promise<void> {
    const made = await intent.run(() => http.addProgram({ name: name.trim(), rights: [...rights] }));
    if (!made) return;
    setName('');
    setRights(new Set());
    onMade(made);
    await queries.invalidateQueries({ queryKey: KEY });
  }
  function tick(right: Right): void {
    const next = new Set(rights);
    if (!next.delete(right)) next.add(right);
    setRights(next);
  }
  return (
    <form
      aria-label="New program"
      className="flex flex-col gap-3 border-t border-line py-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isNamed && rights.size > 0) void add();
      }}
    >
      <div className="flex max-w-sm flex-col gap-1">
        <label htmlFor={fieldId} className="text-sm font-medium">
          Name of a program
        </label>
        <input
          id={fieldId}
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          className="h-9 rounded-md border border-line bg-raised px-3"
        />
      </div>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 text-sm font-medium">It may</legend>
        {RIGHTS.map(({ right, says }) => (
          <label key={right} className="flex items-start gap-2 text-sm">
            <input type="checkbox" className="mt-[3px]" checked={rights.has(right)} onChange={() => tick(right)} />
            <span>
              {right} <span className="text-muted">{says}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          type="submit"
          disabled={!isNamed || rights.size === 0 || intent.isBusy}
          aria-describedby={isNamed && rights.size === 0 ? reasonId : undefined}
        >
          Make a token
        </Button>
        {isNamed && rights.size === 0 && (
          <p id={reasonId} className="text-xs text-muted">
            Tick what it may do: without any right a token opens nothing.
          </p>
        )}
      </div>
      {intent.error && (
        <p role="alert" className="text-sm text-bad">
          {intent.error}
        </p>
      )}
    </form>
  );
}
