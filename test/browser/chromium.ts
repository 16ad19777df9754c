import bundled from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** A real Chromium from npm, headless. Web security stays on: what a page's policy refuses must be refused here too. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await bundled.executablePath(),
    headless: true,
    args: [
      '--headless=shell',
      '--no-sandbox',
      '--no-zygote',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
