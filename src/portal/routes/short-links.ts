import { randomBytes } from 'node:crypto';
import { isbot } from 'isbot';
import { aliasKey } from '#collaborators/domain/alias.ts';
import type { UnknownCodes } from '#collaborators/routes/unknown-codes.ts';
import type { OrganizationId } from '#core/ids.ts';
import { hostOfReferrer } from '#programs/domain/fraud-list.ts';
import { hashReportKey } from '#core/report-key.ts';
import { readOpportunityNumber, type ReportBatches } from '#sales/routes/report-batches.ts';
import { isUnknownOrInactive } from '#sales/routes/report-answers.ts';
import type { KnownLinkDomain } from '../commands/merchant-domains.ts';
import { pageOf, SUB_ID_SEPARATOR } from '../domain/portal-link.ts';
import { type CountedVisit, readShortPath, shortLinkTarget } from '../domain/short-link.ts';

/** A request to a link domain. */
export type Follow = {
  readonly method: string;
  /** The path and query of the request. */
  readonly url: string;
  readonly header: (name: string) => string | undefined;
  /** Returns the network of the visitor's IP address. */
  readonly network: () => string;
  /** Counts the request for the rate limit of the visitor's address, and returns whether it is allowed. */
  readonly isAllowed: () => boolean;
};

export type ShortLinks = {
  /** Returns the address to which the request is redirected, or undefined if there is none. */
  readonly follow: (domain: KnownLinkDomain, request: Follow) => Promise<string | undefined>;
};

type Options = {
  readonly batches: Pick<ReportBatches, 'visits'>;
  readonly unknownCodes: UnknownCodes;
  /** Returns the page of a link with a sub-id, or null if the link has no page of its own. */
  readonly findPage: (organizationId: OrganizationId, code: string) => Promise<string | null>;
  readonly onFailure: (error: unknown) => void;
};

/**
 * Returns the object that redirects short links. If the organization has the tier `essentials`, a visit by a person's
 * browser is reported before the response, in a batch with other visits. Other requests are redirected without a
 * report, so the landing page can still report the visit.
 */
export function shortLinks({ batches, unknownCodes, findPage, onFailure }: Options): ShortLinks {
  return {
    follow: async (domain, request) => {
      const [path = '', query] = request.url.split('?', 2);
      const parameters = new URLSearchParams(query);
      const read = readShortPath(path);
      if (read.kind === 'none') return undefined;
      if (read.kind === 'home') return shortLinkTarget(domain, parameters);
      const { code } = read;
      if (!request.isAllowed()) return shortLinkTarget(domain, parameters, code);
      const counts = domain.tier === 'essentials' && isCounted(request);
      const [visit, page] = await Promise.all([
        counts ? report(domain, request, code) : undefined,
        pageOfLink(domain, code),
      ]);
      return visit === 'nobody'
        ? shortLinkTarget(domain, parameters)
        : shortLinkTarget({ ...domain, landingUrl: page }, parameters, code, visit);
    },
  };

  /** Returns the page that a link opens. Only links with a sub-id have a page of their own. */
  async function pageOfLink(domain: KnownLinkDomain, code: string): Promise<string> {
    if (!code.includes(SUB_ID_SEPARATOR)) return domain.landingUrl;
    try {
      return pageOf(domain, await findPage(domain.organizationId, code));
    } catch (error) {
      onFailure(error);
      return domain.landingUrl;
    }
  }

  /**
   * Reports the visit. Returns undefined if it couldn't be recorded. Returns `nobody` if no active collaborator has the
   * code, or if the visitor's network has used too many unknown codes.
   */
  async function report(
    { organizationId, numbers }: KnownLinkDomain,
    { header, network }: Follow,
    code: string,
  ): Promise<CountedVisit | 'nobody' | undefined> {
    if (unknownCodes.waitOf(organizationId, network()) !== undefined) return 'nobody';
    const collaborator = { kind: 'alias', type: 'tracking', codeKey: aliasKey(code) } as const;
    const key = randomBytes(8).toString('base64url');
    try {
      const outcome = await batches.visits.submit(
        organizationId,
        {
          collaborator,
          presented: readOpportunityNumber(trackingCookie(header('cookie'))),
          userId: null,
          occurredAt: null,
          network,
          referrer: hostOfReferrer(header('referer') ?? ''),
          // The snippet reports the landing with the same Idempotency-Key and a publishable key, so the visit counts
          // once.
          key: hashReportKey('publishable', key, 'site-visited', { collaboratorId: collaborator }),
          numbers,
        },
        { lines: 0, bytes: code.length },
      );
      if (outcome.kind === 'recorded') return { trackingId: outcome.number, key };
      if (!isUnknownOrInactive(outcome)) return undefined;
      unknownCodes.count(organizationId, network());
      return 'nobody';
    } catch (error) {
      // A visitor should reach the shop even if the visit can't be recorded.
      onFailure(error);
      return undefined;
    }
  }
}

/** The number of characters of a User-Agent that are examined. Browsers send shorter values. */
const EXAMINED_CHARACTERS = 512;

/**
 * Returns whether a request is a visit by a person: a browser opens the link as a page and doesn't opt out of tracking.
 * Prefetching browsers, embedded images and frames, link previews and bots are not counted.
 */
function isCounted({ method, header }: Follow): boolean {
  const agent = header('user-agent');
  const opens = header('sec-fetch-dest') ?? 'document';
  return (
    method === 'GET' &&
    agent !== undefined &&
    !isbot(agent.slice(0, EXAMINED_CHARACTERS)) &&
    opens === 'document' &&
    (header('sec-purpose') ?? header('purpose')) === undefined &&
    header('sec-gpc') !== '1' &&
    header('dnt') !== '1'
  );
}

/** The snippet's default name of the cookie with the tracking id. */
const TRACKING_COOKIE = 'whence_oid=';

/**
 * Returns the tracking id in the snippet's cookie. The browser sends this cookie if the shop shares it with all
 * subdomains.
 */
function trackingCookie(cookies = ''): string | undefined {
  const found = cookies.split('; ').find((pair) => pair.startsWith(TRACKING_COOKIE));
  return found?.slice(TRACKING_COOKIE.length);
}
