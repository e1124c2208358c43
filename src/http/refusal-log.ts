import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Problem, problemStatus } from '#contract/problem.ts';
import { networkOf } from './rate-limits.ts';

/** Writes down that somebody was not let in: `author` is who it was, where that is known. */
export type NoteRefusal = (request: FastifyRequest, refusal: Problem, author?: string) => void;

/** Who is not known, who may not, and who comes too often: by these somebody who tries to get in is seen. */
const TOLD = new Set([401, 403, 429]);

/** Of one process. Whoever floods it is to fill no disk: what is left out is counted in the next line. */
const LINES_A_SECOND = 10;

/** Says in the log what was refused to whom: by the network they came from, cut short, never by a key or an address of a mail. */
export function refusalLog(log: Logger, now: () => number = () => performance.now()): NoteRefusal {
  let second = 0;
  let lines = 0;
  let leftOut = 0;
  return (request, refusal, author) => {
    if (!TOLD.has(problemStatus(refusal))) return;
    const current = Math.floor(now() / 1_000);
    if (current !== second) [second, lines] = [current, 0];
    lines += 1;
    if (lines > LINES_A_SECOND) {
      leftOut += 1;
      return;
    }
    const { operationId: operation } = request.routeOptions.config;
    log.info({ operation, code: refusal.code, by: author, from: shortened(request.ip), leftOut }, 'refused');
    leftOut = 0;
  };
}

/** Enough to see where somebody comes from, and too little to say who they are. */
function shortened(address: string): string {
  const network = networkOf(address);
  const parts = network.split(/[.:]/).slice(0, 3);
  if (network.includes('.')) return `${parts.join('.')}.0/24`;
  return network.includes(':') ? `${parts.join(':')}::/48` : network;
}
