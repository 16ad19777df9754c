import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core';

/** What Chromium says of every page whose status is an error. */
const STATUS = 'Failed to load resource: the server responded with a status of';

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What must never happen: errors in the console (refusals by the page's policy are such) and requests elsewhere. */
  readonly faults: string[];
}

/** A browser of a person's own, which sees whether pages keep to themselves. Where an application waits is no such place. */
export async function visitor(
  browser: Browser,
  baseUrl: string,
  { scripts, elsewhere }: { scripts: boolean; elsewhere?: string },
): Promise<Visitor> {
  const context = await browser.newContext({ javaScriptEnabled: scripts, baseURL: baseUrl });
  const faults: string[] = [];
  const isOurs = (url: string): boolean =>
    url.startsWith(`${baseUrl}/`) || (elsewhere !== undefined && url.startsWith(elsewhere));
  context.on('console', (message: ConsoleMessage) => {
    const isTold = message.type() === 'error' || message.type() === 'warning';
    const { url } = message.location();
    const isTheirs = elsewhere !== undefined && url.startsWith(elsewhere);
    if (isTold && !isTheirs && !message.text().startsWith(STATUS)) faults.push(message.text());
  });
  context.on('weberror', (error) => faults.push(error.error().message));
  context.on('request', (request) => {
    if (!isOurs(request.url())) faults.push(`a request to ${request.url()}`);
  });
  return { context, page: await context.newPage(), faults };
}
