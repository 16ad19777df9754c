import { spawn } from 'node:child_process';

/** Runs a program quietly. The error has its output. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    child.on('error', (error) => reject(new Error(`${command} cannot be run: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else
        reject(
          new Error(`${[command, ...args].join(' ')} failed (${signal ?? `exit code ${code}`})\n${output.trimEnd()}`),
        );
    });
  });
}
