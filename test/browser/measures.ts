import type { Page } from 'playwright-core';

/** Bytes on the wire of a page for developers and of everything that it loads. */
export const MOST_BYTES = 1_000_000;

/** The bytes on the wire of a first visit, and of a second one of the same browser. */
export async function loadedBytes(page: Page, open: () => Promise<unknown>): Promise<readonly [number, number]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await open();
  const first = bytes;
  bytes = 0;
  await open();
  await session.detach();
  return [first, bytes];
}

/** The width of the window, and the pixels of horizontal scrolling. */
export const overflow = (page: Page): Promise<readonly [number, number]> =>
  page.evaluate<[number, number]>(
    '[innerWidth, document.documentElement.scrollWidth - document.documentElement.clientWidth]',
  );

/** The same at each of these widths of the loaded page, which has drawn itself at the width. */
export async function overflowAt(page: Page, widths: readonly number[]): Promise<(readonly [number, number])[]> {
  const measured: (readonly [number, number])[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate('new Promise(requestAnimationFrame)');
    measured.push(await overflow(page));
  }
  return measured;
}
