import type { Collaborator, Program } from '@whence/sdk';
import { Percent } from 'lucide-react';
import { useState } from 'react';
import { rewardBody, rewardDraft } from '../programs/editor/draft.ts';
import { RewardFields } from '../programs/editor/reward-fields.tsx';
import { collaborators as texts } from './collaborators-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';

const words = texts.programs.rate;

export type ChangeRateProps = { readonly program: Program; readonly collaborator: Collaborator };

/** Changes the custom rate of one partner in a program. */
export function ChangeRate({ program, collaborator }: ChangeRateProps) {
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button
        size="small"
        variant="ghost"
        icon={Percent}
        aria-label={words.changeIn(program.name)}
        onClick={() => setOpen(true)}
      >
        {words.change}
      </Button>
      <Dialog open={open} onClose={close} title={words.changeIn(program.name)} description={words.help} size="small">
        {open && <RateForm program={program} collaborator={collaborator} onClose={close} />}
      </Dialog>
    </>
  );
}

function RateForm({ program, collaborator, onClose }: ChangeRateProps & { readonly onClose: () => void }) {
  const own = program.collaboratorRewards.find(({ collaboratorId }) => collaboratorId === collaborator.id);
  const [draft, setDraft] = useState(() => rewardDraft(own?.reward ?? program.reward));
  // The position of the rate in the last request, which is part of the field names in its errors.
  const [sentAt, setSentAt] = useState(0);
  const save = useCall(
    async (api, reward: object | undefined) => {
      // Load the current rates first, because the request replaces the rates of all partners.
      const { data: current, etag } = await api.programs.get(program.id).withResponse();
      const at = placeOf(current, collaborator.id);
      setSentAt(at);
      const changed = reward === undefined ? [] : [{ collaboratorId: collaborator.id, reward } as Rates[number]];
      const collaboratorRewards = current.collaboratorRewards.toSpliced(at, 1, ...changed);
      await api.programs.update(program.id, { collaboratorRewards }, etag === undefined ? {} : { ifMatch: etag });
    },
    { reloads: ['programs'], done: words.changed(collaborator.name), onDone: onClose },
  );
  return (
    <Form onSubmit={() => save.mutate(rewardBody(draft))} error={save.error}>
      <RewardFields
        name={`collaboratorRewards.${sentAt}.reward`}
        currency={program.currency}
        value={draft}
        onChange={setDraft}
      />
      <FormActions submitLabel={words.change} busy={save.isPending} onCancel={onClose}>
        {own !== undefined && <Button onClick={() => save.mutate(undefined)}>{words.remove}</Button>}
      </FormActions>
    </Form>
  );
}

type Rates = Program['collaboratorRewards'];

/** Returns the position of a partner's custom rate in a program, or the position of a new rate. */
function placeOf({ collaboratorRewards }: Program, collaboratorId: number): number {
  const at = collaboratorRewards.findIndex((each) => each.collaboratorId === collaboratorId);
  return at < 0 ? collaboratorRewards.length : at;
}
