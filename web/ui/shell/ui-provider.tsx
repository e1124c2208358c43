import { CSPProvider } from '@base-ui/react/csp-provider';
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react';
import { HotkeyHelp } from '../overlay/hotkeys.tsx';
import { type Links, LinksContext } from '../controls/links.ts';
import { OfflineBanner } from '../feedback/offline-banner.tsx';
import { prepareToasts, ToastPlace } from '../feedback/toast.tsx';

export type UiProviderProps = Links & {
  /** The name after each page's title in the browser's tab. */
  readonly appName: string;
  readonly children: ReactNode;
};

/**
 * Provides the toasts, the hotkey help and the links of the router to an application. Render it once, around
 * everything.
 */
export function UiProvider({ href, navigate, appName, children }: UiProviderProps) {
  useEffect(prepareToasts, []);
  const links = useMemo(() => ({ href, navigate }), [href, navigate]);
  return (
    // The content security policy forbids style elements created by scripts.
    <CSPProvider disableStyleElements>
      <LinksContext value={links}>
        <AppName value={appName}>
          {children}
          <OfflineBanner />
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
