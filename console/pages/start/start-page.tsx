import { useQuery } from '@tanstack/react-query';
import { PartyPopper } from 'lucide-react';
import { useState } from 'react';
import { start as texts } from '#console/texts/start.ts';
import { LinkButton } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Stack } from '#ui/stack.tsx';
import { CollaboratorStep } from './collaborator-step.tsx';
import { KeysStep } from './keys-step.tsx';
import { ProgramStep } from './program-step.tsx';
import { DOTS, type ShopKeys } from './shop-code.ts';
import { activeProgramsQuery, trialProgramOf } from './trial.ts';
import { useArrivals } from './use-arrivals.ts';
import { WatchStep } from './watch-step.tsx';

/** From nothing to a first sale with its reward. */
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

/** Whoever was added first, whose code the examples have. */
function useFirstCollaborator() {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['collaborators', 'first'],
    queryFn: ({ signal }) => api.collaborators.list({ perPage: 1, sort: 'id', status: 'active' }, { signal }).page(),
  });
  return data?.data[0];
}
