import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../session.ts';
import { account as texts } from './account-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Badge } from '#web/ui/controls/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { TotpSetUp } from './totp-set-up.tsx';

export function TotpCard() {
  const queryClient = useQueryClient();
  const { person } = useSession();
  const [open, setOpen] = useState(false);
  const words = texts.totp;
  const close = (): void => {
    setOpen(false);
    void queryClient.invalidateQueries({ queryKey: ['session'] });
  };
  return (
    <Card title={words.title} description={words.description}>
      <Row justify="spread" align="center" gap={4}>
        <Row align="center">
          <Badge tone={person.twoFactor ? 'good' : 'neutral'}>{person.twoFactor ? words.on : words.off}</Badge>
          <Text tone="muted">{person.twoFactor ? words.onWords : words.offWords}</Text>
        </Row>
        <Button onClick={() => setOpen(true)}>{person.twoFactor ? words.stop : words.start}</Button>
      </Row>
      {open && (person.twoFactor ? <TurningOff onClose={close} /> : <TotpSetUp onClose={close} />)}
    </Card>
  );
}

function TurningOff({ onClose }: { readonly onClose: () => void }) {
  const [{ code }, field] = useDraft({ code: '' });
  const remove = useCall((api) => api.account.removeTotp({ code: code.trim() }), {
    done: texts.totp.turnedOff,
    onDone: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={texts.totp.turnOff} description={texts.totp.turnOffDetail} size="small">
      <Form call={remove}>
        <TextField label={texts.totp.turnOffCode} {...field('code')} mono autoComplete="one-time-code" autoFocus />
        <FormActions submitLabel={texts.totp.turnOffConfirm} danger onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
