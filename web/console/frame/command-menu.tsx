import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { Transaction, Whence } from '@whence/sdk';
import { Eye, HandCoins, Keyboard, LogOut, type LucideIcon, Undo2 } from 'lucide-react';
import { openPreview } from '../collaborators/open-preview.ts';
import { saleKey } from '../sales/sale-query.ts';
import { frame as texts } from './frame-texts.ts';
import { useLogOut, usePermission, useSession } from '../session.ts';
import {
  type Command,
  type CommandGroup,
  CommandMenu as Menu,
  type CommandMenuProps,
} from '#web/ui/overlay/command-menu.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { useTheme } from '#web/ui/shell/theme.tsx';
import { showKeys, THEMES } from './account-menu.tsx';
import { ACTIONS, type Destination, DESTINATIONS, FURTHER } from './navigation.ts';
import { byId, type Hit, lookUp } from './look-up.ts';

const words = texts.commands;

/** Shows the menu that opens pages, runs actions, and finds resources by id or by a text search. */
export function CommandMenu(props: Omit<CommandMenuProps, 'groups' | 'search'>) {
  const api = useApi();
  const { scopes } = useSession();
  const isAllowed = ({ scope }: Destination) => scope === undefined || scopes.includes(scope);
  const pages = [...DESTINATIONS, ...FURTHER].filter(isAllowed).map(commandOf);
  const actions = [...ACTIONS.filter(isAllowed).map(commandOf), ...useResourceActions(), ...useOwnActions()];
  return (
    <Menu
      {...props}
      groups={[
        { label: words.pages, commands: pages },
        { label: words.actions, commands: actions },
      ]}
      search={(text, signal) => findCommands(api, text, signal)}
    />
  );
}

function commandOf({ to, label, icon, key, keywords }: Destination): Command {
  return { id: `${to} ${label}`, label, icon, href: to, keys: key && `g ${key}`, keywords };
}

/**
 * Returns the actions on the sale or partner of the current page. On other pages, the actions open the list of sales or
 * partners. Actions that the user's role or the status of the sale doesn't allow are omitted.
 */
function useResourceActions(): Command[] {
  const api = useApi();
  const { pathname } = useLocation();
  const mayReport = usePermission('events:write');
  const mayWrite = usePermission('resources:write');
  const [, kind, id] = /^\/(sales|collaborators)\/(\d+)$/.exec(pathname) ?? [];
  const sale = useQueryClient().getQueryData<Transaction>(saleKey(kind === 'sales' ? id : undefined));
  const onSale = (name: string, label: string, icon: LucideIcon): Command =>
    sale === undefined
      ? { id: name, label, icon, hint: words.chooseSale, href: '/sales' }
      : { id: name, label, icon, href: `${pathname}?new=${name}` };
  const canChange = sale === undefined || sale.status === 'complete';
  const preview = { id: 'preview', label: words.preview, icon: Eye };
  return [
    ...(mayReport && canChange && sale?.type !== 'lead' ? [onSale('refund', words.refund, Undo2)] : []),
    ...(mayWrite && canChange ? [onSale('credit', words.credit, HandCoins)] : []),
    ...(mayWrite
      ? [
          kind === 'collaborators'
            ? { ...preview, run: () => void openPreview(api, Number(id)).catch(toast.error) }
            : { ...preview, hint: words.choosePartner, href: '/collaborators' },
        ]
      : []),
  ];
}

/** Returns the actions of the account menu. */
function useOwnActions(): Command[] {
  const [, setTheme] = useTheme();
  const logOut = useLogOut(useLinks().href('/sign-in'));
  return [
    ...THEMES.map(({ value, icon }) => ({
      id: `theme ${value}`,
      label: words.theme(texts.account.themes[value]),
      icon,
      run: () => setTheme(value),
    })),
    { id: 'keyboard', label: texts.keyboard, icon: Keyboard, run: showKeys },
    { id: 'log-out', label: texts.account.signOut, icon: LogOut, run: () => logOut.mutate() },
  ];
}

async function findCommands(api: Whence, text: string, signal: AbortSignal): Promise<CommandGroup[]> {
  const [hits, sameId] = await Promise.all([lookUp(api, text, signal), byId(api, text, signal)]);
  return [
    { label: words.found, commands: hits.map(hitCommand) },
    { label: words.byId, commands: sameId.map(hitCommand) },
  ];
}

function hitCommand({ to, label, detail, icon }: Hit): Command {
  return { id: `found ${to}`, label, hint: detail, icon, href: to };
}
