import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '#core/contract/problem.ts';
import { type CountRequest, networkOf } from '#platform/http/rate-limits.ts';
import { sendProblem } from '#platform/http/replies.ts';
import type { AnswerDomain } from '#platform/http/every-request.ts';
import type { KnownDomain, LinkDomains } from '#portal/commands/link-domains.ts';
import type { ShortLinks } from '#portal/routes/short-links.ts';

/** Returns a function that answers the requests to the domains of short links and ignores all other requests. */
export function answerShortLinks(domains: LinkDomains, links: ShortLinks, countRequest: CountRequest): AnswerDomain {
  return (request, reply) =>
    domains.at(request.headers.host)?.then(async (domain) => {
      if (domain === undefined) return false;
      await send(domain, request, reply);
      return true;
    });

  async function send(domain: KnownDomain, request: FastifyRequest, reply: FastifyReply): Promise<void> {
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
