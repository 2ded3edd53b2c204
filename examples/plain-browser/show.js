// A conversation as plain elements. Everything that an agent says goes in as text, never as HTML.

import { partsOf, showCost, showDuration } from '@tailrace/core';

/** What is on the page, by the id of its part: what did not change is the same object, and stays as it is. */
const rows = new Map();

/** Draws the conversation into the element. @param {HTMLElement} place @param {import('@tailrace/core').Conversation} conversation */
export function show(place, conversation) {
  const { agent, model, title, outcome, cost, state } = conversation;
  const figures = [
    model,
    state === 'ended' ? outcome : state,
    cost && showCost(cost.amount, cost.estimated ? 'estimated' : 'reconciled'),
  ];
  const elements = [
    element('h2', title ?? `A run of ${agent ?? 'an agent'}`),
    element('p', figures.filter(Boolean).join(' · '), 'quiet'),
    ...partsOf(conversation).flatMap((part) => {
      const known = rows.get(part.id);
      if (known?.part === part) return known.elements;
      const elements = row(part);
      const wasOpen = known?.elements[0]?.hasAttribute('open');
      if (wasOpen) elements[0]?.setAttribute('open', '');
      rows.set(part.id, { part, elements });
      return elements;
    }),
  ];
  for (const [at, one] of elements.entries()) {
    const there = place.children[at];
    if (there === one) continue;
    if (there && at < 2) there.replaceWith(one);
    else place.insertBefore(one, there ?? null);
  }
  while (place.children.length > elements.length) place.lastChild?.remove();
}

/** @param {import('@tailrace/core').Part} part @returns {HTMLElement[]} */
function row(part) {
  switch (part.type) {
    case 'prompt':
      return [
        element('p', part.content.map((one) => (one.type === 'text' ? one.text : one.type)).join('\n'), 'prompt'),
      ];
    case 'text':
      return [element('p', part.text)];
    case 'reasoning':
      return part.text ? [folded('thought', part.text)] : [];
    case 'call': {
      const output = (part.content ?? []).map((one) => (one.type === 'text' ? one.text : one.type)).join('\n');
      const words = [part.name, part.title, part.status, showDuration(part.durationMs)].filter(Boolean).join('  ');
      return [folded(words, `${JSON.stringify(part.input, null, 2)}\n\n${part.outputText ?? output}`, part.status)];
    }
    case 'error':
      return [element('p', part.error.message, 'failed')];
    case 'turn':
      return part.text ? [element('p', part.text)] : [];
    default:
      return [];
  }
}

/** @param {string} summary @param {string} text @param {string} [name] */
function folded(summary, text, name) {
  const details = document.createElement('details');
  details.append(element('summary', summary, name), element('pre', text));
  return details;
}

/** @param {string} tag @param {string} text @param {string} [name] */
function element(tag, text, name = '') {
  return Object.assign(document.createElement(tag), { textContent: text, className: name });
}
