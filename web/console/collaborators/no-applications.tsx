import { UserCheck } from 'lucide-react';
import { collaborators as texts } from './collaborators-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';

const words = texts.list;

/** Shows that no applicants are waiting, with the sign-up link of the portal if the portal has a URL. */
export function NoApplications() {
  const { data } = useRead(['portalSettings', 'url'], (api, options) => api.portalSettings.get(options));
  const url = data?.url ?? undefined;
  return (
    <EmptyState icon={UserCheck} title={words.noApplications} copy={url && `${url}sign-up`}>
      {words.noApplicationsHelp}
    </EmptyState>
  );
}
