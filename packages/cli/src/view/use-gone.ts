// Ends what a component waits for when it is not there any more.

import { useEffect, useState } from 'react';

/** Aborted when the component has gone. */
export function useGone(): AbortSignal {
  const [gone] = useState(() => new AbortController());
  useEffect(() => () => gone.abort(), [gone]);
  return gone.signal;
}
