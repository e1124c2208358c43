import { useLocation } from '@tanstack/react-router';
import { frame as texts } from '#portal/texts/frame.ts';
import { LinkButton } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { stringifySearch } from '#ui/shell/search.ts';

/** Lies over the page whose call was refused, and leads to the sign-in and back to it. */
export function SessionEnded() {
  const { href } = useLocation();
  const signIn = (
    <LinkButton href={`/sign-in${stringifySearch({ to: href })}`} variant="primary">
      {texts.ended.signIn}
    </LinkButton>
  );
  return (
    <Dialog
      open
      onClose={() => {}}
      title={texts.ended.title}
      description={texts.ended.detail}
      size="small"
      actions={signIn}
    />
  );
}
