import { clockOf } from '@tailrace/client/timeline';
import { Pause, Play, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import { SPEEDS } from './replay-clock.ts';
import type { Replay } from './use-replay.ts';

/** Plays a finished session: by time, at any speed. */
export function ReplayPlayer({
  replay,
  onClose,
}: {
  readonly replay: Replay;
  readonly onClose: () => void;
}): ReactElement {
  const { positionMs, lengthMs, isPlaying, speed } = replay;
  const elapsed = clockOf(Math.floor(positionMs / 1000));
  const total = clockOf(Math.ceil(lengthMs / 1000));
  return (
    <fieldset
      aria-label="Replay"
      className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-raised px-4 py-2"
    >
      <Button size="sm" aria-label={isPlaying ? 'Pause the replay' : 'Play the replay'} onClick={replay.toggle}>
        {isPlaying ? <Pause className="size-3.5" /> : <Play className="size-3.5" />}
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
      <input
        type="range"
        min={0}
        max={Math.max(1, lengthMs)}
        // A place between two steps would be moved to one of them, and the end never be reached; keys go a hundredth each.
        step="any"
        value={positionMs}
        aria-label="Place in the replay"
        aria-valuetext={`${elapsed} of ${total}`}
        onChange={(event) => replay.seek(Number(event.target.value))}
        className="h-4 min-w-32 flex-1 accent-working"
      />
      <span className="figures text-xs whitespace-nowrap text-muted">
        {elapsed} / {total}
      </span>
      <label className="flex items-center gap-1 text-xs text-muted">
        <span className="sr-only">Speed</span>
        <select
          aria-label="Speed"
          value={String(speed)}
          onChange={(event) => {
            const wanted = SPEEDS.find((one) => String(one) === event.target.value);
            if (wanted !== undefined) replay.setSpeed(wanted);
          }}
          className="h-7 rounded-md border border-line bg-raised px-1 text-xs text-text"
        >
          {SPEEDS.map((one) => (
            <option key={one} value={String(one)}>
              {one === 'max' ? 'max' : `${one}×`}
            </option>
          ))}
        </select>
      </label>
      <Button kind="quiet" size="sm" aria-label="End the replay" onClick={onClose}>
        <X className="size-3.5" />
      </Button>
    </fieldset>
  );
}
