import type { Whence } from '@whence/sdk';
import { frame as texts } from './frame-texts.ts';
import { usePermission } from '../session.ts';
import {
  type Command,
  type CommandGroup,
  CommandMenu as Menu,
  type CommandMenuProps,
} from '#web/ui/overlay/command-menu.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { type Destination, DESTINATIONS, FURTHER } from './navigation.ts';
import { byId, type Hit, lookUp } from './look-up.ts';

/** Shows the menu that opens pages, and that finds resources by id or by a text search. */
export function CommandMenu(props: Pick<CommandMenuProps, 'open' | 'onOpenChange'>) {
  const api = useApi();
  const mayWrite = usePermission('resources:write');
  const pages = [...DESTINATIONS, ...FURTHER].filter(({ writes }) => mayWrite || writes !== true).map(commandOf);
  return (
    <Menu
      {...props}
      groups={[{ label: texts.commands.pages, commands: pages }]}
      search={(text, signal) => findCommands(api, text, signal)}
    />
  );
}

function commandOf({ to, label, icon, key }: Destination): Command {
  return { id: to, label, icon, href: to, keys: key && `g ${key}` };
}

async function findCommands(api: Whence, text: string, signal: AbortSignal): Promise<CommandGroup[]> {
  const [hits, sameId] = await Promise.all([lookUp(api, text, signal), byId(api, text, signal)]);
  return [
    { label: texts.commands.found, commands: hits.map(hitCommand) },
    { label: texts.commands.byId, commands: sameId.map(hitCommand) },
  ];
}

function hitCommand({ to, label, detail, icon }: Hit): Command {
  return { id: `found ${to}`, label, hint: detail, icon, href: to };
}
