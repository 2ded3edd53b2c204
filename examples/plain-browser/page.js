// The page: reads a file that was dropped, or listens to what its server hears of agents at work.

import { createConversation, decode, reduce } from '@tailrace/core';
import { show } from './show.js';

/** @template {Element} T @param {string} selector @param {new () => T} kind @returns {T} */
function find(selector, kind) {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

const main = find('main', HTMLElement);
const status = find('[role=status]', HTMLElement);
const input = find('input', HTMLInputElement);
const button = find('button', HTMLButtonElement);

/** @type {import('@tailrace/core').Conversation | undefined} */
let waiting;

/** Drawn once per frame, however many events come. @param {import('@tailrace/core').Conversation} conversation */
function draw(conversation) {
  if (!waiting)
    requestAnimationFrame(() => {
      if (waiting) show(main, waiting);
      waiting = undefined;
    });
  waiting = conversation;
}

/** @param {File | undefined} file */
async function open(file) {
  if (!file) return;
  status.textContent = `reading ${file.name} …`;
  let conversation = createConversation();
  for await (const event of decode(file)) {
    conversation = reduce(conversation, event);
    draw(conversation);
  }
  status.textContent = file.name;
}

input.onchange = () => open(input.files?.[0]);
document.body.ondragover = (event) => {
  event.preventDefault();
  document.body.classList.add('over');
};
document.body.ondragleave = () => document.body.classList.remove('over');
document.body.ondrop = (event) => {
  event.preventDefault();
  document.body.classList.remove('over');
  open(event.dataTransfer?.files[0]);
};

// What the server of this page hears from `tailrace serve`. The session that spoke last is shown.
button.onclick = () => {
  button.disabled = true;
  const sessions = new Map();
  const source = new EventSource('/live');
  source.onerror = () => {
    status.textContent = 'no connection: is `tailrace serve` running, and TAILRACE_TOKEN set?';
  };
  source.onmessage = ({ data }) => {
    const { type, sessionId, event, events } = JSON.parse(data);
    if (type === 'live') {
      status.textContent = 'watching: what an agent does from now on is shown';
      return;
    }
    if (type === 'reset') {
      if (sessionId) sessions.delete(sessionId);
      else sessions.clear();
      return;
    }
    const conversation = sessions.get(sessionId) ?? createConversation();
    // What closes a session holds until another event of it comes.
    if (type === 'ended') {
      draw(events.reduce(reduce, conversation));
      return;
    }
    sessions.set(sessionId, reduce(conversation, event));
    draw(sessions.get(sessionId));
  };
};
