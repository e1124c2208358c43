import { after, before, describe } from 'node:test';
import type { BrowserContextOptions, Locator } from 'playwright-core';
import type { OpenPage } from './browser.ts';
import { auditLook, DESK, openPages, type Pages, PHONE } from './pages.ts';
import { type Mailbox, openMailbox } from './portal.ts';

/** The resources of a story: its own service, and pages that open in one look. */
export type Stage = Pages & {
  readonly mailbox: Mailbox;
  /** The browser context options of the look. */
  readonly look: BrowserContextOptions;
  /** Whether the pages open at phone width with a touch screen. */
  readonly isPhone: boolean;
  /** Clicks, or taps on the phone. */
  readonly press: (target: Locator) => Promise<void>;
  /** Opens a page of the console or the portal through its navigation, which is closed at first on the phone. */
  readonly goTo: (open: OpenPage, name: string) => Promise<void>;
  /** Waits until the page is idle, and audits it in the look of the story. `station` names the page in a failure. */
  readonly check: (open: OpenPage, station: string) => Promise<void>;
};

const LOOKS = [
  { name: '1440 px, light', look: { viewport: DESK, colorScheme: 'light' } },
  { name: '1440 px, dark', look: { viewport: DESK, colorScheme: 'dark' } },
  { name: '390 px, light', look: { viewport: PHONE, colorScheme: 'light', hasTouch: true, isMobile: true } },
  { name: '390 px, dark', look: { viewport: PHONE, colorScheme: 'dark', hasTouch: true, isMobile: true } },
] as const;

/**
 * Describes a story, and plays it in each of the four looks with a service of its own. `tell` declares the tests of the
 * story, which depend on each other and run in order. Only the tests may call `stage`.
 */
export function describeStory(
  name: string,
  settings: Readonly<Record<string, string>>,
  tell: (stage: () => Stage) => void,
): void {
  for (const { name: lookName, look } of LOOKS) {
    describe(`${name} (${lookName})`, () => {
      let stage: Stage | undefined;
      before(async () => {
        const pages = await openPages(settings, look);
        stage = { ...pages, look, mailbox: await openMailbox(pages.service), ...handsOf('isMobile' in look) };
      });
      after(() => stage?.close());
      tell(() => stage as Stage);
    });
  }
}

/** Returns the functions that press, navigate and audit pages, on a desktop or on a phone. */
function handsOf(isPhone: boolean): Pick<Stage, 'isPhone' | 'press' | 'goTo' | 'check'> {
  const press = (target: Locator): Promise<void> => (isPhone ? target.tap() : target.click());
  return {
    isPhone,
    press,
    goTo: async ({ page }, name) => {
      const navigation = page.getByRole('navigation', { name: 'Main' });
      const opener = page.getByRole('button', { name: 'Open navigation' });
      await navigation.or(opener).first().waitFor();
      if (await opener.isVisible()) await press(opener);
      await press(navigation.getByRole('link', { name, exact: true }));
    },
    check: async (open, station) => {
      await open.still();
      await auditLook(open, station);
    },
  };
}
