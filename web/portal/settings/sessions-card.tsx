import { settings } from './settings-texts.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { SessionsCard as Card } from '#web/ui/shell/sessions-card.tsx';

const KEY = ['portal', 'sessions'];

export function SessionsCard() {
  const { portal: api } = useApi();
  return (
    <Card
      queryKey={KEY}
      calls={{
        list: (signal) => api.listSessions({ perPage: 100 }, { signal }).page(),
        end: (id) => api.endSession(id),
      }}
      {...settings.sessions}
    />
  );
}
