// Whoever can start an agent can do what its person can, and any page in their browser can send requests to this machine. So the
// request has to name this machine (a foreign name that leads here is refused), and a page has to be one of ours.

/** @type {import('express').RequestHandler} */
export function onlyHere(request, response, next) {
  const here = `127.0.0.1:${request.socket.localPort}`;
  const { host, origin } = request.headers;
  const isOurs = host === here && (origin === undefined || origin === `http://${here}`);
  // A foreign page can send forms without asking first, but no JSON.
  if (isOurs && (request.method !== 'POST' || request.is('application/json'))) return next();
  response.status(403).json({ error: 'not from here' });
}
