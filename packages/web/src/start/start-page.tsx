// Starts a run: where, what, and with whom.

import { useClient, useSessions } from '@tailrace/client/react';
import { noFields, type StartFields, sessionOfRun, startModes, startWish } from '@tailrace/client/timeline';
import type { AgentInfo, ProjectInfo } from '@tailrace/protocol';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { useIntent } from '../session/intent.ts';
import { TrustDialog } from '../session/trust-dialog.tsx';
import { useTitle } from '../shell/title.ts';
import { PlainText } from '../text/plain-text.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { FIELD_LOOK, Field } from '../ui/field.tsx';
import { Empty, Loading, Trouble } from '../ui/states.tsx';
import { ProjectField } from './project-field.tsx';

const route = getRouteApi('/start');

export function StartPage(): ReactElement {
  const { http } = useClient();
  useTitle('New run');
  const projects = useQuery({ queryKey: ['projects'], queryFn: ({ signal }) => http.projects({ signal }) });
  const agents = useQuery({ queryKey: ['agents'], queryFn: ({ signal }) => http.agents({ signal }) });
  const failed = projects.error ?? agents.error;
  return (
    <main className="mx-auto flex max-w-3xl flex-col gap-6 px-4 py-6">
      <h1 className="text-xl font-semibold">New run</h1>
      {failed ? (
        <Trouble
          title="Projects and agents could not be loaded"
          action={
            <Button
              onClick={() => {
                void projects.refetch();
                void agents.refetch();
              }}
            >
              Try again
            </Button>
          }
        >
          {failed.message}
        </Trouble>
      ) : !projects.data || !agents.data ? (
        <Loading label="Looking for projects" />
      ) : projects.data.length === 0 ? (
        <NoProjects />
      ) : (
        <StartForm projects={projects.data} agents={agents.data} />
      )}
    </main>
  );
}

const SERVE_COMMAND = 'tailrace serve --root DIR';

function NoProjects(): ReactElement {
  return (
    <Empty
      title="There is no project yet"
      action={
        <div className="flex items-center gap-2 rounded-md border border-line bg-raised py-1 pr-1 pl-3">
          <code className="text-sm">{SERVE_COMMAND}</code>
          <CopyButton text={SERVE_COMMAND} label={`Copy: ${SERVE_COMMAND}`} />
        </div>
      }
    >
      A folder becomes a project when an agent has worked in it. Or start the server with the folder that your projects
      lie in:
    </Empty>
  );
}

interface StartFormProps {
  readonly projects: readonly ProjectInfo[];
  readonly agents: readonly AgentInfo[];
}

function StartForm({ projects, agents }: StartFormProps): ReactElement {
  const client = useClient();
  const navigate = useNavigate();
  const intent = useIntent();
  const asked = route.useSearch();
  const id = useId();
  const [fields, setFields] = useState<StartFields>(() => ({
    ...noFields,
    project: projects.find((project) => project.id === asked.project)?.id ?? projects[0]?.id ?? '',
    agent: agents.find(({ name }) => name === asked.agent)?.name ?? noFields.agent,
  }));
  const [fault, setFault] = useState<string | null>(null);
  const [isWaiting, setWaiting] = useState(false);
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);
  const agent = agents.find(({ name }) => name === fields.agent);
  const models = useModels(fields.agent);
  const project = projects.find((one) => one.id === fields.project);
  const isBusy = intent.isBusy || isWaiting;
  const takes = (option: string): boolean => agent?.takes.includes(option) ?? false;

  function set(change: Partial<StartFields>): void {
    setFault(null);
    setFields({ ...fields, ...change });
  }

  async function start(trust?: string): Promise<void> {
    if (isBusy) return;
    const wish = startWish(fields, agent);
    if ('fault' in wish) return setFault(wish.fault);
    setFault(null);
    const started = await intent.run((commandId) =>
      client.command({ ...wish.command, ...(trust !== undefined && { trust }) }, { commandId }),
    );
    if (!started) return;
    setWaiting(true);
    const sessionId = started.sessionId ?? (await sessionOfRun(client, started.runId, left.current));
    // Whoever has gone elsewhere meanwhile stays there.
    if (sessionId !== undefined) await navigate({ to: '/sessions/$sessionId', params: { sessionId } });
  }

  const error = fault ?? intent.error;
  return (
    <form
      aria-label="New run"
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Project" id={`${id}-project`} hint={project && <PlainText text={project.folder} />}>
          <ProjectField
            id={`${id}-project`}
            projects={projects}
            value={fields.project}
            onChange={(value) => set({ project: value })}
          />
        </Field>
        <Field label="Folder in it" id={`${id}-path`} hint="Nothing: the project itself.">
          <input
            id={`${id}-path`}
            value={fields.path}
            placeholder="packages/api"
            autoComplete="off"
            spellCheck={false}
            aria-describedby={`${id}-path-hint`}
            onChange={(event) => set({ path: event.target.value })}
            className={`${FIELD_LOOK} h-10`}
          />
        </Field>
      </div>
      <Field label="What is to be done" id={`${id}-prompt`} hint="Ctrl and Enter, or ⌘ and Enter, starts it.">
        <textarea
          id={`${id}-prompt`}
          // biome-ignore lint/a11y/noAutofocus: it is what this page is for
          autoFocus
          rows={8}
          value={fields.prompt}
          aria-describedby={`${id}-prompt-hint`}
          onChange={(event) => set({ prompt: event.target.value })}
          className={`${FIELD_LOOK} field-sizing-content max-h-[60vh] min-h-44 resize-y py-2`}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Agent" id={`${id}-agent`}>
          <select
            id={`${id}-agent`}
            value={fields.agent}
            onChange={(event) => set({ agent: event.target.value })}
            className={`${FIELD_LOOK} h-10`}
          >
            {agents.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Model" id={`${id}-model`}>
          <input
            id={`${id}-model`}
            list={`${id}-models`}
            value={fields.model}
            placeholder="its own default"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => set({ model: event.target.value })}
            className={`${FIELD_LOOK} h-10`}
          />
          <datalist id={`${id}-models`}>
            {models.map((model) => (
              <option key={model} value={model} />
            ))}
          </datalist>
        </Field>
        {takes('permissionMode') && (
          <Field label="Permissions" id={`${id}-mode`}>
            <select
              id={`${id}-mode`}
              value={fields.permissionMode}
              onChange={(event) => set({ permissionMode: event.target.value })}
              className={`${FIELD_LOOK} h-10`}
            >
              {startModes.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
        )}
        {takes('maxBudgetUsd') && (
          <Field label="Budget in dollars" id={`${id}-budget`}>
            <input
              id={`${id}-budget`}
              inputMode="decimal"
              value={fields.budget}
              placeholder="none"
              autoComplete="off"
              onChange={(event) => set({ budget: event.target.value })}
              className={`${FIELD_LOOK} figures h-10`}
            />
          </Field>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" kind="primary" disabled={isBusy}>
          {isBusy ? 'Starting…' : 'Start'}
        </Button>
        {error !== null && (
          <p role="alert" className="min-w-0 text-sm text-bad wrap-anywhere">
            <PlainText text={error} />
          </p>
        )}
      </div>
      {intent.folder && (
        <TrustDialog folder={intent.folder} onCancel={intent.clear} onTrust={(digest) => void start(digest)} />
      )}
    </form>
  );
}

/** What the agent was last used with. */
function useModels(agent: string): readonly string[] {
  const { sessions } = useSessions({ limit: 100, agent });
  return [...new Set(sessions.flatMap(({ model }) => model ?? []))];
}
