import { CSPProvider } from '@base-ui/react/csp-provider';
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react';
import { HotkeyHelp } from './hotkeys.tsx';
import { type Links, LinksContext } from './links.ts';
import { prepareParts } from './on-demand.ts';
import { prepareToasts, ToastPlace } from './toast.tsx';
import { TooltipPlace } from './tooltip.tsx';

export type UiProviderProps = Links & {
  /** Stands behind each page's title in the browser's tab. */
  readonly appName: string;
  readonly children: ReactNode;
};

/** Goes once around an application: tooltips, toasts, the help of the keyboard, the way to the router. */
export function UiProvider({ href, navigate, appName, children }: UiProviderProps) {
  useEffect(prepareToasts, []);
  useEffect(prepareParts, []);
  const links = useMemo(() => ({ href, navigate }), [href, navigate]);
  return (
    // The content security policy lets no script write a style element.
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
