import { setTimeout as sleep } from 'node:timers/promises';
import { step } from '../setup/step.mjs';

const PROGRESS_MS = 10;

/** The text of a step on a terminal or elsewhere. `work` gets a function that waits for the next text. */
async function textOf(isTTY: boolean, work: (more: () => Promise<void>) => Promise<void>): Promise<string> {
  let text = '';
  let wake = (): void => undefined;
  const output = { isTTY, write: (part: string) => ((text += part), wake()) };
  const more = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  await step('work', () => work(more), output, PROGRESS_MS).catch((error: Error) => (text += error.message));
  const written = text;
  // Time is what is tested: a step that has ended writes nothing more.
  await sleep(5 * PROGRESS_MS);
  expect(text).toBe(written);
  return text;
}

describe('a step of the set-up', () => {
  it('shows its time again and again on a terminal while it takes long', async () => {
    const text = await textOf(true, async (more) => {
      await more();
      await more();
    });
    expect(text).toMatch(/^ {2}work … \d+ s … \d+ s … (?:\d+ s … )*\d+\.\d s\n$/);
  });

  it('shows only its time at the end when it is short', async () => {
    expect(await textOf(true, () => Promise.resolve())).toMatch(/^ {2}work … 0\.\d s\n$/);
  });

  it('writes one line elsewhere than on a terminal', async () => {
    // Longer than the pause between two times of a terminal.
    expect(await textOf(false, () => sleep(5 * PROGRESS_MS))).toMatch(/^ {2}work … \d+\.\d s\n$/);
  });

  it('stops when the step fails', async () => {
    const text = await textOf(true, async (more) => {
      await more();
      throw new Error('the reason');
    });
    expect(text).toMatch(/^ {2}work … (?:\d+ s … )+failed\nthe reason$/);
  });
});
