import { useClient } from '@tailrace/client/react';
import { sentenceOf } from '@tailrace/client/timeline';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Code } from '../text/code.tsx';
import { Button } from '../ui/button.tsx';
import { Loading } from '../ui/states.tsx';

/** So much of a line is loaded at once: one may have sixty megabytes. */
const PIECE_BYTES = 256 * 1024;

interface Piece {
  readonly text: string;
  readonly bytes: number;
  readonly hasMore: boolean;
}

/** A line of the record, as it came. */
export function RawLine({
  sessionId,
  position,
}: {
  readonly sessionId: string;
  readonly position: number;
}): ReactElement {
  const client = useClient();
  const [line, setLine] = useState<Piece | null>(null);
  const [wanted, setWanted] = useState(0);
  const [error, setError] = useState<string | null>(null);
  // A piece may end within a character: the rest of it comes with the next.
  const decoder = useRef(new TextDecoder());

  useEffect(() => {
    const end = new AbortController();
    setError(null);
    if (wanted === 0) decoder.current = new TextDecoder();
    client.http
      .line(`/api/sessions/${encodeURIComponent(sessionId)}/lines/${Math.floor(position)}`, {
        range: { from: wanted, to: wanted + PIECE_BYTES - 1 },
        signal: end.signal,
      })
      .then(async (response) => ({ response, bytes: new Uint8Array(await response.arrayBuffer()) }))
      .then(
        ({ response, bytes }) => {
          if (end.signal.aborted) return;
          const total = totalOf(response) ?? wanted + bytes.length;
          const hasMore = wanted + bytes.length < total;
          const text = decoder.current.decode(bytes, { stream: hasMore });
          setLine((before) => ({
            text: wanted === 0 ? text : `${before?.text ?? ''}${text}`,
            bytes: wanted + bytes.length,
            hasMore,
          }));
        },
        (failure: unknown) => !end.signal.aborted && setError(sentenceOf(failure)),
      );
    return () => end.abort();
  }, [client, sessionId, position, wanted]);

  if (error !== null)
    return (
      <p role="alert" className="text-sm text-bad">
        {error}
      </p>
    );
  if (!line) return <Loading label="Loading the line" />;
  return (
    <div>
      <p className="mb-1 text-xs text-muted">The line as it came</p>
      <Code text={line.text} maxLines={40} />
      {line.hasMore && (
        <Button size="sm" className="mt-1" onClick={() => setWanted(line.bytes)}>
          Load more
        </Button>
      )}
    </div>
  );
}

/** `bytes 0-99/1234`. */
function totalOf(response: Response): number | undefined {
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  return total === undefined ? undefined : Number(total);
}
