import { Share2 } from 'lucide-react';
import { Button, type ButtonLook } from './button.tsx';
import { texts } from '../shell/texts.ts';

export type ShareButtonProps = Pick<ButtonLook, 'variant' | 'size' | 'wide'> & { readonly url: string };

/**
 * Renders a button that opens the device's dialog for sharing an address. Renders nothing in browsers without such a
 * dialog.
 */
export function ShareButton({ url, ...look }: ShareButtonProps) {
  if (typeof navigator.share !== 'function') return null;
  // The promise rejects when the user closes the dialog.
  const share = () => void navigator.share({ url }).catch(() => {});
  return (
    <Button {...look} icon={Share2} onClick={share}>
      {texts.share}
    </Button>
  );
}
