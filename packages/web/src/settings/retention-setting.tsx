import { isClientError } from '@tailrace/client';
import { useClient } from '@tailrace/client/react';
import type { PersonSettings } from '@tailrace/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useId, useState } from 'react';
import { useIntent } from '../session/intent.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { SureButton } from '../ui/sure-button.tsx';
import { readDays } from './read-days.ts';
import { Setting, SettingsPart } from './setting.tsx';

const KEY = ['settings'];
const FIRST_DAYS = '90';

/** How long sessions are kept. A server that is part of another program has no such setting. */
export function RetentionSetting(): ReactElement | null {
  const { http } = useClient();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => http.settings({ signal }),
    retry: false,
  });
  if (error && isClientError(error) && error.code === 'not-found') return null;
  return (
    <SettingsPart title="This machine" says="For every browser, and for the commands in your terminal.">
      {error ? (
        <p role="alert" className="border-t border-line py-4 text-sm text-bad">
          The settings cannot be read: {error.message}.
        </p>
      ) : (
        data && <Retention settings={data} />
      )}
    </SettingsPart>
  );
}

function Retention({ settings: { retentionDays } }: { readonly settings: PersonSettings }): ReactElement {
  const { http } = useClient();
  const queries = useQueryClient();
  const intent = useIntent();
  const fieldId = useId();
  const [isLimited, setLimited] = useState(retentionDays !== null);
  const [text, setText] = useState(String(retentionDays ?? FIRST_DAYS));
  useEffect(() => {
    setLimited(retentionDays !== null);
    if (retentionDays !== null) setText(String(retentionDays));
  }, [retentionDays]);
  const days = isLimited ? readDays(text) : null;
  const isChanged = days !== retentionDays;
  // Only a shorter time forgets something that would be kept.
  const isShorter = days !== null && days !== undefined && (retentionDays === null || days < retentionDays);

  async function save(): Promise<void> {
    if (days === undefined) return;
    const saved = await intent.run(() => http.changeSettings({ retentionDays: days }));
    if (saved) queries.setQueryData(KEY, saved);
  }

  return (
    <Setting
      title="Keep sessions"
      says="Sessions that ended longer ago are forgotten when tailrace starts, but those with a star. What your agents keep themselves is left alone."
      control={
        <form
          className="flex flex-col items-start gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (isChanged && !isShorter) void save();
          }}
        >
          <Choice
            label="Keep sessions"
            value={isLimited ? 'days' : 'all'}
            options={[
              { value: 'all', label: 'All' },
              { value: 'days', label: 'For some days' },
            ]}
            onChange={(value) => setLimited(value === 'days')}
          />
          {isLimited && (
            <div className="flex items-center gap-2 text-sm">
              <input
                id={fieldId}
                inputMode="numeric"
                value={text}
                aria-label="Days"
                aria-invalid={days === undefined}
                onChange={(event) => setText(event.target.value)}
                className="figures h-9 w-20 rounded-md border border-line bg-raised px-3 text-right"
              />
              <label htmlFor={fieldId}>days</label>
            </div>
          )}
          {isChanged &&
            (isShorter ? (
              <SureButton
                words="Save"
                question={`Forget what is older than ${days} days?`}
                disabled={intent.isBusy}
                onSure={() => void save()}
              />
            ) : (
              <Button type="submit" kind="primary" disabled={days === undefined || intent.isBusy}>
                Save
              </Button>
            ))}
          <p role="status" className="text-sm">
            {days === undefined ? 'That is no number of days.' : intent.error}
          </p>
        </form>
      }
    />
  );
}
