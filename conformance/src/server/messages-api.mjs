// A stand-in for the Messages API on the loopback address. It answers from a script and keeps a record of what it really served.
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from '../script/blocks.mjs';
import { messageIdentifier, requestIdentifier } from '../script/identifiers.mjs';
import { isMark } from '../script/marks.mjs';
import { reply, usage } from '../script/replies.mjs';
import { complete, streamed } from './events.mjs';
import { laneOf } from './lanes.mjs';

const sideAnswer = () => reply([text('On the side.')], usage(3, 2, 0, 0));

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const raw = Buffer.concat(chunks).toString('utf8');
  return raw ? JSON.parse(raw) : {};
}

export class MessagesApi extends EventEmitter {
  calls = [];
  unscripted = [];
  #lanes;
  #served = new Map();
  #gates = new Map();
  #server;

  constructor(lanes) {
    super();
    this.#lanes = lanes;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error) => {
        this.emit('error', error);
        response.destroy();
      });
    });
  }

  async listen() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  async close() {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  open(name) {
    this.#gate(name).open();
  }

  #gate(name) {
    if (!this.#gates.has(name)) {
      let open;
      const opened = new Promise((resolve) => {
        open = resolve;
      });
      this.#gates.set(name, { opened, open });
    }
    return this.#gates.get(name);
  }

  #next(lane) {
    const script = this.#lanes[lane] ?? [];
    const at = this.#served.get(lane) ?? 0;
    const entry = script[Math.min(at, script.length - 1)];
    if (entry?.kind === 'always') return entry.answer;
    this.#served.set(lane, at + 1);
    return at < script.length ? entry : null;
  }

  async #answer(request, response) {
    const body = await bodyOf(request);
    const { pathname } = new URL(request.url, 'http://127.0.0.1');
    if (pathname === '/v1/messages/count_tokens')
      return json(response, 200, { input_tokens: JSON.stringify(body).length >> 2 });
    if (request.method !== 'POST' || pathname !== '/v1/messages')
      return json(response, 404, { type: 'error', error: { type: 'not_found_error', message: 'no such path' } });

    const lane = laneOf(body, Object.keys(this.#lanes));
    const entry = this.#next(lane);
    let answer = typeof entry === 'function' ? entry(body) : entry;
    if (!answer && lane === 'side') answer = sideAnswer();
    const call = {
      seq: this.calls.length + 1,
      lane,
      model: body.model,
      stream: body.stream === true,
      answer,
      identifier: null,
      status: 0,
      completed: false,
      blocksSent: 0,
    };
    this.calls.push(call);
    const number = this.calls.filter((earlier) => earlier.lane === lane).length;
    this.emit('moment', { kind: 'request', lane, seq: call.seq, number });
    if (!answer) {
      this.unscripted.push(lane);
      call.status = 400;
      return json(response, 400, {
        type: 'error',
        error: { type: 'invalid_request_error', message: `no answer is scripted for ${lane}` },
      });
    }
    if (answer.kind === 'hang-up') return request.socket.destroy();
    if (answer.kind === 'failure') {
      call.status = answer.status;
      return json(response, answer.status, answer.body, answer.headers);
    }
    call.status = 200;
    call.identifier = messageIdentifier();
    const identity = { id: call.identifier, model: body.model };
    if (call.stream) await this.#stream(call, identity, response);
    else {
      call.blocksSent = Number.POSITIVE_INFINITY;
      json(response, 200, complete(answer, identity));
      call.completed = true;
    }
    this.emit('moment', { kind: 'served', lane, seq: call.seq });
  }

  async #stream(call, identity, response) {
    const gone = new Promise((resolve) => response.once('close', resolve));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': requestIdentifier() });
    const { pace } = call.answer;
    for (const item of streamed(call.answer, identity)) {
      // As long as a model thinks, and as fast as one writes.
      if (pace) await sleep(item.type === 'message_start' ? pace.first : pace.each);
      if (response.destroyed) return;
      const event = isMark(item) ? item.event : item;
      if (event) {
        // An event is whole on the wire before the next thing happens, so that a cut falls where the script says.
        const written = new Promise((resolve) =>
          response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, resolve),
        );
        await Promise.race([written, gone]);
        if (event.type === 'content_block_stop') call.blocksSent += 1;
      }
      if (item.mark === 'cut') {
        this.emit('moment', { kind: 'cut', lane: call.lane, seq: call.seq });
        response.destroy();
        return;
      }
      if (item.mark === 'finish') {
        response.end();
        return;
      }
      if (item.mark === 'hold') {
        this.emit('moment', { kind: 'held', lane: call.lane, seq: call.seq });
        await gone;
        return;
      }
      if (item.mark === 'gate') {
        this.emit('moment', { kind: 'gate', name: item.name, lane: call.lane, seq: call.seq });
        await Promise.race([this.#gate(item.name).opened, gone]);
      }
    }
    call.completed = !response.destroyed;
    response.end();
  }
}

function json(response, status, body, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': requestIdentifier(), ...headers });
  response.end(JSON.stringify(body));
}
