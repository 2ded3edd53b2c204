// The plain page of a server that was given no other: signing in, and the sessions as they change. Text only; nothing is built from HTML.

export const PAGE_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tailrace</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body>
<main>
<header><h1>Tailrace</h1><p id="state" role="status"></p></header>
<form id="sign-in" hidden>
<label for="code">Type the code that <code>tailrace serve</code> shows in its terminal.</label>
<input id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="8" required>
<p id="problem" role="alert"></p>
<p class="buttons"><button>Sign in</button><button type="button" id="new-code" class="plain">Show another code</button></p>
</form>
<section id="home" hidden>
<p id="empty" hidden>There is no session yet. Those of your agents appear here as they start.</p>
<ul id="sessions" aria-label="Sessions"></ul>
</section>
</main>
</body>
</html>
`;

export const PAGE_CSS = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --faint: color-mix(in srgb, currentColor 62%, transparent);
  --line: color-mix(in srgb, currentColor 14%, transparent); --accent: light-dark(#0b6bcb, #6cb6ff); }
body { margin: 0; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem; }
header { display: flex; align-items: baseline; justify-content: space-between; margin-bottom: 1.5rem; }
h1 { font-size: 1.125rem; margin: 0; }
header p, .more, #empty { color: var(--faint); font-size: .875rem; margin: 0; }
form { max-width: 22rem; margin: 12vh auto 0; display: grid; gap: .75rem; }
input { font: 600 1.5rem/1 ui-monospace, monospace; letter-spacing: .3em; text-align: center; text-transform: uppercase; padding: .75rem .5rem;
  border: 1px solid var(--line); border-radius: .5rem; }
button { font: inherit; padding: .5rem 1rem; border: 1px solid transparent; border-radius: .5rem; background: var(--accent); color: light-dark(#fff, #0b1220); cursor: pointer; }
button.plain { background: none; color: var(--accent); }
.buttons { display: flex; gap: .5rem; margin: 0; }
#problem { min-height: 1.5em; margin: 0; font-size: .875rem; }
ul { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
li { padding: .625rem 0; border-bottom: 1px solid var(--line); }
li p { margin: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
li.running .more::before { content: '● '; color: var(--accent); }
[hidden] { display: none; }
`;

export const PAGE_JS = `const $ = (id) => document.getElementById(id);
// Other ports of this machine are sent the cookie too; the key is read by this page alone.
const key = () => localStorage.getItem('tailrace-key') ?? '';
const get = (path) => fetch(path, { headers: { 'x-tailrace-key': key() } });
const post = (path, body) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', 'x-tailrace-key': key() }, body: JSON.stringify(body) });
const rows = new Map();

function line(text, name) {
  const one = document.createElement('p');
  one.textContent = text;
  one.className = name;
  return one;
}

function show({ id, title, project, agent, status, startedAt, costUsd, live }) {
  const row = rows.get(id) ?? document.createElement('li');
  const cost = costUsd > 0 && (costUsd < 0.01 ? 'less than $0.01' : '$' + costUsd.toFixed(2));
  const facts = [live?.waiting ? 'waits for an answer' : status, project, cost, agent, startedAt && new Date(startedAt).toLocaleString()];
  row.className = status;
  row.replaceChildren(line(title ?? 'Session ' + id.slice(0, 8), 'title'), line(facts.filter(Boolean).join(' · '), 'more'));
  rows.set(id, row);
  $('sessions').prepend(row);
  $('empty').hidden = true;
}

function remove(id) {
  rows.get(id)?.remove();
  rows.delete(id);
}

/** What was there, but for those of which something newer was told meanwhile. */
async function list(told) {
  const reply = await get('/api/sessions?limit=50');
  if (!reply.ok) return;
  const { items } = await reply.json();
  for (const session of items.reverse()) if (!told.has(session.id)) show(session);
  $('empty').hidden = rows.size > 0;
  $('state').textContent = 'live';
}

// Only to where the page came from; nothing in the address says otherwise.
function listen() {
  const socket = new WebSocket('ws://' + location.host + '/ws', ['tailrace', 'tailrace.key.' + key()]);
  const told = new Set();
  socket.onopen = () => socket.send(JSON.stringify({ type: 'subscribe', subscriptionId: 'list', view: 'sessions' }));
  socket.onmessage = ({ data }) => {
    for (const message of JSON.parse(data).messages) {
      if (message.type === 'ping') socket.send('{"type":"pong"}');
      if (message.type === 'live') list(told).catch(() => socket.close());
      if (message.type === 'session') { told.add(message.session.id); show(message.session); }
      if (message.type === 'gone') { told.add(message.sessionId); remove(message.sessionId); }
    }
  };
  socket.onclose = again;
}

function again() {
  $('state').textContent = 'no connection; trying again';
  setTimeout(start, 1000);
}

async function start() {
  const reply = await get('/api/sessions?limit=1').catch(() => undefined);
  if (!reply) return again();
  $('sign-in').hidden = reply.ok;
  $('home').hidden = !reply.ok;
  $('state').textContent = '';
  if (reply.ok) return listen();
  for (const id of [...rows.keys()]) remove(id);
  $('code').focus();
}

async function ask(path, body, done) {
  const reply = await post(path, body).catch(() => undefined);
  const problem = reply && !reply.ok ? (await reply.json()).detail : 'the server does not answer';
  $('problem').textContent = reply?.ok ? done : problem;
  return reply?.ok ? reply : undefined;
}

$('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  const reply = await ask('/api/sign-in', { code: $('code').value }, '');
  $('code').value = '';
  if (!reply) return $('code').focus();
  localStorage.setItem('tailrace-key', (await reply.json()).key);
  start();
});
$('new-code').addEventListener('click', async () => {
  await ask('/api/code', {}, 'Another code stands in the terminal.');
  $('code').focus();
});
start();
`;
