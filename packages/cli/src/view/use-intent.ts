// An intent in the view: what a person wants done once.

import { createIntent, type Intent, type IntentView } from '@tailrace/client/timeline';
import { useState, useSyncExternalStore } from 'react';

/** An intent for as long as the component is there. */
export function useIntent(): Intent & IntentView {
  const [intent] = useState(createIntent);
  const view = useSyncExternalStore(intent.subscribe, intent.getSnapshot, intent.getSnapshot);
  return { ...intent, ...view };
}
