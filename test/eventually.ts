/**
 * Polls until the result satisfies, for facts that travel as events. The limit is generous because it only matters
 * when the test fails.
 */
export async function eventually<T>(
  poll: () => Promise<T>,
  satisfies: (response: T) => boolean,
  limitMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const response = await poll();
    if (satisfies(response)) return response;
    if (Date.now() > deadline)
      throw new Error(`Not within ${limitMs} ms; the last answer was ${JSON.stringify(response)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
