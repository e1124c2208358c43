import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Problem, problemStatus } from '#core/contract/problem.ts';
import { networkOf } from './rate-limits.ts';

/** Logs a refusal. `author` is the caller, if known. */
export type NoteRefusal = (request: FastifyRequest, refusal: Problem, author?: string) => void;

/**
 * The statuses of refusals that may indicate an attack: unknown callers, forbidden calls, and calls beyond a rate or
 * memory limit.
 */
const LOGGED = new Set([401, 403, 429, 503]);

/**
 * The maximum number of lines per second of one process, so that a flood can't fill the disk. The next line contains
 * the number of omitted lines.
 */
const LINES_A_SECOND = 10;

/**
 * Returns a function that logs refusals. A line contains the caller's shortened network, but never a key or an email
 * address.
 */
export function refusalLog(log: Logger, now: () => number = () => performance.now()): NoteRefusal {
  let second = 0;
  let lines = 0;
  let leftOut = 0;
  return (request, refusal, author) => {
    if (!LOGGED.has(problemStatus(refusal))) return;
    const current = Math.floor(now() / 1_000);
    if (current !== second) [second, lines] = [current, 0];
    lines += 1;
    if (lines > LINES_A_SECOND) {
      leftOut += 1;
      return;
    }
    const { operationId: operation } = request.routeOptions.config;
    log.info({ operation, code: refusal.code, by: author, from: shortenAddress(request.ip), leftOut }, 'refused');
    leftOut = 0;
  };
}

/** Returns a part of the address that shows the caller's origin but doesn't identify a person. */
function shortenAddress(address: string): string {
  const network = networkOf(address);
  const parts = network.split(/[.:]/).slice(0, 3);
  if (network.includes('.')) return `${parts.join('.')}.0/24`;
  return network.includes(':') ? `${parts.join(':')}::/48` : network;
}
