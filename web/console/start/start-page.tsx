import { useQuery } from '@tanstack/react-query';
import { PartyPopper } from 'lucide-react';
import { useState } from 'react';
import { start as texts } from './start-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { CollaboratorStep } from './collaborator-step.tsx';
import { KeysStep } from './keys-step.tsx';
import { ProgramStep } from './program-step.tsx';
import { DOTS, type ShopKeys } from './shop-code.ts';
import { activeProgramsQuery, trialProgramOf } from './trial.ts';
import { useArrivals } from './use-arrivals.ts';
import { WatchStep } from './watch-step.tsx';

/** Guides the user from an empty organization to a first commission. */
export function StartPage() {
  const program = useTrialProgram();
  const arrivals = useArrivals(program);
  const collaborator = useFirstCollaborator();
  const [keys, setKeys] = useState<ShopKeys>();
  return (
    <Page title={texts.title} description={texts.description} width="narrow">
      <Stack gap={4}>
        {arrivals.reward !== undefined && (
          <Notice
            tone="good"
            title={texts.allDone}
            actions={
              <LinkButton href="/" variant="primary" icon={PartyPopper}>
                {texts.overview}
              </LinkButton>
            }
          >
            {texts.allDoneHelp}
          </Notice>
        )}
        <ProgramStep />
        <CollaboratorStep collaborator={collaborator} />
        <KeysStep
          keys={keys}
          onMade={setKeys}
          program={program}
          isConnected={arrivals.visit !== undefined || arrivals.sale !== undefined}
        />
        <WatchStep {...{ arrivals, program, collaborator }} secretKey={(keys ?? DOTS).secret} />
      </Stack>
    </Page>
  );
}

function useTrialProgram() {
  return trialProgramOf(useQuery(activeProgramsQuery(useApi())).data?.data);
}

/** Returns the first active partner, whose code is used in the examples, or undefined if there is none yet. */
function useFirstCollaborator() {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['collaborators', 'first'],
    queryFn: ({ signal }) => api.collaborators.list({ perPage: 1, sort: 'id', status: 'active' }, { signal }).page(),
  });
  return data?.data[0];
}
