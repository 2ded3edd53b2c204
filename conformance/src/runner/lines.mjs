// Keeps every byte of stdout and hands out whole lines to whoever waits for one.
export class Lines {
  chunks = [];
  parsed = [];
  #rest = [];
  #waiting = new Set();

  add(chunk) {
    this.chunks.push(chunk);
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#rest.push(chunk.subarray(from, at));
      this.#line(Buffer.concat(this.#rest).toString('utf8'));
      this.#rest = [];
      from = at + 1;
    }
    if (from < chunk.length) this.#rest.push(chunk.subarray(from));
  }

  #line(line) {
    try {
      this.parsed.push(JSON.parse(line));
    } catch {
      this.parsed.push({ type: 'not-json', line });
    }
    for (const check of [...this.#waiting]) check();
  }

  get bytes() {
    return Buffer.concat(this.chunks);
  }

  /** The first line at or after `from` that fits. */
  find(fits, from) {
    return new Promise((resolve) => {
      let at = from;
      const check = () => {
        for (; at < this.parsed.length; at += 1) {
          if (!fits(this.parsed[at])) continue;
          this.#waiting.delete(check);
          resolve({ line: this.parsed[at], next: at + 1 });
          return;
        }
      };
      this.#waiting.add(check);
      check();
    });
  }
}
