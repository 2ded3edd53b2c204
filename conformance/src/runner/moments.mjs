// What the stand-in reports (a request came, a stream is held), kept so that nobody can come too late to wait for it.
export class Moments {
  #seen = [];
  #waiting = new Set();

  constructor(api) {
    api.on('moment', (moment) => {
      this.#seen.push(moment);
      for (const check of [...this.#waiting]) check();
    });
  }

  find(fits) {
    return new Promise((resolve) => {
      const check = () => {
        const found = this.#seen.find(fits);
        if (!found) return;
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }
}
