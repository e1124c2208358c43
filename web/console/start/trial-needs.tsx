import { useQuery } from '@tanstack/react-query';
import type { Collaborator, Program } from '@whence/sdk';
import { usePermission } from '../session.ts';
import { start as texts } from './start-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { createMissing, type Need, needsQuery } from './trial.ts';

const words = texts.needs;

type Of = { readonly program: Program; readonly collaborator: Collaborator };

/**
 * Shows the requirements for a commission that the partner doesn't meet yet. Each requirement has a button that meets
 * it.
 */
export function TrialNeeds({ program, collaborator }: Of) {
  const { data: needs = [] } = useQuery(needsQuery(useApi(), program, collaborator));
  return needs.map((need) => <NeedNotice key={need.kind} {...{ need, program, collaborator }} />);
}

function NeedNotice({ need, program, collaborator }: Of & { readonly need: Need }) {
  const may = usePermission('resources:write');
  const { mutate, isPending, error } = useCall((api) => createMissing(api, need, program, collaborator), {
    reloads: ['collaborators', 'programs'],
  });
  const { name } = collaborator;
  const [text, label] =
    need.kind === 'coupon'
      ? [words.coupon(program.name, name), words.giveCoupon(need.code)]
      : [words.enrollment(program.name, name), words.enroll(name)];
  return (
    <>
      <Notice
        tone="warn"
        actions={
          may && (
            <Button busy={isPending} onClick={() => mutate()}>
              {label}
            </Button>
          )
        }
      >
        {text}
      </Notice>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}
