import bundled from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** A real headless Chromium from npm. Web security stays on, so the policies of pages apply. */
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
