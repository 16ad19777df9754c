/** The first step of `npm start` and `npm run dev`. Exit code 3: the help was printed, and the start ends. */
import { HELP, startOptions } from './start-options.mjs';

try {
  if (startOptions(process.argv.slice(2)) === 'help') {
    process.stdout.write(HELP);
    process.exit(3);
  }
} catch (error) {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
}
