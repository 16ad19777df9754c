import { appendFileSync } from 'node:fs';

/** A Jest reporter that appends one line of JSON for each finished suite to the file of the whole run. */
export default class Progress {
  onTestFileResult(_test, result) {
    const { testFilePath, numPassingTests, numFailingTests, testExecError, perfStats, failureMessage } = result;
    const line = {
      suite: testFilePath,
      passed: numPassingTests,
      failed: numFailingTests + (testExecError && numFailingTests === 0 ? 1 : 0),
      seconds: perfStats.runtime / 1_000,
      message: failureMessage ?? undefined,
    };
    appendFileSync(process.env.LYCEUM_TEST_PROGRESS, `${JSON.stringify(line)}\n`);
  }
}
