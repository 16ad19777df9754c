import { spawn } from 'node:child_process';

/** Runs one spec file of a package with more variables. @throws Error when a test fails. */
export function runSpec(directory: string, spec: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn('npm', ['test', '--', '--runTestsByPath', spec], {
    cwd: directory,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error('The output of the run has the details.'));
    });
  });
}
