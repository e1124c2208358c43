import type { CreateInvitationLinkBody, Program } from '@whence/sdk';
import { useState } from 'react';
import { invitations as texts } from './invitation-texts.ts';
import { rewardBody, type RewardDraft, rewardDraft } from '../programs/editor/draft.ts';
import { RewardFields } from '../programs/editor/reward-fields.tsx';
import { useCall } from '#web/ui/shell/call.ts';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { NumberField } from '#web/ui/form/number-field.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { endOf } from '#web/ui/formats/time.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';

/** Creates an invitation link for a program. */
export function NewInvitationLink({ program, onClose }: { readonly program: Program; readonly onClose: () => void }) {
  const [{ note, tags, maxUses, expiresAt: end }, field] = useDraft({
    note: '',
    tags: '',
    maxUses: null as number | null,
    expiresAt: '',
  });
  const [rate, setRate] = useState<RewardDraft>();
  const create = useCall(
    (api) =>
      api.invitationLinks.create({
        programId: program.id,
        ...(note.trim() === '' ? {} : { note: note.trim() }),
        tags: tags.split(',').filter((tag) => tag.trim() !== ''),
        ...(maxUses === null ? {} : { maxUses }),
        ...(rate === undefined ? {} : { reward: rewardBody(rate) as CreateInvitationLinkBody['reward'] }),
        ...(end === '' ? {} : { expiresAt: endOf(end) }),
      }),
    { reloads: ['invitationLinks'], done: texts.made, onDone: onClose },
  );
  return (
    <Dialog open onClose={onClose} title={texts.make}>
      <Form call={create}>
        <TextField label={texts.note} {...field('note')} description={texts.noteHelp} optional maxLength={255} />
        <TextField label={texts.tags} {...field('tags')} description={texts.tagsHelp} optional />
        <Checkbox
          label={texts.customRate}
          description={texts.customRateHelp}
          checked={rate !== undefined}
          onChange={(custom) => setRate(custom ? rewardDraft(program.reward) : undefined)}
        />
        {rate !== undefined && (
          <RewardFields name="reward" currency={program.currency} value={rate} onChange={setRate} />
        )}
        <NumberField label={texts.maxUses} {...field('maxUses')} optional min={1} />
        <TextField label={texts.expires} {...field('expiresAt')} description={texts.expiresHelp} optional type="date" />
        <FormActions submitLabel={texts.submit} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
