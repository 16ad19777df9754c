/** A step that takes longer than this shows its time, again and again. */
const PROGRESS_MS = 10_000;

/**
 * Shows a step while it works and its time when it is done: `  install packages … 41.2 s`. On a terminal a long step
 * also shows its time every ten seconds: `  install packages … 10 s … 20 s … 26.4 s`.
 */
export async function step(title, work, output = process.stdout, progressMs = PROGRESS_MS) {
  const began = performance.now();
  const seconds = (digits) => `${((performance.now() - began) / 1000).toFixed(digits)} s`;
  output.write(`  ${title} … `);
  // Logs of CI get one line for each step.
  const progress = output.isTTY ? setInterval(() => output.write(`${seconds(0)} … `), progressMs) : undefined;
  progress?.unref();
  try {
    const result = await work();
    output.write(`${seconds(1)}\n`);
    return result;
  } catch (error) {
    output.write('failed\n');
    throw error;
  } finally {
    clearInterval(progress);
  }
}
