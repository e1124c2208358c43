import { useQueryClient } from '@tanstack/react-query';
import type { Collaborator } from '@whence/sdk';
import { useState } from 'react';
import { collaborators as texts } from './collaborators-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { InviteField, sendInvitation } from './invite-field.tsx';
import { moveCodes, ConfirmCodeMove, type TakenCode, takenCodesOf } from './move-code.tsx';

const words = texts.form;

/**
 * Adds a partner with an optional link code and an optional coupon, and optionally sends an invitation. Codes of other
 * partners can be moved after a confirmation.
 */
export function NewCollaborator({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { navigate } = useLinks();
  const [{ name, email, link, coupon }, field] = useDraft({ name: '', email: '', link: '', coupon: '' });
  const [invite, setInvite] = useState(false);
  const [taken, setTaken] = useState<readonly TakenCode[]>();
  const aliases = [
    ...(link.trim() === '' ? [] : [{ type: 'tracking', code: link.trim() }]),
    ...(coupon.trim() === '' ? [] : [{ type: 'coupon', code: coupon.trim() }]),
  ];
  const createWith = (given: typeof aliases) =>
    api.collaborators.create({ name, ...(email === '' ? {} : { email }), aliases: given });
  const welcome = async (made: Collaborator) => {
    await queryClient.invalidateQueries({ queryKey: ['collaborators'] });
    navigate(`/collaborators/${made.id}`);
    if (invite && made.email !== null) await sendInvitation(api, made);
    else toast.success(words.created(name));
  };
  const create = useCall(() => createWith(aliases), {
    onDone: welcome,
    onError: (error) => setTaken(takenCodesOf(error)),
  });
  const createAndMove = async (codes: readonly TakenCode[]) => {
    const made = await createWith(aliases.filter(({ type }) => !codes.some((each) => each.type === type)));
    // Show an error, but continue: the partner already exists, and the partner's page shows which codes are missing.
    await moveCodes(api, codes, made.id).catch(toast.error);
    await welcome(made);
  };
  if (taken !== undefined) {
    return (
      <ConfirmCodeMove
        taken={taken}
        to={name}
        onClose={() => setTaken(undefined)}
        onConfirm={() => createAndMove(taken)}
      />
    );
  }
  return (
    <Dialog open onClose={onClose} title={words.newTitle}>
      <Form call={create}>
        <TextField label={words.name} {...field('name')} autoFocus autoComplete="off" />
        <TextField
          label={words.email}
          {...field('email')}
          type="email"
          optional
          description={words.emailHelp}
          autoComplete="off"
        />
        <TextField
          label={words.link}
          {...field('link')}
          name="aliases.0"
          optional
          mono
          description={words.linkHelp}
          autoComplete="off"
        />
        <TextField
          label={words.coupon}
          {...field('coupon')}
          name={link.trim() === '' ? 'aliases.0' : 'aliases.1'}
          optional
          mono
          description={words.couponHelp}
          autoComplete="off"
        />
        <InviteField email={email} checked={invite} onChange={setInvite} />
        <FormActions submitLabel={words.create} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
