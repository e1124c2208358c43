import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useProgramChoices } from '../choices.ts';
import { LeaveGuard } from '../leave-guard.tsx';
import { ANNOUNCEMENTS_KEY } from './announcement-list.tsx';
import { announcements as texts } from './announcements-texts.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Combobox } from '#web/ui/form/combobox.tsx';
import { Form, useDraft } from '#web/ui/form/form.tsx';
import { TextArea, TextField } from '#web/ui/form/text-field.tsx';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { placeOf } from '#web/ui/shell/place.ts';

/** The maximum lengths in the API. */
const MAX_SUBJECT = 150;
const MAX_TEXT = 10_000;
const MAX_TAG = 40;
const ROWS = 10;

type AnnouncementFormProps = {
  /** Whether the portal is open. While it is closed, no announcement can be sent. */
  readonly isOpen: boolean;
  readonly onSent: () => void;
};

/** Edits an announcement, sends a test email, and sends the announcement after a confirmation. */
export function AnnouncementForm({ isOpen, onSent }: AnnouncementFormProps) {
  const { sendsMail } = placeOf(document);
  const programs = useProgramChoices();
  // All attempts to send this draft have the same key, so that a repeated attempt can't send it twice.
  const [idempotencyKey] = useState(() => `announcement-${Date.now()}-${Math.random()}`);
  const [programId, setProgramId] = useState<string | null>(null);
  const [{ tag, subject, text }, field] = useDraft({ tag: '', subject: '', text: '' });
  const [asking, setAsking] = useState(false);
  const written = { subject, text };
  const audience = {
    ...(programId === null ? {} : { programId: Number(programId) }),
    ...(tag.trim() === '' ? {} : { tag: tag.trim() }),
  };
  const recipients = useRead(
    [...ANNOUNCEMENTS_KEY, 'recipients', audience],
    (api, options) => api.announcements.countRecipients(audience, options),
    { placeholderData: keepPreviousData },
  );
  const sending = useCall((api) => api.announcements.send({ ...written, ...audience }, { idempotencyKey }), {
    reloads: [ANNOUNCEMENTS_KEY],
    done: (sent) => (sendsMail ? texts.sent(sent.recipients) : texts.sentPrinted(sent.recipients)),
    onDone: onSent,
  });
  const testing = useCall((api) => api.announcements.test(written), {
    done: sendsMail ? texts.tested : texts.testPrinted,
  });
  const count = recipients.data?.count ?? 0;
  const isComplete = isOpen && subject.trim() !== '' && text.trim() !== '';
  return (
    <Card title={texts.new}>
      <Form onSubmit={() => setAsking(true)} error={sending.error ?? testing.error ?? recipients.error}>
        <Combobox
          label={texts.program}
          description={texts.programHelp}
          optional
          value={programId}
          onChange={setProgramId}
          {...programs}
        />
        <TextField label={texts.tag} {...field('tag')} description={texts.tagHelp} optional maxLength={MAX_TAG} />
        <TextField label={texts.subject} {...field('subject')} maxLength={MAX_SUBJECT} />
        <TextArea label={texts.text} {...field('text')} description={texts.textHelp} rows={ROWS} maxLength={MAX_TEXT} />
        {recipients.data?.count === 0 && <Text tone="muted">{texts.nobody}</Text>}
        <Row>
          <Button type="submit" variant="primary" disabled={!isComplete || count === 0}>
            {texts.send(count)}
          </Button>
          <Button onClick={() => testing.mutate()} busy={testing.isPending} disabled={!isComplete}>
            {texts.test}
          </Button>
        </Row>
      </Form>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={texts.confirmTitle(count)}
        confirmLabel={texts.send(count)}
        onConfirm={() => sending.mutateAsync()}
      >
        {texts.confirmHelp}
      </ConfirmDialog>
      <LeaveGuard unsaved={() => subject !== '' || text !== ''} />
    </Card>
  );
}
