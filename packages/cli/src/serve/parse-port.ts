import { UsageError } from '../failure.ts';

const MAX_PORT = 65_535;

/** The number of `--port`, if there is one. */
export function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > MAX_PORT) throw new UsageError(`--port "${text}" is no port: 0 to ${MAX_PORT}`);
  return port;
}
