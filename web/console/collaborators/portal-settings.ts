import { queryOptions } from '@tanstack/react-query';
import type { PortalSettings, Whence } from '@whence/sdk';

export function portalSettingsQuery(api: Whence) {
  return queryOptions({
    queryKey: ['portalSettings'],
    queryFn: ({ signal }) => api.portalSettings.get({ signal }),
    staleTime: 60_000,
  });
}

/** Returns the partner link for a code, or undefined if the portal settings have no landing page. */
export function linkOf(settings: PortalSettings, code: string): string | undefined {
  if (settings.landingUrl === null) return undefined;
  const url = new URL(settings.landingUrl);
  url.searchParams.set(settings.refParameter, code);
  return url.href;
}
