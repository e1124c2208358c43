import { queryOptions } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';

export function payoutSettingsQuery(api: Whence) {
  return queryOptions({ queryKey: ['payoutSettings'], queryFn: ({ signal }) => api.payoutSettings.get({ signal }) });
}
