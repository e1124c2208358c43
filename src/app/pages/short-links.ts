import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '#core/contract/problem.ts';
import { type CountRequest, networkOf } from '#platform/http/rate-limits.ts';
import { sendProblem } from '#platform/http/replies.ts';
import type { KnownLinkDomain } from '#portal/commands/merchant-domains.ts';
import type { ShortLinks } from '#portal/routes/short-links.ts';
import type { DomainAnswers } from './merchant-domains.ts';

/** Returns a function that answers the requests to the domains of short links. */
export function answerShortLinks(links: ShortLinks, countRequest: CountRequest): DomainAnswers['sendShortLink'] {
  return send;

  async function send(domain: KnownLinkDomain, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendProblem(
        reply,
        problem('method-not-allowed', 'Allowed methods: GET, HEAD.', { headers: { allow: 'GET, HEAD' } }),
      );
      return;
    }
    const { ip } = request;
    const target = await links.follow(domain, {
      method: request.method,
      url: request.url,
      header: (name) => request.headers[name]?.toString(),
      network: () => networkOf(ip),
      isAllowed: () =>
        countRequest({ kind: 'publishable', caller: `links of ${domain.domain}` }, ip)?.allowed !== false,
    });
    reply.header('cache-control', 'no-store');
    if (target === undefined) reply.code(404).type('text/plain; charset=utf-8').send('There is no such link.\n');
    else reply.redirect(target, 302);
  }
}
