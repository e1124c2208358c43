import { useQuery } from '@tanstack/react-query';
import { UserCheck } from 'lucide-react';
import { collaborators as texts } from './collaborators-texts.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { useApi } from '#web/ui/shell/api.tsx';

const words = texts.list;

/** Shows that no applicants are waiting, with the sign-up link of the portal if the portal has a URL. */
export function NoApplications() {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['portalSettings', 'url'],
    queryFn: ({ signal }) => api.portalSettings.get({ signal }),
  });
  const url = data?.url ?? undefined;
  return (
    <EmptyState icon={UserCheck} title={words.noApplications} copy={url && `${url}sign-up`}>
      {words.noApplicationsHelp}
    </EmptyState>
  );
}
