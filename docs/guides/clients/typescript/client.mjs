// @ts-check
// Creates and issues one invoice for an order of yours, and does each once however often it has to ask.
//
//   SERVER=http://127.0.0.1:8080 TOKEN=... node client.mjs ORDER PARTNER
//
// Needs Node 20 or later and nothing else: Node 20 runs no TypeScript, so the types are in comments, where the
// TypeScript compiler and editors check them (tsc --checkJs --strict).

import { setTimeout as sleep } from 'node:timers/promises';

const timeout = 35_000; // milliseconds; longer than the 30 seconds that the server gives the work
const mostTries = 8; // after which the same command may be run again
const firstPause = 200;
const mostPause = 10_000;

/**
 * @typedef {{code: string, message: string, requestId: string, retryWith: 'same_key' | 'new_key' | 'never',
 *   fieldErrors?: Record<string, string[]>, details: {reason: string, existingId?: string}}} ErrorMembers
 * @typedef {{id: string, fullNumber?: string}} Invoice
 */

/** The error of an answer. It has no members when the answer is not the server's. */
export class Refusal extends Error {
  /** @param {number} status @param {string} text @param {string | null} retryAfter */
  constructor(status, text, retryAfter) {
    super(`refused with ${status}: ${text.slice(0, 500)}`);
    this.status = status;
    this.after = 1000 * (Number(retryAfter) || 0);
    /** @type {ErrorMembers | undefined} */
    this.error = undefined;
    try {
      this.error = JSON.parse(text).error;
    } catch {
      // the page of a load balancer
    }
  }

  /** May the same request simply be sent again? */
  isTemporary() {
    const passes = this.status >= 500 || this.status === 429;
    if (!this.error) return passes; // something before the server answered
    return this.error.retryWith === 'same_key' && (passes || this.error.code === 'idempotency_in_progress');
  }
}

/** Calls a server as one caller. */
export class Client {
  /** @param {string} server @param {string} token */
  constructor(server, token) {
    this.server = server;
    this.token = token;
  }

  /**
   * Does an operation that happens once and gives its answer, or throws a Refusal.
   * @template T
   * @param {string} path @param {string} key @param {object} body
   * @returns {Promise<T>}
   */
  async once(path, key, body) {
    const text = JSON.stringify(body); // once, so that every try sends the same
    let pause = firstPause;
    for (let left = mostTries - 1; ; left--) {
      let wait = pause;
      try {
        return await this.#try(path, key, text);
      } catch (error) {
        // What is no refusal is no answer, or half of one: it may have happened, and the same key finds out.
        if (!left || (error instanceof Refusal && !error.isTemporary())) throw error;
        if (error instanceof Refusal) wait = Math.max(pause, error.after);
      }
      await sleep(wait * (1 + Math.random() / 2));
      pause = Math.min(pause * 2, mostPause);
    }
  }

  /** @param {string} path @param {string} key @param {string} body */
  async #try(path, key, body) {
    const response = await fetch(this.server + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body,
      signal: AbortSignal.timeout(timeout),
    });
    const answer = await response.text();
    if (response.status === 200) return JSON.parse(answer);
    throw new Refusal(response.status, answer, response.headers.get('Retry-After'));
  }
}

/**
 * Creates and issues the invoice of an order and gives its number. The order exists once in your books, so its name and
 * the step make a key that a new run of this program makes again.
 * @param {Client} client @param {string} order @param {string} partner
 */
export async function invoice(client, order, partner) {
  /** @type {Invoice} */
  const draft = await client.once('/v1/sales/invoices/create', `${order} create`, {
    partnerId: partner,
    lines: [{ description: 'Consulting', quantity: 2, unitPriceExclVat: '50.00' }],
  });
  /** @type {Invoice} */
  const issued = await client.once('/v1/sales/invoices/issue', `${order} issue`, { id: draft.id });
  return issued.fullNumber;
}

const [order, partner] = process.argv.slice(2);
const { SERVER, TOKEN } = process.env;
if (!order || !partner || !SERVER || !TOKEN) {
  console.error('usage: SERVER=... TOKEN=... node client.mjs ORDER PARTNER');
  process.exit(2);
}
try {
  console.log(await invoice(new Client(SERVER, TOKEN), order, partner));
} catch (error) {
  console.error(error instanceof Refusal ? error.message : `no answer (${error}); run the same again later`);
  process.exit(1);
}
