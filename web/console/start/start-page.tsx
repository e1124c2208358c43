import { useQuery } from '@tanstack/react-query';
import type { TestSale } from '@whence/sdk';
import { useState } from 'react';
import { start as texts } from './start-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { portalSettingsQuery } from '../collaborators/portal-settings.ts';
import { ArrivalsPart } from './arrivals-part.tsx';
import { CollaboratorStep } from './collaborator-step.tsx';
import { KeysStep, useIsConnected } from './keys-step.tsx';
import { ProgramStep } from './program-step.tsx';
import { DOTS, type ShopKeys } from './shop-code.ts';
import { ShopStep } from './shop-step.tsx';
import { Stepper } from './stepper.tsx';
import { nextStep, type Progress, type StepName, STEPS } from './steps.ts';
import { TestStep } from './test-step.tsx';
import { activeProgramsQuery, firstCollaboratorQuery, trialProgramOf } from './trial.ts';
import { useArrivals } from './use-arrivals.ts';

/** Guides the user from an empty organization to a first commission, one step at a time. */
export function StartPage() {
  const api = useApi();
  const { data: programs, isFetching } = useQuery(activeProgramsQuery(api));
  const collaborators = useQuery(firstCollaboratorQuery(api)).data;
  const shop = useQuery(portalSettingsQuery(api)).data;
  const isConnected = useIsConnected();
  const program = trialProgramOf(programs?.data);
  const collaborator = collaborators?.[0];
  const arrivals = useArrivals(program);
  const [keys, setKeys] = useState<ShopKeys>();
  const [tested, setTested] = useState<TestSale>();
  const [current, setCurrent] = useState<StepName>();
  const hasArrived = arrivals.visit !== undefined || arrivals.sale !== undefined;
  const progress: Progress = {
    shop: shop && shop.landingUrl !== null,
    program: programs && program !== undefined,
    collaborator: collaborators && collaborator !== undefined,
    keys: isConnected === undefined ? undefined : isConnected || hasArrived,
    test: tested !== undefined || arrivals.reward !== undefined,
  };
  const first = nextStep(progress);
  // A step stays open when it is done, so that the page doesn't change while the user reads it. Wait for running
  // queries, because the cached programs are outdated after a recipe.
  if (current === undefined && first !== undefined && !isFetching) setCurrent(first);
  const goOn = (): void => setCurrent(current && STEPS[STEPS.indexOf(current) + 1]);
  return (
    <Page title={texts.title} description={texts.description} width="narrow">
      <Stack gap={4}>
        {arrivals.reward !== undefined && (
          <Notice
            tone="good"
            title={texts.allDone}
            actions={
              <LinkButton href="/" variant="primary">
                {texts.overview}
              </LinkButton>
            }
          >
            {texts.allDoneHelp}
          </Notice>
        )}
        {current === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <>
            <Stepper current={current} progress={progress} onChange={setCurrent} />
            {current === 'shop' && <ShopStep onNext={goOn} />}
            {current === 'program' && <ProgramStep onNext={goOn} />}
            {current === 'collaborator' && <CollaboratorStep collaborator={collaborator} onNext={goOn} />}
            {current === 'keys' && (
              <KeysStep keys={keys} onMade={setKeys} program={program} isDone={progress.keys === true} onNext={goOn}>
                <ArrivalsPart {...{ arrivals, program, collaborator }} secretKey={(keys ?? DOTS).secret} />
              </KeysStep>
            )}
            {current === 'test' && <TestStep {...{ program, collaborator, tested }} onTested={setTested} />}
          </>
        )}
      </Stack>
    </Page>
  );
}
