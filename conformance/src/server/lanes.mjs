// Which conversation a request belongs to: the main one, a sub-agent's, a compaction, or a helper call on the side.

const marker = /(?:^|\n)\s*(AGENT-[A-Z0-9]+):/;
const compaction = /Your task is to create a detailed summary of/;

function textsOf(message) {
  if (typeof message?.content === 'string') return [message.content];
  return (message?.content ?? []).filter((block) => block.type === 'text').map((block) => block.text);
}

/** A sub-agent's conversation is named by a marker in its task, or by the words that the task begins with. */
export function laneOf(request, names) {
  const messages = request.messages.filter((message) => message.role === 'user');
  const asked = textsOf(messages.at(-1)).at(-1) ?? '';
  if (compaction.test(asked)) return '$compact';
  const opening = textsOf(messages[0]).filter((text) => !text.startsWith('<system-reminder>'));
  for (const text of opening) {
    const found = marker.exec(text);
    if (found) return found[1];
    const name = names.find((one) => one.includes(' ') && text.startsWith(one));
    if (name) return name;
  }
  // Helper calls bring no tools along.
  return request.tools?.length ? 'main' : 'side';
}
