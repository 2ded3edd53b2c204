// What every answer says to a browser: run only what comes from here, show it in no frame, guess no types, tell nobody where one came
// from (T-10, T-17). There is no header that lets other pages read anything (T-03).

const POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** For everything, also for what was not understood. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Where there is an ETag: kept by the one who asked, and asked about each time. */
export const ASK_AGAIN = 'private, no-cache';
