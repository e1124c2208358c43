import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '#core/contract/problem.ts';
import { domainOrigin } from '#organizations/domain/portal.ts';
import type { PortalDomain } from '#organizations/store/domains.ts';
import type { AnswerDomain } from '#platform/http/every-request.ts';
import { sendProblem } from '#platform/http/replies.ts';
import type { KnownLinkDomain, MerchantDomains } from '#portal/commands/merchant-domains.ts';
import type { SendPortal } from './web-pages.ts';

export type DomainAnswers = {
  readonly basePath: string;
  readonly publicUrl: () => string;
  readonly sendShortLink: (domain: KnownLinkDomain, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  readonly sendPortal: SendPortal;
};

/**
 * Returns a function that answers requests to the domains of short links and of portals. It ignores requests to other
 * hosts, and requests to a portal's domain for calls or pages of the service.
 */
export function answerMerchantDomains(domains: MerchantDomains, answers: DomainAnswers): AnswerDomain {
  const { basePath, publicUrl, sendShortLink, sendPortal } = answers;
  return (request, reply) =>
    domains.at(request.headers.host)?.then(async (domain) => {
      if (domain === undefined) return false;
      if (domain.use === 'links') {
        await sendShortLink(domain, request, reply);
        return true;
      }
      return answerPortal(domain, request, reply);
    });

  async function answerPortal(domain: PortalDomain, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { organizationId, slug } = domain;
    const place = placeOf(request, basePath, slug);
    if (place === 'service') {
      request.portalSite = { organizationId, origin: domainOrigin(publicUrl(), domain.domain) };
      return false;
    }
    if (place === 'nothing')
      sendProblem(
        reply,
        problem('not-found', 'This call isn’t available on the domain of a portal. Use the host of the service.'),
      );
    else if (request.method === 'GET' || request.method === 'HEAD') await sendPortal(request, reply, slug);
    else sendProblem(reply, problem('method-not-allowed', 'Allowed methods: GET, HEAD.', { headers: ALLOWED }));
    return true;
  }
}

const ALLOWED = { allow: 'GET, HEAD' };

/**
 * The paths of service pages that are also served on the domain of a portal: health checks, files of materials, and
 * unsubscribe pages.
 */
const PAGES = /^\/(?:healthz|readyz|materials\/[^/]+|unsubscribe\/[^/]+)$/;

/**
 * Returns the target of a request to the domain of a portal: a page of the portal, a call or page of the service, or
 * nothing. The merchant's people have no session on this domain. So in addition to the pages of its portal, the domain
 * offers only calls with an API key, calls of its portal, and PAGES.
 */
function placeOf(
  { url, method, headers }: FastifyRequest,
  basePath: string,
  slug: string | null,
): 'portal' | 'service' | 'nothing' {
  const [whole = ''] = url.split('?', 1);
  if (!whole.startsWith(`${basePath}/`)) return 'portal';
  const path = whole.slice(basePath.length);
  if (PAGES.test(path)) return 'service';
  if (!path.startsWith('/v1/')) return 'portal';
  const isOfPortal = path.startsWith('/v1/portal/') || (slug !== null && `${path}/`.startsWith(`/v1/portals/${slug}/`));
  const isByKey = headers.authorization !== undefined && !WITHOUT_KEY.some((start) => path.startsWith(start));
  return isOfPortal || isByKey || method === 'OPTIONS' ? 'service' : 'nothing';
}

/** The beginnings of the paths of calls that take no API key: logins and links of people, and calls of all portals. */
const WITHOUT_KEY = [
  '/v1/sessions',
  '/v1/password-resets',
  '/v1/invitations/accept',
  '/v1/invitations/preview',
  '/v1/portals/',
];
