import { CSPProvider } from '@base-ui/react/csp-provider';
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react';
import { HotkeyHelp } from './hotkeys.tsx';
import { type Links, LinksContext } from './links.ts';
import { prepareParts } from './on-demand.ts';
import { prepareToasts, ToastPlace } from './toast.tsx';
import { TooltipPlace } from './tooltip.tsx';

export type UiProviderProps = Links & {
  /** The name after each page's title in the browser's tab. */
  readonly appName: string;
  readonly children: ReactNode;
};

/** Wraps an application once. Provides tooltips, toasts, the hotkey help and the router's links. */
export function UiProvider({ href, navigate, appName, children }: UiProviderProps) {
  useEffect(prepareToasts, []);
  useEffect(prepareParts, []);
  const links = useMemo(() => ({ href, navigate }), [href, navigate]);
  return (
    // The content security policy forbids style elements created by scripts.
    <CSPProvider disableStyleElements>
      <LinksContext value={links}>
        <AppName value={appName}>
          {children}
          <TooltipPlace />
          <ToastPlace />
          <HotkeyHelp />
        </AppName>
      </LinksContext>
    </CSPProvider>
  );
}

const AppName = createContext('');

export function useAppName(): string {
  return use(AppName);
}
