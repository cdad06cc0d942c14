import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Chromium } from './chromium.ts';
import type { Service } from './service.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** A page of the console in a browser. */
export interface ConsolePage {
  readonly browser: Browser;
  readonly page: Page;
  /** Errors and warnings of the browser, and requests to anywhere but the service. */
  readonly told: string[];
  /** Expects that axe finds nothing on the page, in both themes. */
  readonly accessible: (name: string) => Promise<void>;
}

/** Opens the browser at an empty page. */
export const openConsole = async ({ path }: Chromium, service: Service): Promise<ConsolePage> => {
  // It opens the pages of this program alone, and root has no sandbox.
  const browser = await chromium.launch({ executablePath: path, chromiumSandbox: false });
  const page = await browser.newPage();
  const told: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') told.push(message.text());
  });
  page.on('pageerror', ({ message }) => told.push(message));
  page.on('request', (request) => {
    if (!request.url().startsWith(service.base) && !/^(data|blob|about):/.test(request.url()))
      told.push(request.url());
  });
  const accessible = async (name: string): Promise<void> => {
    await page.evaluate(await readFile(AXE, 'utf8'));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const violations = await page.evaluate(async () => {
        const axe = (globalThis as unknown as { axe: { run: () => Promise<{ violations: AxeViolation[] }> } })
          .axe;
        const found = await axe.run();
        return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
      expect([name, colorScheme, violations]).toEqual([name, colorScheme, []]);
    }
  };
  return { browser, page, told, accessible };
};
