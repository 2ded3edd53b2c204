/** Where the line can be had that told an event. What no line told stands behind one, by half a step. */
export function lineRef(sessionId: string, position: number): string {
  return `/api/sessions/${encodeURIComponent(sessionId)}/lines/${Math.floor(position)}`;
}
