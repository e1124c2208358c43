import type { Program } from '@whence/sdk';
import { Ellipsis } from 'lucide-react';
import { type ComponentProps, lazy } from 'react';
import { programs as texts } from '../../texts/programs.ts';
import { IconButton } from '#web/ui/button.tsx';
import { MenuOnDemand } from '#web/ui/shell/menu-on-demand.tsx';

const loadMenu = () => import('./status-menu.tsx').then((module) => ({ default: module.StatusMenu }));
const StatusMenu = lazy(loadMenu);

/** Shows the button of the status menu. */
export function StatusButton({ program }: { readonly program: Program }) {
  return (
    <MenuOnDemand
      button={MoreButton}
      load={loadMenu}
      menu={(trigger) => <StatusMenu program={program} trigger={trigger} />}
    />
  );
}

function MoreButton(props: ComponentProps<'button'>) {
  return <IconButton {...props} icon={Ellipsis} label={texts.page.more} variant="secondary" tooltip={false} />;
}
