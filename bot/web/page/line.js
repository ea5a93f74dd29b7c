// The line to the bot: a WebSocket that connects again on its own, and sends unanswered
// presses again.

const deadAfter = 9000; // ms of silence; the server pings every 3 s
const longestWait = 4000; // ms; also for a connection to open

export class Line {
  // heard gets every message; state gets true or false when the line is up or lost.
  /** @param {() => URL} address @param {(m: any) => void} heard @param {(up: boolean) => void} state */
  constructor(address, heard, state) {
    this.address = address;
    this.heard = heard;
    this.state = state;
    this.open = new Map(); // presses without an answer, by id
    this.repeated = new Set(); // the ids of those that were sent again
    this.again = ""; // a press that shows on a new line what only the old one knew
    this.returning = 0; // the id of that press, until it is answered
    this.table = ""; // that is shown; "": the door's
    this.next = this.tries = this.skew = 0;
    this.last = [0, 0];
    /** @type {WebSocket} */
    this.socket = /** @type {any} */ (null);
    this.alive();
    this.over = false;
    setInterval(() => this.check(), 500);
    window.addEventListener("online", () => this.check(true));
    document.addEventListener("visibilitychange", () => this.check(true));
    this.connect();
  }

  // now returns the server's time in ms.
  now() { return performance.now() + this.skew; }

  // alive notes that the line has just said something, and silent returns how long ago that was, in ms. A computer's clock
  // can step back, and its counter can stand still while it sleeps.
  alive() { this.last = [Date.now(), performance.now()]; }
  silent() { return Math.max(Date.now() - this.last[0], performance.now() - this.last[1]); }

  connect() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.alive();
    const socket = this.socket = new WebSocket(this.address());
    socket.onopen = () => {
      if (this.table) this.send({ t: "table", table: this.table });
      this.forget(this.returning);
      const waiting = [...this.open.values()];
      this.returning = this.again ? this.press(this.again, this.table) : 0;
      for (const m of waiting) { // they are newer
        this.repeated.add(m.id);
        this.send(m);
      }
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket || this.timer) return;
      if (this.silent() > deadAfter) { this.lost(); return; } // the page slept: what has waited is old
      this.alive();
      this.tries = 0;
      this.state(true);
      const m = JSON.parse(event.data);
      if (m.now) this.skew = m.now - performance.now();
      if (m.ask) this.send({ t: "here" }); // a page that has fallen silent is taken for closed
      if (m.t === "answer") {
        this.open.delete(m.id);
        m.repeated = this.repeated.delete(m.id); // the bot may have got the press twice
        m.returned = m.id === this.returning;
        if (m.returned) this.returning = 0;
      }
      if (m.t === "gone") this.over = true;
      this.heard(m);
    };
    socket.onclose = () => { if (socket === this.socket) this.lost(); };
  }

  // lost waits a little, longer each time, and connects again.
  lost() {
    if (this.over || this.timer) return;
    this.socket.onclose = null;
    this.socket.close();
    this.state(false);
    const wait = Math.min(longestWait, 250 * 2 ** this.tries++);
    this.timer = setTimeout(() => this.connect(), wait * (0.5 + Math.random() / 2));
  }

  // check gives up a silent line. With atOnce, a lost line connects without waiting: the page
  // was just shown, or the network is back.
  /** @param {boolean} [atOnce] */
  check(atOnce) {
    if (this.over) return;
    const limit = this.socket.readyState === WebSocket.CONNECTING ? longestWait : deadAfter;
    if (!this.timer && this.silent() > limit) this.lost();
    if (atOnce && this.timer) this.connect();
  }

  /** @param {object} m */
  send(m) { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(m)); }

  // press sends a press and returns its id. It is sent again until it is answered.
  /** @param {string} press @param {string} table */
  press(press, table) { return this.ask({ t: "press", press, at: table }); }

  // ask sends a message that is answered, and returns its id. It is sent again until it is answered.
  /** @param {object} message */
  ask(message) {
    const m = { ...message, id: ++this.next };
    this.open.set(m.id, m);
    this.send(m);
    return m.id;
  }

  // forget gives up waiting for an answer.
  /** @param {number} id */
  forget(id) {
    this.open.delete(id);
    this.repeated.delete(id);
  }

  // renew opens a new line: the session has changed.
  renew() {
    this.socket.onclose = null;
    this.socket.close();
    this.connect();
  }

  // end closes the line for good.
  end() {
    this.over = true;
    this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
  }

  /** @param {string} table */
  show(table) {
    this.table = table;
    this.again = "";
    this.send({ t: "table", table });
  }
}
