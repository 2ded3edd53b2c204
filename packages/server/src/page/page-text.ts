// The plain page of a server that was given no other: signing in, and the sessions as they change. Text only; nothing is built from HTML.

export const PAGE_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tailrace</title>
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body>
<main>
<h1>Tailrace</h1>
<form id="sign-in" hidden>
<label for="code">The code that <code>tailrace serve</code> shows in its terminal</label>
<input id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="8" required>
<button>Sign in</button>
<button type="button" id="new-code">Show another code</button>
<p id="problem" role="alert"></p>
</form>
<section id="home" hidden>
<p id="state" role="status"></p>
<ul id="sessions"></ul>
</section>
</main>
</body>
</html>
`;

export const PAGE_CSS = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 46rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.25rem; }
form { display: grid; gap: .75rem; max-width: 20rem; }
input { font: inherit; font-family: ui-monospace, monospace; letter-spacing: .2em; padding: .5rem; }
button { font: inherit; padding: .5rem; }
ul { list-style: none; padding: 0; }
li { padding: .5rem 0; border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
li span { opacity: .7; margin-left: .75rem; }
[hidden] { display: none; }
`;

export const PAGE_JS = `const $ = (id) => document.getElementById(id);
const post = (path, body) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const rows = new Map();

function show({ id, title, project, status, costUsd }) {
  const row = rows.get(id) ?? document.createElement('li');
  row.textContent = title ?? id;
  const more = document.createElement('span');
  more.textContent = [project, status, costUsd === null ? undefined : '$' + costUsd.toFixed(4)].filter(Boolean).join(' · ');
  row.append(more);
  rows.set(id, row);
  $('sessions').prepend(row);
}

function listen() {
  const socket = new WebSocket('ws://' + location.host + '/ws');
  socket.onopen = () => socket.send(JSON.stringify({ type: 'subscribe', subscriptionId: 'list', view: 'sessions' }));
  socket.onmessage = ({ data }) => {
    for (const message of JSON.parse(data).messages) {
      if (message.type === 'ping') socket.send('{"type":"pong"}');
      if (message.type === 'live') $('state').textContent = 'live';
      if (message.type === 'session') show(message.session);
      if (message.type === 'gone') rows.get(message.sessionId)?.remove();
    }
  };
  socket.onclose = () => {
    $('state').textContent = 'no connection; trying again';
    setTimeout(start, 1000);
  };
}

async function start() {
  const reply = await fetch('/api/sessions?limit=50').catch(() => undefined);
  if (!reply) return void setTimeout(start, 1000);
  $('sign-in').hidden = reply.ok;
  $('home').hidden = !reply.ok;
  if (!reply.ok) return $('code').focus();
  for (const session of (await reply.json()).items.reverse()) show(session);
  listen();
}

$('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  const reply = await post('/api/sign-in', { code: $('code').value });
  $('problem').textContent = reply.ok ? '' : (await reply.json()).detail;
  if (reply.ok) start();
});
$('new-code').addEventListener('click', async () => {
  const reply = await post('/api/code', {});
  $('problem').textContent = reply.ok ? 'Another code stands in the terminal.' : (await reply.json()).detail;
});
start();
`;
